import { createHash, randomBytes } from "node:crypto";

/** A token of 256 random bits. Its hash needs no salt and no pepper, because the token cannot be guessed. */
export function newLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString("base64url");
  return { token, tokenHash: hashLinkToken(token) };
}

export function hashLinkToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
