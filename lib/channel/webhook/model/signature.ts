import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";
const secretBytes = 32;

/** A new secret for signing, in the form of Standard Webhooks: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString("base64")}`;
}

export type SignedContent = {
  /** The same for every try of one delivery. */
  readonly id: string;
  /** Unix time of this try, in seconds. */
  readonly timestamp: number;
  readonly body: string;
};

/**
 * The headers of a signed delivery: HMAC-SHA256 over id, time and body under each secret, the current one first
 * (Standard Webhooks, standard-webhooks.md, "Signature scheme").
 */
export function signatureHeaders({ id, timestamp, body }: SignedContent, secrets: readonly string[]) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
