import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { readFileSync } from "node:fs";

/** One key of the ring. Its id derives from the key and reveals nothing of it. */
type RingKey = { readonly id: string; readonly secret: KeyObject };

/** The keys that wrap the practices' keys: the first one wraps, all of them unwrap. They are never in the database. */
export type KeyRing = readonly [RingKey, ...RingKey[]];

export const keyUses = ["seal", "find"] as const;

/** The use of a wrapped key. A wrapped key does not unwrap for another use, practice or version. */
export type KeyPlace = {
  readonly practiceId: string;
  readonly use: (typeof keyUses)[number];
  readonly version: number;
};

/** The configured ring is invalid; the message names what is wrong and holds no key. */
export class KeyRingError extends Error {}

const ivBytes = 12;
const tagBytes = 16;

/** A ring of 32-byte keys, the current one first. */
export function createKeyRing(keys: readonly Uint8Array[]): KeyRing {
  const [current, ...others] = keys.map(ringKey);
  if (!current) throw new KeyRingError("The key ring is empty: set SEALING_KEY or SEALING_KEY_FILE.");
  return [current, ...others];
}

/** Reads a ring: keys in base64, separated by commas or white space; undefined if one does not have 32 bytes. */
export function parseKeyRing(text: string): KeyRing | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  const keys = parts.map((part) => Buffer.from(part, "base64"));
  const good = keys.length > 0 && keys.every((key) => key.length === 32);
  return good ? createKeyRing(keys) : undefined;
}

/** The ring of the settings. The file takes precedence if both are set, so that a secret manager may own it. */
export function readKeyRing(given: {
  SEALING_KEY?: string | undefined;
  SEALING_KEY_FILE?: string | undefined;
}): KeyRing {
  const { SEALING_KEY: text = "", SEALING_KEY_FILE: file } = given;
  const ring = parseKeyRing(file === undefined ? text : readRingFile(file));
  if (ring) return ring;
  const name = file === undefined ? "SEALING_KEY" : "The file in SEALING_KEY_FILE";
  throw new KeyRingError(`${name} must hold one or more keys of 32 bytes in base64, the current one first.`);
}

function readRingFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new KeyRingError("The file in SEALING_KEY_FILE cannot be read.");
  }
}

function ringKey(key: Uint8Array): RingKey {
  if (key.length !== 32) throw new KeyRingError("A sealing key must be 32 bytes.");
  const id = createHmac("sha256", key).update("prior-authorization ring key id").digest("hex").slice(0, 12);
  return { id, secret: createSecretKey(key) };
}

/** AES-256-GCM under one key of the ring. */
export function wrapKey({ secret }: RingKey, key: Uint8Array, place: KeyPlace): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", secret, iv).setAAD(associatedData(place));
  return Buffer.concat([iv, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when the wrapped key was changed or moved, or another key wrapped it. */
export function unwrapKey({ secret }: RingKey, wrapped: Uint8Array, place: KeyPlace): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", secret, wrapped.subarray(0, ivBytes)).setAAD(associatedData(place));
  decipher.setAuthTag(wrapped.subarray(-tagBytes));
  return Buffer.concat([decipher.update(wrapped.subarray(ivBytes, -tagBytes)), decipher.final()]);
}

/** The key of member hashes from before practices had their own keys; derived from the ring's oldest key (RFC 5869). */
export function earlierFindKey(ring: KeyRing): Buffer {
  const oldest = ring.at(-1) ?? ring[0];
  return Buffer.from(hkdfSync("sha256", oldest.secret, "", "prior-authorization member hash", 32));
}

function associatedData({ practiceId, use, version }: KeyPlace): Buffer {
  return Buffer.from(["practice_key", practiceId, use, String(version)].join("\n"));
}
