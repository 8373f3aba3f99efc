/** What is wrong with a receipt, or with its place among others. */
export const receiptProblems = {
  noUtf8: "its bytes are no UTF-8",
  noJson: "it isn't JSON",
  noObject: "it isn't a JSON object",
  strangeMember: (members: readonly string[]) => `it has a member no receipt has: ${members.join(", ")}`,
  wrongMember: (member: string) => `its member ${member} is missing or malformed`,
  notCanonical: "its bytes are not the canonical form they were issued in (RFC 8785)",
  unknownKey: (kid: string) => `it names the key ${kid}, which isn't one of those given`,
  signature: "the signature does not fit: something in it was altered, or another key signed it",
  repeated: (sequence: number) => `receipt ${sequence} was given before`,
  reordered: (sequence: number, expected: number) => `receipt ${sequence} stands where receipt ${expected} belongs`,
  brokenLink: (sequence: number) =>
    `it does not follow from the receipt before it, ${sequence === 1 ? "which the first cannot have" : "which was altered or replaced"}`,
  gap: (first: number, last: number) =>
    `${first === last ? `receipt ${first} is` : `receipts ${first} to ${last} are`} missing before it`,
  otherLast: (head: string) => `the last receipt is not the one with the hash ${head}`,
  digest: "must be 64 lower-case hex digits",
  instant: "must be an instant in UTC",
  thumbprint: "must be a key's RFC 7638 thumbprint",
  signatureBytes: "must be 64 bytes in base64url",
} as const;
