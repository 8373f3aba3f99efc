import canonicalize from "canonicalize";
import { z } from "zod";
import { assert } from "#lib/platform/result";
import { isTextSignedBy, type ReceiptKey, type SigningKey } from "#lib/platform/signing-keys";

/**
 * A signed statement of a chain's last entry at a time. With it, nobody can cut off or rewrite earlier entries
 * unnoticed.
 */
const unsignedSchema = z.strictObject({
  /** Keeps a signature over another document from passing as one over a head. */
  purpose: z.literal("audit-head"),
  version: z.literal(1),
  chain: z.string().min(1),
  seq: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** When the head was signed, in UTC. */
  at: z.iso.datetime(),
  kid: z.string().regex(/^[\w-]{43}$/),
});

const headSchema = unsignedSchema.extend({ signature: z.string() });

export type SignedHead = z.infer<typeof headSchema>;

/** The canonical JSON (RFC 8785) of a signed head: one line of a file of heads. */
export function signHead(
  { key, signText }: SigningKey,
  { chain, seq, hash, at }: { readonly chain: string; readonly seq: number; readonly hash: string; readonly at: Date },
): string {
  const unsigned = { purpose: "audit-head", version: 1, chain, seq, hash, at: at.toISOString(), kid: key.kid };
  return canonicalText({ ...unsigned, signature: signText(canonicalText(unsigned)) });
}

/** A line that is no head, or whose signature does not verify. */
export type BadHead = { readonly where: string; readonly problem: "not-a-head" | "unknown-key" | "signature" };

/**
 * Reads the lines of one file. Each is a head signed by one of the keys, or a bad head with its place. Heads that do not
 * go beyond the `furthest` entry of their chain are left out, unchecked.
 */
export function readHeads(
  { name, text }: { readonly name: string; readonly text: string },
  keys: readonly ReceiptKey[],
  furthest?: ReadonlyMap<string, number>,
): readonly (SignedHead | BadHead)[] {
  const lines = text.split("\n").map((line, index) => ({ line, where: `${name}:${index + 1}` }));
  return lines
    .filter(({ line }) => line !== "" && !(furthest && isWithin(line, furthest)))
    .map(({ line, where }) => readHead(line, where, keys));
}

const placeSchema = z.object({ chain: z.string(), seq: z.number() });

function isWithin(line: string, furthest: ReadonlyMap<string, number>): boolean {
  const parsed = placeSchema.safeParse(parseJson(line));
  return parsed.success && parsed.data.seq <= (furthest.get(parsed.data.chain) ?? 0);
}

function readHead(line: string, where: string, keys: readonly ReceiptKey[]): SignedHead | BadHead {
  const parsed = headSchema.safeParse(parseJson(line));
  if (!parsed.success) return { where, problem: "not-a-head" };
  const { signature, ...unsigned } = parsed.data;
  const key = keys.find(({ kid }) => kid === unsigned.kid);
  if (!key) return { where, problem: "unknown-key" };
  return isTextSignedBy(key, canonicalText(unsigned), signature) ? parsed.data : { where, problem: "signature" };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function canonicalText(value: object): string {
  const text = canonicalize(value);
  assert(text !== undefined, "a head has a canonical form");
  return text;
}
