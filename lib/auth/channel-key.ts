import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Finds a channel key in a text, for secret scanners. */
export const channelKeyPattern = /pa_[A-Za-z0-9]{10}_[A-Za-z0-9_-]{43}/;

/** A new key: its public id, the text shown once, and what is kept of it. */
export function createChannelKey(): { id: string; key: string; secretHash: Buffer; lastFour: string } {
  const id = publicId();
  const secret = randomBytes(32).toString("base64url");
  return { id, key: `pa_${id}_${secret}`, secretHash: hashSecret(secret), lastFour: secret.slice(-4) };
}

/** The parts of a well-formed key, or undefined. */
export function parseChannelKey(text: string): { id: string; secretHash: Buffer } | undefined {
  const match = /^pa_([A-Za-z0-9]{10})_([A-Za-z0-9_-]{43})$/.exec(text);
  if (!match?.[1] || !match[2]) return undefined;
  return { id: match[1], secretHash: hashSecret(match[2]) };
}

/** Compares in constant time; a missing hash is compared against itself inverted, so that it costs the same. */
export function sameSecret(given: Buffer, kept: Uint8Array | undefined): boolean {
  const other = kept?.length === given.length ? Buffer.from(kept) : Buffer.from(given.map((byte) => byte ^ 255));
  return timingSafeEqual(given, other);
}

/** SHA-256: the secret has 256 random bits, so a slow hash would add nothing. */
function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

function publicId(): string {
  return Array.from(randomBytes(10), (byte) => alphabet[byte % alphabet.length]).join("");
}
