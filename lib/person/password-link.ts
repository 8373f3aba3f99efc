import { createHash, randomBytes } from "node:crypto";

/** How long a link to choose a password is good for. */
export const linkHours = 72;

/** 256 bits by chance. What is kept is a plain hash: so much chance needs no salt and no pepper. */
export function newLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString("base64url");
  return { token, tokenHash: hashLinkToken(token) };
}

export function hashLinkToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
