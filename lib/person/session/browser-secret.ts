import { randomBytes } from "node:crypto";

/** What only one browser knows: 256 random bits. */
export function newBrowserSecret(): string {
  return randomBytes(32).toString("base64url");
}
