import { payerReasons } from "#lib/messages/reasons/payer";
import { jsonOf } from "./tokens.ts";

/** Why such a credential is not sent. */
export const keyNotSent = payerReasons.privateKeySigns;

/** Whether a credential is a private key, or holds one, whatever the route's settings say that it is. */
export function hasPrivateKey(credential: string): boolean {
  const value = jsonOf(Buffer.from(credential, "utf8"));
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(credential)) return true;
  return typeof value === "object" && value !== null && ("d" in value || "privateKey" in value);
}
