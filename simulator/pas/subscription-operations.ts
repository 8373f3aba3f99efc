import { nodeAt, type Node } from "#simulator/json";
import { statusOf } from "./notification.ts";
import type { Result } from "./operations.ts";
import { operationOutcome } from "./outcome.ts";
import { subscriptionProblems } from "./subscription-rules.ts";
import type { Subscription, Subscriptions } from "./subscriptions.ts";
import type { PasVersion } from "./version.ts";

/** `POST Subscription`: 201 with its address, and a handshake to its endpoint. */
export function subscribe(
  subscriptions: Subscriptions,
  value: unknown,
  at: { readonly base: string; readonly version: PasVersion },
): Result {
  const problems = subscriptionProblems(value, at.version);
  if (problems.length > 0) return { status: 422, body: operationOutcome(problems), accepted: false };
  // Safe because only an object passes the rules.
  const created = subscriptions.create(value as Node, at);
  return { status: 201, body: shown(created), accepted: true, location: created.url };
}

/** `GET Subscription/[id]` and its `$status`. */
export function tell(
  subscriptions: Subscriptions,
  { id, status }: { readonly id: string; readonly status: boolean },
): Result {
  const found = subscriptions.find(id);
  if (!found) return unknown;
  return { status: 200, body: status ? statusOf(found) : shown(found), accepted: true };
}

/** `DELETE Subscription/[id]`. */
export function forget(subscriptions: Subscriptions, id: string): Result {
  return subscriptions.remove(id) ? { status: 204, body: undefined, accepted: true } : unknown;
}

const unknown: Result = {
  status: 404,
  body: operationOutcome([{ code: "not-found", text: "There is no such Subscription." }]),
  accepted: false,
};

/** The Subscription as it was posted, in its present state; a header may be a secret and is not told. */
function shown({ id, status, resource }: Subscription): Node {
  const channel = Object.fromEntries(Object.entries(nodeAt(resource, "channel")).filter(([name]) => name !== "header"));
  return { ...resource, id, status, channel };
}
