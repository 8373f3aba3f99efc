import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { z } from "zod";

/** The signatures an assertion may have, as SMART Backend Services asks, and Ed25519. */
export const assertionAlgorithms = ["ES384", "RS384", "EdDSA"] as const;

const keysMax = 10;

/** One public key, by the members that make it one; whatever else was sent is left out. */
const publicKey = z.discriminatedUnion("kty", [
  z.object({
    kty: z.literal("EC"),
    kid: z.string().min(1).max(200),
    crv: z.literal("P-384"),
    x: z.string(),
    y: z.string(),
  }),
  z.object({ kty: z.literal("RSA"), kid: z.string().min(1).max(200), n: z.string(), e: z.string() }),
  z.object({ kty: z.literal("OKP"), kid: z.string().min(1).max(200), crv: z.literal("Ed25519"), x: z.string() }),
]);

const keySet = z.object({ keys: z.array(z.looseObject({})).min(1).max(keysMax) });

export type ClientKeys = { readonly keys: readonly z.infer<typeof publicKey>[] };

/** So that no key has less than 128 bits of strength (NIST SP 800-57 part 1; OWASP ASVS 11.2.3). */
export const rsaBitsMin = 3_072;

type Read = { readonly others: "refused" | "left-aside" };

/**
 * Reads a JWK set of public keys (RFC 7517), or says what is wrong with it, completing "the JWK set …". Keys that may
 * sign no assertion are refused, or left aside where somebody publishes one set for many uses.
 */
export function readClientKeys(
  text: string,
  { others }: Read = { others: "refused" },
): { readonly keys: ClientKeys } | { readonly problem: string } {
  const set = keySet.safeParse(parsed(text));
  if (!set.success) return { problem: `must be a JSON object whose \`keys\` are 1 to ${keysMax} keys` };
  if (set.data.keys.some((key) => "d" in key || "k" in key)) {
    return { problem: "must hold public keys alone; this one has a private key, which is no secret any more" };
  }
  const keys = set.data.keys.map((key) => publicKey.safeParse(key));
  const good = keys.flatMap((key) => (key.success && isStrong(key.data) ? [key.data] : []));
  if (others === "refused" ? good.length < keys.length : good.length === 0) {
    return {
      problem: `must hold EC keys on P-384, Ed25519 keys or RSA keys of ${rsaBitsMin} bits and more, each with a \`kid\``,
    };
  }
  if (new Set(good.map(({ kid }) => kid)).size < good.length) return { problem: "must name each key by another `kid`" };
  return { keys: { keys: good } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isStrong(key: JsonWebKey): boolean {
  const made = keyOf(key);
  return made !== undefined && (made.asymmetricKeyDetails?.modulusLength ?? Infinity) >= rsaBitsMin;
}

function keyOf(key: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: "jwk" });
  } catch {
    return undefined;
  }
}
