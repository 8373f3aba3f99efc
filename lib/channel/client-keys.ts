import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import { channelProblems } from "#lib/messages/problems/admin";
import { rsaBitsMin } from "./model/key-warning.ts";

/** The signature algorithms of an assertion: those of SMART Backend Services, and Ed25519. */
export const assertionAlgorithms = ["ES384", "RS384", "EdDSA"] as const;

const keysMax = 10;

/** One public key with the members that define it; other members are dropped. */
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

type KeySetOptions = { readonly others: "refused" | "skipped" };

/**
 * Reads a JWK set of public keys (RFC 7517), or returns its problem, as the end of a sentence that begins with "the JWK
 * set". Keys that cannot sign assertions are refused, or skipped where an address publishes one set for several uses.
 */
export function readClientKeys(
  text: string,
  { others }: KeySetOptions = { others: "refused" },
): { readonly keys: ClientKeys } | { readonly problem: string } {
  const set = keySet.safeParse(parseJson(text));
  if (!set.success) return { problem: channelProblems.jwkSet(keysMax) };
  if (set.data.keys.some((key) => "d" in key || "k" in key)) {
    return { problem: channelProblems.privateKey };
  }
  const keys = set.data.keys.map((key) => publicKey.safeParse(key));
  const good = keys.flatMap((key) => (key.success && isStrong(key.data) ? [key.data] : []));
  if (others === "refused" ? good.length < keys.length : good.length === 0) {
    return {
      problem: channelProblems.keyKinds(rsaBitsMin),
    };
  }
  if (new Set(good.map(({ kid }) => kid)).size < good.length) return { problem: channelProblems.keyIdTwice };
  return { keys: { keys: good } };
}

function parseJson(text: string): unknown {
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
