import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
// oxlint-disable-next-line no-restricted-imports -- what Next can't read is only known to Next's own reader
import { parseAndValidateFlightRouterState as readRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { clientAddress } from "./client-address.ts";
import { placeOf } from "./place.ts";

const shared = globalThis as { priorAuthorizationMark?: string; priorAuthorizationFront?: boolean };

/** One random value per process, though Next bundles this module apart. Only this process can put it on a request. */
function mark(): string {
  shared.priorAuthorizationMark ??= randomBytes(32).toString("base64url");
  return shared.priorAuthorizationMark;
}

/** Says that `server.ts` stands in front of Next in this process. */
export function standInFront(): void {
  shared.priorAuthorizationFront = true;
}

/** Whether `server.ts` does, so that nothing of its work is done a second time. */
export function isBehindFront(): boolean {
  return shared.priorAuthorizationFront === true;
}

/** A header that `server.ts` sets when it has written a page's security headers; `proxy.ts` skips such requests. */
export const frontHeader = "x-front";

/**
 * Tells pages and routes where a request comes from and what it asks for, by headers, over whatever the request says.
 * The mark makes them believable: without it they tell nothing.
 */
export function tellArrival(incoming: IncomingMessage): void {
  incoming.headers["x-arrival"] = mark();
  incoming.headers["x-client-address"] = clientAddress(incoming) ?? "";
  incoming.headers["x-place"] = placeOf(incoming.url ?? "");
  forgetUnreadableState(incoming);
  forgetPreconditions(incoming);
}

const routerState = "next-router-state-tree";

/**
 * What Next's router says of the page it is on, where Next itself can't read that: it would tell it as a failure of ours.
 * Without it Next draws the page whole.
 */
function forgetUnreadableState({ headers }: IncomingMessage): void {
  if (headers[routerState] === undefined) return;
  try {
    readRouterState(headers[routerState]);
  } catch {
    delete headers[routerState];
  }
}

/**
 * What a file must still be for a request to count (RFC 9110, 13.1.1 and 13.1.4). It is said of what is written, and no
 * file here is; Next tells one that is not met as a failure of ours.
 */
function forgetPreconditions({ headers }: IncomingMessage): void {
  delete headers["if-match"];
  delete headers["if-unmodified-since"];
}

type HeaderSource = Pick<Headers, "get">;

/** Whether this process itself wrote what the headers of a request say of its arrival. */
export function isOwnMark(headers: HeaderSource): boolean {
  return headers.get("x-arrival") === mark();
}

/** The address a request comes from; undefined unless this process wrote it. */
export function arrivalAddress(headers: HeaderSource): string | undefined {
  return (isOwnMark(headers) && headers.get("x-client-address")) || undefined;
}

/** The place a request asks for, in words of ours; undefined unless this process wrote it. */
export function arrivalPlace(headers: HeaderSource): string | undefined {
  return (isOwnMark(headers) && headers.get("x-place")) || undefined;
}
