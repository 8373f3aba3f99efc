import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { LRUCache } from "lru-cache";
import { cell } from "#lib/db/new-id";
import { keyedHash, type KeyPepper } from "#lib/db/keyed-hash";
import { now } from "#lib/platform/now";
import { readToken } from "./access-token.ts";

/**
 * Finds an API key in a text, for secret scanners; the agent guide publishes it. The last six characters are the CRC-32
 * of all characters before the last underscore, so a scanner that computes it has no false positives.
 */
export const channelKeyPattern = /\bpa_[0-9A-Za-z]{10}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}\b/;

/** A new key: its public id, the text that is shown once, and the hash that is stored. */
export function createChannelKey(store: KeyPepper): { id: string; key: string; secretHash: Buffer; lastFour: string } {
  const id = newPublicId();
  // 43 of 62 characters are 256 random bits.
  const secret = randomText(43, base62);
  const checked = `pa_${id}_${secret}`;
  const key = `${checked}_${checksum(checked)}`;
  return { id, key, secretHash: keyedHash(store, `key ${id} ${secret}`), lastFour: key.slice(-4) };
}

type ReadKey = { readonly id: string; readonly secretHash: Buffer };

/** The keys read last, by the SHA-256 of their text, so that this memory holds no key. */
const readKeys = new WeakMap<object, LRUCache<string, ReadKey>>();
const readKeysMax = 1_000;

/** The id and the hash of a key; undefined for a text that cannot be a key of ours. */
export function readChannelKey({ keyPepper }: KeyPepper, text: string): ReadKey | undefined {
  if (!keyPepper) return readAnew({ keyPepper }, text);
  let read = readKeys.get(keyPepper);
  if (!read) readKeys.set(keyPepper, (read = new LRUCache({ max: readKeysMax })));
  const name = hash("sha256", text, "base64");
  const known = read.get(name) ?? readAnew({ keyPepper }, text);
  if (known) read.set(name, known);
  return known;
}

function readAnew(store: KeyPepper, text: string): ReadKey | undefined {
  const [, checked, id, secret, sum] = /^(pa_([0-9A-Za-z]{10})_([0-9A-Za-z]{43}))_([0-9A-Za-z]{6})$/.exec(text) ?? [];
  if (!checked || !id || !secret || sum !== checksum(checked)) return undefined;
  return { id, secretHash: keyedHash(store, `key ${id} ${secret}`) };
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const unambiguous = base62.replaceAll(/[01IOl]/g, "");

/** A new public id of a key or a client; it is no secret. It begins with the cell it was made in. */
export function newPublicId(): string {
  return `${cell.inPublicIds}${randomText(8, unambiguous)}`;
}

function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** CRC-32 in six digits of base 62. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < 6; place += 1) {
    digits = `${base62[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/**
 * The id that a bearer text names, and the hash that the row must have: of an API key or a token. Undefined for any
 * other text.
 */
export function readCredential(store: KeyPepper, bearer: string): { id: string; secretHash: Buffer } | undefined {
  return bearer.startsWith("pt_") ? readToken(store, bearer, now()) : readChannelKey(store, bearer);
}

/** The token of RFC 6750; the scheme's case does not matter. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}
