import { timingSafeEqual } from "node:crypto";
import { keyedHash, type KeyPepper } from "#lib/db/keyed-hash";

/** How long a token is valid, in seconds. */
export const tokenLifeS = 300;

type Client = { readonly id: string; readonly generation: number };

/**
 * A token of a client for the next five minutes. Nothing of it is stored: it is valid as long as the client's row
 * exists and has the generation that the token names.
 */
export function issueToken(store: KeyPepper, { id, generation }: Client, now: Date): string {
  const ends = Math.floor(now.getTime() / 1_000) + tokenLifeS;
  const signed = `pt_${id}_${generation}_${ends}`;
  return `${signed}_${keyedHash(store, `token ${signed}`).toString("hex")}`;
}

/**
 * The client of a token, and the hash that its row must have; undefined for a text that is no token of ours or has
 * expired.
 */
export function readToken(store: KeyPepper, text: string, now: Date): { id: string; secretHash: Buffer } | undefined {
  const [, signed, id, generation, ends, mac] =
    /^(pt_([0-9A-Za-z]{10})_(\d{1,9})_(\d{10}))_([0-9a-f]{64})$/.exec(text) ?? [];
  if (!signed || !id || !generation || !ends || !mac) return undefined;
  const same = timingSafeEqual(Buffer.from(mac, "hex"), keyedHash(store, `token ${signed}`));
  if (!same || Number(ends) * 1_000 <= now.getTime()) return undefined;
  return { id, secretHash: clientHash(store, { id, generation: Number(generation) }) };
}

/** The hash stored in place of a secret; a new generation ends all tokens of the one before. */
export function clientHash(store: KeyPepper, { id, generation }: Client): Buffer {
  return keyedHash(store, `client ${id} ${generation}`);
}
