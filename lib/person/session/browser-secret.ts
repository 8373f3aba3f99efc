import { randomBytes } from "node:crypto";

/** A secret of one browser: 256 random bits. */
export function newBrowserSecret(): string {
  return randomBytes(32).toString("base64url");
}
