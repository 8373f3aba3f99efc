import type { Logger } from "pino";
import { arrivalOfRequest, type Arrival } from "#lib/platform/http/arrival";
import { createPlaces } from "#lib/platform/http/places";
import { noContent, toResponse, type Reply } from "#lib/platform/http/reply";
import type { Store } from "#lib/db/db";
import { readCommitStanding } from "#lib/db/replication";
import { recordIsStopped } from "#lib/submission/shared/record-stops";
import { isUnavailable, logFailure } from "#lib/db/unavailable";
import { payerReasons } from "#lib/messages/reasons/payer";
import { openPushDoor, receivePush } from "./receive-push.ts";

/** The parts of this process that receiving a notification needs. */
export type PushDeps = { readonly store: Store; readonly log: Logger };

/** Longest notification in bytes: the same as the longest reply to a request of ours. */
const bytesMax = 5_000_000;

const types = /^application\/(?:fhir\+)?json\s*(?:;|$)/i;

/**
 * One notification of a payer connection is looked at at a time, and four in all: to read five megabytes and to search what
 * was submitted takes processor time that others wait for, and a payer sends again what is not taken.
 */
const places = createPlaces({ most: 4, each: 1, waitingEach: 16, waitMs: 10_000 });

/** The id of the route in a notification's address; empty when there is none. */
export function routeIdIn(url: string): string {
  return /\/api\/payers\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/notifications\/?(?:\?|$)/.exec(url)?.[1] ?? "";
}

/** Receives one notification of a payer. It never throws: a failure is answered 500 or 503, and the payer sends it again. */
export async function servePush(request: Request, deps: PushDeps): Promise<Response> {
  return toResponse(await answerPush(arrivalOfRequest(request), routeIdIn(request.url), deps));
}

/** The same as `servePush`, for the request of any server. */
export async function answerPush(arrival: Arrival, routeId: string, deps: PushDeps): Promise<Reply> {
  try {
    return await receive(arrival, routeId, deps);
  } catch (error) {
    logFailure(deps.log, { err: error }, "a notification failed");
    if (isUnavailable(error)) return reply(503, "unavailable", { "retry-after": "2" });
    return reply(500, "failed");
  }
}

/** Without the secret, the answer is the same for every address, and the body is not read. */
async function receive(arrival: Arrival, routeId: string, { store, log }: PushDeps): Promise<Reply> {
  if (arrival.method !== "POST") return reply(405, "method-not-allowed", { allow: "POST" });
  const secret = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(arrival.header("authorization") ?? "")?.[1] ?? "";
  const door = await openPushDoor(store, { routeId, secret });
  if (!door) return reply(401, "not-authorised", { "www-authenticate": "Bearer" });
  if (!types.test(arrival.header("content-type") ?? "")) return reply(415, "unsupported-media-type");
  if ((arrival.header("content-encoding") ?? "identity").toLowerCase() !== "identity")
    return reply(415, "unsupported-content-encoding");
  if (Number(arrival.header("content-length") ?? 0) > bytesMax) return reply(413, "too-large");
  const body = await arrival.readBody({ bytesMax });
  if (body === "too-slow") return reply(408, "too-slow");
  if (body === "cut-short") return reply(400, "cut-short");
  if (typeof body === "string") return reply(413, "too-large");
  // Stored now it might be lost; the payer sends it again when it is not accepted.
  if (await recordIsStopped(store, door.practiceId)) return reply(503, "recovering", { "retry-after": "60" });
  if (store.needsStandby && (await readCommitStanding(store)) === "alone")
    return reply(503, "not-replicated", { "retry-after": "60" });
  const { routeId: route } = door;
  const leave = await places.enter(route);
  if (!leave) return reply(503, "try-later", { "retry-after": "5" });
  const received = await receivePush(store, door, body).finally(leave);
  switch (received.type) {
    case "refused":
      log.warn({ routeId: route, problem: received.problem }, "a payer sent an invalid notification");
      return outcome(400, received.problem);
    case "full":
      log.error({ routeId: route, ...received }, "too many notifications wait for a reviewer");
      return reply(503, "try-later", { "retry-after": "3600" });
    case "kept":
      log.info({ routeId: route, ...received }, "a payer's notification");
      return taken;
  }
}

/** What is wrong with a notification, as a FHIR OperationOutcome; nothing of it was stored. */
function outcome(status: number, text: string): Reply {
  const issue = [{ severity: "error", code: "structure", details: { text: payerReasons.nothingKept(text) } }];
  const { headers } = reply(status, "refused");
  const body = JSON.stringify({ resourceType: "OperationOutcome", issue });
  return { status, headers: { ...headers, "content-type": "application/fhir+json" }, body };
}

const always = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

/**
 * A payer's server may read a reply to its notification as a FHIR resource, and take any other content for a failure to
 * deliver. So there is none.
 */
const taken: Reply = { status: noContent, headers: always, body: "" };

function reply(status: number, word: string, headers: Readonly<Record<string, string>> = {}): Reply {
  const json = { ...always, "content-type": "application/json" };
  return { status, headers: { ...json, ...headers }, body: JSON.stringify({ status: word }) };
}
