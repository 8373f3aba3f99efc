import { createHmac } from "node:crypto";
import type { Store } from "./db.ts";

export type KeyPepper = Pick<Store, "keyPepper">;

/**
 * HMAC-SHA-256 under a secret that is not in the database: whoever reads or writes the tables alone can make no key.
 * It is fast, because what it covers has 256 random bits or is signed by it.
 */
export function keyedHash({ keyPepper }: KeyPepper, text: string): Buffer {
  if (!keyPepper) throw new Error("No channel key is made or known without CHANNEL_KEY_PEPPER, which is not set.");
  return createHmac("sha256", keyPepper).update(text).digest();
}
