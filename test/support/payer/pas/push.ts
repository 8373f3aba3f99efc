import type { Call } from "#lib/payer/connector";
import { example } from "./example.ts";
import { aReplyTo, responseIn, type Json } from "./reply.ts";

/** A notification in the form of the official one, about these replies. */
export function notification(...replies: Json[]): Buffer {
  const official = example("2.2.1/Bundle-PASSubscriptionNotification") as { entry: Json[] };
  const [status] = official.entry;
  const entry = [status, ...replies.map((resource) => ({ fullUrl: "urn:uuid:event", resource }))];
  return Buffer.from(JSON.stringify({ ...official, entry }));
}

/** A payer's reply to a call, as of an instant and with this review action on every item. */
export function replyAs(call: Call, action: string, created: string): Json {
  const reply = JSON.parse(JSON.stringify(aReplyTo(call)).replaceAll(/"code":"A[14]"/g, `"code":"${action}"`)) as Json;
  responseIn(reply)["created"] = created;
  return reply;
}
