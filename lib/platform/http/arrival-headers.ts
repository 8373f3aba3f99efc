import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
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
