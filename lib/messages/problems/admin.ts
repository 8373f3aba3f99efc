/** What is wrong with a field that several forms of administrators have. */
export const fieldProblems = {
  oneLine: "must be one line without control characters",
  practiceId: "must be 1 to 64 letters, digits, dots, hyphens or underscores, and start with a letter or digit",
  reservedPracticeId: "must not be `people`, which is reserved",
  issuerAddress: "must be the provider's address",
  liveOrTest: "must be live or test",
  timeZone: "must be an IANA time zone, such as America/Chicago",
  npiOrEmpty: "must be a 10-digit NPI with a valid check digit, or empty",
  taxIdOrEmpty: "must be a nine-digit tax ID, or empty",
  onePermission: "must include at least one permission",
  oneRole: "must include at least one role",
  networks: "must be addresses or networks, such as 203.0.113.0/24",
} as const;

/** What is wrong with a field of a channel, its keys or its webhooks. */
export const channelProblems = {
  limitOrNone: (max: number) => `must be a whole number from 1 to ${max}, or empty`,
  jwkSet: (max: number) => `must be a JSON object whose \`keys\` are 1 to ${max} keys`,
  privateKey: "must contain only public keys; this one has a private key, which is now exposed",
  keyKinds: (rsaBits: number) =>
    `must contain only P-384, Ed25519 or RSA keys of at least ${rsaBits} bits, each with a \`kid\``,
  keyIdTwice: "must use a different `kid` for each key",
  uuid: "must be a UUID",
  noKeys: (reason: string) => `gave no keys: ${reason}`,
  noKeysStatus: (status: number) => `gave no keys (HTTP ${status})`,
  badJwkSet: (problem: string) => `gave a JWK set that ${problem}`,
  keyDays: (max: number) => `must be a whole number of days from 1 to ${max}`,
  liveForTestChannel: (practice: string) => `can't be live for a test channel: ${practice}`,
  personWhoSignsIn: "must be a person who can sign in",
  ownerNeeded: "is needed: what a channel without an owner requests can't be released",
  enoughReleasers: (practice: string, votes: number, others: number) =>
    `must leave enough people to release: ${practice} asks for ${votes}, and has only ${others === 1 ? "1 other reviewer" : `${others} other reviewers`}`,
  ipAddress: "must be an address, such as 203.0.113.7",
  visibleAscii: "must be visible ASCII characters",
  signatureInstead: "is not supported: verify the signature of each delivery",
  webhookHosts: (hosts: string) => `must be at ${hosts}`,
  noUserInfo: "must have no user name, password or fragment",
  pollInstead: "is not supported: poll tasks/get instead",
  hosts: "must be hosts, such as agents.example.org",
} as const;

/** What is wrong with a setting of a payer connection. */
export const settingProblems = {
  certificate: "must be an X.509 certificate in base64, without its header lines",
  unknownSetting: "isn't a setting of this connection type",
  requiredForSmart: "is required for SMART Backend Services",
  requiredForNotifications: "is required for notifications (rest-hook)",
  printable: "must be printable characters without spaces",
  absoluteUri: "must be an absolute URI, such as urn:oid:2.16.840.1.113883.3.1",
  scopes: "must be scopes separated by single spaces",
  tokenEndpoint: "must be the https address of the token endpoint; plain http is only allowed on this machine",
} as const;

/** What is wrong with a field of a person's account. */
export const personProblems = {
  ownerFirst: "must be changed on this person's channels first",
  administeredPractices: "must be among those you administer",
  decidingRoles: "must name the practices the reviewer decides for",
  emailAddress: "must be an email address",
  inviteAdmin: "can't include admin, which a second admin confirms: invite the person instead",
  oneGrant: "must include at least one",
  identitySubject: "must be the provider's `sub`: 1 to 255 characters without control characters",
} as const;

/** What is wrong with a field of a practice: its settings, rules, payers and payer connections, and the files it imports. */
export const practiceProblems = {
  secondsOfUndo: "must be 0 to 3600 seconds",
  daysOfGate: "must be 1 to 365 days",
  hoursOfTarget: "must be 1 to 720 hours",
  urgentTargetLonger: "must not be longer than the standard target",
  noOuterSpace: "must not start or end with a space",
  payerFields: "must be fields a payer may require",
  procedureRanges: "must be codes or ranges in one format, such as 70336-78816",
  serviceTypes: "must be service type codes of one to three characters",
  noConnection: (connection: string) => `is ${connection}, which has no payer connection`,
  nothingToTest: "has nothing to test",
  tickWithoutTest: "must be selected because there is no passing test",
  kilobytes: (max: number) => `must be at most ${max} kB`,
  noRows: "must include at least one row below its head",
  unevenLine: (line: number) => `must have as many cells in line ${line} as in the header`,
  credentialInFile: "must not contain a credential: enter it on the payer connection's page",
  unknownColumn: (column: string, known: string) => `has an unknown column \`${column}\`; use ${known}`,
  columnTwice: "must name each column once",
  missingColumn: (column: string) => `must have a column \`${column}\``,
  unreadableCsv: (line: number | undefined) =>
    `isn't a readable CSV file${line === undefined ? "" : `: check the quotes and commas up to line ${line}`}`,
  sameAsLine: (line: number) => `is already used in line ${line}`,
  notYourPractice: "isn't a practice you administer",
  capitalsAlone: "differs from another practice's ID in capital letters alone",
  connectionMoves: (problem: string) => `moves, and the credential ${problem}`,
  namedValues: "must be name=value; name=value",
  refusedInLine: (line: number) => `is refused in line ${line}`,
  unknownPractice: (practice: string) => `doesn't exist: ${practice}`,
  headerWord: "must be one word of printable characters because it's sent in a header",
  routeFields: "must be fields a payer connection can require",
  fhirBase: "must be the payer's FHIR base address, such as https://payer.example/fhir",
  clearinghouseBase: "must be the clearinghouse's base address, such as https://clearinghouse.example",
  credentialAgain:
    "must be entered again; the stored one is only used with the same connection type, address and purpose",
  noCredentialInUrl: "must not contain a credential; enter it in its own field",
  urlEndsWithPath: "must end with its path, without ? or #",
  httpsOrThisMachine: "must start with https://; plain http is only allowed on this machine",
  testPracticesOnly: "is only for practices with test data",
  hasLiveCases: "is only for practices with test data, and this one has live cases",
  noSandboxPayer: "needs a sandbox payer: set SANDBOX_PAYERS",
  knownWarning: "must be a known warning",
  providerRole: "must be requesting, rendering or both",
  twoAdministrators: "needs at least two admins of the practice who can sign in",
  votes: (max: number) => `must be a whole number from 1 to ${max}`,
  tooFewReviewers: (votes: number, people: number) => {
    const only = people === 1 ? "only 1 reviewer" : `only ${people} reviewers`;
    return `asks for ${votes}, and ${people === 0 ? "no reviewer" : only} of the practice could release`;
  },
  liveWithAutoRelease: "can't be live while requests are released automatically: turn that off first",
  liveWithTestChannel: (channel: string) => `can't be live while the test channel ${channel} reaches the practice`,
  manualConnection: "is a manual connection, so there is nothing to test",
} as const;
