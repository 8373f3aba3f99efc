import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import { z } from "zod";
import { receiptProblems as problems } from "#lib/messages/problems/receipt";
import { assert } from "#lib/platform/result";
import { isTextSignedBy, type ReceiptKey, type SigningKey } from "#lib/platform/signing-keys";

/** What a person can decide at a gate, as a receipt names it. */
const decisions = ["released", "declined", "sent-back", "recalled", "adopted"] as const;
export type Decision = (typeof decisions)[number];

const digest = z.string().regex(/^[0-9a-f]{64}$/, problems.digest);
const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, problems.instant);
const thumbprint = z.string().regex(/^[\w-]{43}$/, problems.thumbprint);
const person = z.strictObject({ id: z.uuid(), name: z.string() });

/** Base64 in its one canonical spelling: any other text that decodes to the same bytes is refused. */
const signature = z.string().refine((text) => {
  const bytes = Buffer.from(text, "base64url");
  return bytes.length === 64 && bytes.toString("base64url") === text;
}, problems.signatureBytes);

const unsignedSchema = z.strictObject({
  version: z.literal(1),
  id: z.uuid(),
  practiceId: z.string().min(1),
  /** Its number among the practice's receipts: 1, 2, 3, … */
  sequence: z.int().positive(),
  /** Of the whole receipt before it, including its signature; null in the first. */
  previousReceiptHash: digest.nullable(),
  taskId: z.uuid(),
  gateId: z.uuid(),
  action: z.enum(["transmit", "void"]),
  update: z.boolean(),
  environment: z.enum(["live", "test"]),
  revision: z.int().positive(),
  revisionDigest: digest,
  gateDigest: digest,
  documentDigests: z.array(digest),
  decision: z.enum(decisions),
  /** Who decided. The votes are those of the gate that counted at that time. */
  decidedBy: person,
  decidedAt: instant,
  /** How many people the practice required at the time. */
  votesNeeded: z.int().positive(),
  votes: z.array(z.strictObject({ person, answer: z.enum(["release", "decline", "send-back"]), at: instant })),
  /** The entry of the practice's audit log for this decision. */
  audit: z.strictObject({ sequence: z.int().positive(), hash: digest }),
  kid: thumbprint,
});

export const receiptSchema = unsignedSchema.extend({ signature });

export type UnsignedReceipt = z.infer<typeof unsignedSchema>;
export type Receipt = z.infer<typeof receiptSchema>;

/**
 * The RFC 8785 form of a receipt. With its signature, it is what is kept, handed out and hashed; without, what is
 * signed.
 */
export function receiptText(receipt: Receipt | UnsignedReceipt): string {
  const text = canonicalize(receipt);
  assert(text !== undefined, "a receipt has a canonical form");
  return text;
}

/** The hash that the next receipt names: SHA-256 of the whole text, in lower-case hex. */
export function receiptHash(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** Ed25519 (RFC 8032) over the RFC 8785 form of the receipt without its signature. */
export function signReceipt(signer: SigningKey, receipt: Omit<UnsignedReceipt, "kid">): Receipt {
  const unsigned: UnsignedReceipt = { ...receipt, kid: signer.key.kid };
  return { ...unsigned, signature: signer.signText(receiptText(unsigned)) };
}

/** Whether this key made the signature. */
export function isSignedBy(key: ReceiptKey, { signature, ...unsigned }: Receipt): boolean {
  return isTextSignedBy(key, receiptText(unsigned), signature);
}
