import type { AdminRefusal, Issue } from "#lib/access/refusal";

/** The sentence for each refusal: what is wrong, and what to do instead. */
const refusals: {
  readonly [Type in AdminRefusal["type"]]: (refusal: Extract<AdminRefusal, { type: Type }>) => string;
} = {
  "not-authorised": () => "Only an admin can do this.",
  "not-found": ({ what }) => `There is no such ${what}: \`${listing[what]}\` shows what there is.`,
  invalid: ({ issues }) => `${issues.map(issueText).join("; ")}. Correct it and run this again.`,
  taken: ({ what }) => taken[what],
  "two-live-keys": () =>
    "The channel has two active keys already: revoke one, or add --revoke-old to revoke the oldest.",
  "keys-changed": () => "The channel's keys changed in the meantime: look at `channel list`, then run this again.",
  "last-admin": () =>
    "No one else who can sign in is an admin of every practice: give that role to someone else first.",
  "own-rights": () => "You can't give yourself a role.",
  "account-deactivated": () => "This account is deactivated: reactivate it with `person reactivate` first.",
  "by-group": () => "A group of the provider gives this role: `group unmap` takes it from all members of the group.",
  "sso-first": () => "No provider is set, so no one could sign in: set OIDC_ISSUER and its other settings first.",
  "admins-unlinked": () => "No admin of every practice is linked to the provider: link one with `person link`.",
  busy: () => "Too many people are signing in right now: run this again in a moment.",
  "beyond-reach": () => "This person also works in practices of other admins.",
  "changed-since": () =>
    "The data changed in the meantime, and nothing was done: run this again without --apply first.",
  "proof-needed": () => "Verify your identity on the page; the command line can't.",
  "no-practices": () => "Name at least one practice with --practices.",
  "second-admin-first": () => "Take the admin role away first, then do this, and give the role again.",
  "own-request": () => "Another admin has to confirm this change.",
  "request-over": () => "This change was already decided or has expired.",
  "key-too-new": ({ practiceId, until }) =>
    `Nothing was resealed: until ${until.toISOString()} some of this service may still seal under the older key of practice ${practiceId}. Run this again then.`,
  "admin-exists": () => "There is an admin already: create others with `person create --roles admin`.",
};

const listing = {
  practice: "practice list",
  channel: "channel list",
  key: "channel list",
  webhook: "channel list",
  delivery: "channel list",
  person: "person list",
  route: "route list",
  payer: "payer list",
  link: "person list",
  invitation: "person list",
  group: "group list",
  change: "audit log",
} as const;

const taken = {
  practice: "A practice with this id exists already: choose another --id.",
  channel: "A channel with this id exists already.",
  email: "A person with this email exists already: choose another --email.",
  identity: "This subject is linked to another person: unlink that one first.",
  link: "This person is linked to another subject of this provider: unlink it first.",
} as const;

const optionByField: Readonly<Record<string, string>> = {
  payerId: "--payer",
  payerName: "--payer-name",
  recallWindowS: "--recall-window",
  gateExpiryDays: "--gate-expiry",
  timeZone: "--time-zone",
  urgentTargetH: "--urgent",
  standardTargetH: "--standard",
  lineOfBusiness: "--line-of-business",
  owner: "--email",
  jwksUrl: "--jwks-url",
  issuer: "--issuer (or OIDC_ISSUER)",
  file: "The file",
  password: "The password on standard input",
  credential: "The credential on standard input",
};

/** Why a command was refused, and what to do. */
export function refusalText(refusal: AdminRefusal): string {
  // Safe because the table has, for each type, the function for exactly that refusal.
  const sentence = refusals[refusal.type] as (refusal: AdminRefusal) => string;
  return sentence(refusal);
}

function issueText({ field, problem }: Issue): string {
  const setting = /^settings\.(.+)$/.exec(field)?.[1];
  if (field.endsWith("-votes")) return `--votes ${problem}`;
  return `${optionByField[field] ?? (setting === undefined ? `--${field}` : `--setting ${setting}`)} ${problem}`;
}

/** Why a command failed, by what failed: the database, its tables, or the service itself. `code` is the error's own. */
export const failureTexts = {
  unreachable: (code: string) =>
    `The database does not answer (${code}): start it with \`npm start\`, or correct APP_DATABASE_URL, then run this again.`,
  denied: (code: string) => `The database refuses this login (${code}): correct APP_DATABASE_URL, then run this again.`,
  absent: (code: string) =>
    `There is no database of that name (${code}): create it or correct APP_DATABASE_URL, then run this again.`,
  unmigrated: (code: string) =>
    `The database's tables are not those this version needs (${code}): \`npm start\` brings them up to date, then run this again.`,
  ours: (code: string) =>
    `This failed on our side (${code}), and nothing was written: run it again, and tell us if it fails again.`,
} as const;

/** The environment lacks a setting; `missing` names which. */
export const environmentText = (missing: string): string =>
  `${missing}. Run it as \`npm run pa -- …\` in a checkout, or with \`--env-file\` in a release, which set it; or set it as .env.example says.`;

/** Something was thrown that is no error. */
export const unknownFailureText = "Something failed on our side.";

type BadEntry = { readonly seq: number; readonly through?: number | undefined };

/** What is wrong with a chain of the audit log, by its first bad entry; `through` is the entry that a signed head names. */
export const chainFaultTexts = {
  edited: ({ seq }: BadEntry) => `entry ${seq} was edited`,
  missing: ({ seq }: BadEntry) => `entry ${seq} is missing`,
  reordered: ({ seq }: BadEntry) => `entry ${seq} was moved`,
  emptied: ({ seq }: BadEntry) => `entry ${seq} was emptied against the retention policy`,
  rewritten: ({ seq, through }: BadEntry) =>
    `entries from ${seq} on were rewritten; the head signed at ${through} does not match`,
  cut: ({ seq, through }: BadEntry) => `cut off from entry ${seq} on; a signed head names ${through}`,
} as const;

/** What became of a database guard of the audit log. */
export const guardFaultTexts = {
  missing: "is gone",
  disabled: "is switched off",
  changed: "is not as it was made",
} as const;

/** What is wrong with a signed head. */
export const headFaultTexts = {
  "not-a-head": "isn't a signed head",
  "unknown-key": "is signed by an unknown key",
  signature: "was changed: its signature doesn't match",
} as const;

/** How a task does not follow from its stored events. */
export const taskFaultTexts = {
  missing: "lacks an event, or has one too many",
  unreadable: "cannot be read, or one of its events cannot: it was changed",
  different: "is not what its events give: a column or an event was changed",
} as const;

type ArchiveStandingText = {
  readonly archive: string | undefined;
  readonly isAtHand: boolean;
  readonly trouble: string | undefined;
  readonly values: number;
  readonly bytes: number;
  readonly behind: number;
  readonly failing: number;
  readonly failures: readonly ArchiveFailureText[];
};

type ArchiveFailureText = Readonly<Record<"taskId" | "practiceId" | "reason", string>> & {
  readonly failures: number;
  readonly since: Date;
  readonly dueAt: Date;
};

export const archiveTexts = {
  away: (reason: string) =>
    `${reason} Archived values can't be read right now: \`archive status\` tells more, then run this again.`,
  fault: ({
    problem,
    ...of
  }: Readonly<Record<"column" | "id" | "taskId" | "practiceId" | "digest" | "problem", string>>) =>
    `${of.column} ${of.id} of task ${of.taskId} of ${of.practiceId}: the object ${of.digest} is ${problem}.`,
  verified: ({ values, bytes, faults }: Readonly<Record<"values" | "bytes" | "faults", number>>) =>
    `${values} values of ${bytes} bytes are referred to; ${faults} of their objects are missing or changed.`,
  standing: ({ archive, isAtHand, trouble, values, bytes, behind, failing, failures }: ArchiveStandingText) =>
    [
      archive === undefined
        ? "No archive is set."
        : `${archive} is ${isAtHand ? "reachable" : `unreachable: ${trouble}`}.`,
      `${values} values of ${bytes} bytes were moved there.`,
      `${behind} practices have cases that are due.`,
      ...(failing === 0 ? [] : [`${failing} cases fail to be archived and are tried again:`]),
      ...failures.map(
        (each) =>
          `Task ${each.taskId} of ${each.practiceId}: ${each.failures} times since ${each.since.toISOString()}, ${each.reason}; again at ${each.dueAt.toISOString()}`,
      ),
    ].join("\n"),
};

/** What a command that prints public keys says where none are set. */
export const noKeyText = (setting: string, whose: string): string =>
  `${setting} is not set here: run this with the settings of ${whose}.`;

export const auditTexts = {
  noHeadKey: "There is no key here to check the heads with: name the file that `audit key` printed with --key.",
  empty: "The audit log is empty.",
  intact: "whole",
  fault: (what: string, text: string) => `${what} ${text}.`,
  taskFault: (taskId: string, practiceId: string, text: string) => `Task ${taskId} of ${practiceId} ${text}.`,
  replayed: (tasks: number) =>
    tasks === 1 ? "1 task was compared with its events." : `${tasks} tasks were compared with their events.`,
  older: (tasks: number) =>
    tasks === 1
      ? "1 task is older than its events and could not be compared."
      : `${tasks} tasks are older than their events and could not be compared.`,
  tampered: "The audit log was tampered with: keep the database as it is, and compare it with a backup.",
  unwitnessed: "Every chain is whole. Note the heads elsewhere: a cut-off end shows only against them.",
  whole: (heads: number) => `Every chain is whole and goes through all ${heads} signed heads.`,
} as const;
