import { randomUUID } from "node:crypto";
import type { Node } from "#simulator/json";
import { testTag, topicUrl } from "./vocabulary.ts";

const backport = "http://hl7.org/fhir/uv/subscriptions-backport/StructureDefinition";

/** Where a subscription stands when it is told of. */
export type Standing = {
  readonly url: string;
  readonly status: "requested" | "active" | "error";
  readonly events: number;
};

/** The first notification, which tells nothing but that the endpoint is reached. */
export function handshake(standing: Standing, at: Date): Node {
  return notification([statusEntry(standing, { type: "handshake" })], at);
}

/** A notification of one event with the PAS response bundle in it, R4 backport `full-resource`. */
export function eventNotification(
  standing: Standing,
  { bundle, at }: { readonly bundle: Node; readonly at: Date },
): Node {
  const focus = `urn:uuid:${randomUUID()}`;
  const event = {
    name: "notification-event",
    part: [
      { name: "event-number", valueString: String(standing.events) },
      { name: "timestamp", valueInstant: at.toISOString() },
      { name: "focus", valueReference: { reference: focus } },
    ],
  };
  const focused = {
    fullUrl: focus,
    resource: bundle,
    request: { method: "GET", url: `Bundle/${focus.slice("urn:uuid:".length)}` },
    response: { status: "200" },
  };
  return notification([statusEntry(standing, { type: "event-notification", event }), focused], at);
}

/** What `$status` answers. */
export function statusOf(standing: Standing): Node {
  return parameters(standing, { type: "query-status" });
}

type StatusReport = { readonly type: "handshake" | "event-notification" | "query-status"; readonly event?: Node };

function statusEntry(standing: Standing, report: StatusReport): Node {
  return {
    fullUrl: `urn:uuid:${randomUUID()}`,
    resource: parameters(standing, report),
    request: { method: "GET", url: `${standing.url}/$status` },
    response: { status: "200" },
  };
}

function parameters({ url, status, events }: Standing, { type, event }: StatusReport): Node {
  return {
    resourceType: "Parameters",
    meta: { profile: [`${backport}/backport-subscription-status-r4`], tag: [{ ...testTag }] },
    parameter: [
      { name: "subscription", valueReference: { reference: url } },
      { name: "topic", valueCanonical: topicUrl },
      { name: "status", valueCode: status },
      { name: "type", valueCode: type },
      { name: "events-since-subscription-start", valueString: String(events) },
      ...(event ? [event] : []),
    ],
  };
}

function notification(entry: readonly Node[], at: Date): Node {
  return {
    resourceType: "Bundle",
    id: randomUUID(),
    meta: { profile: [`${backport}/backport-subscription-notification-r4`], tag: [{ ...testTag }] },
    type: "history",
    timestamp: at.toISOString(),
    entry,
  };
}
