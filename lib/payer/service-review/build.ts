import { isDeepStrictEqual } from "node:util";
import { assert } from "#lib/platform/result";
import type { Build, Call } from "#lib/payer/connector";
import { isSupported } from "#lib/payer/model/destination";
import { traceNumber } from "#lib/payer/trace";
import { bringsFiles } from "#lib/payer/brings-files";
import { check } from "./check.ts";
import { documentOf, type Document } from "./document.ts";
import { readFrozenRequest } from "./frozen-request.ts";
import { collection, isReviewId, updatable } from "./vocabulary.ts";

/**
 * The call of an action: POST for a first request, PUT for an update of the updatable members, DELETE for a void. Pure and
 * deterministic. Requires what
 * `isManual` lets through and `check` has nothing against.
 */
export function build(from: Build): Call {
  if (from.action === "void") return call(from, "DELETE", `/${knownId(from)}`);
  assert(check(from.review).length === 0, "only a review complete for this wire is built");
  const document = documentOf(from, traceNumber(from));
  return from.update
    ? call(from, "PUT", "", { id: knownId(from), ...changeable(document) })
    : call(from, "POST", "", document);
}

/** The address of the collection under a route's base address. */
export function collectionUrl({ url }: Build["destination"]): string {
  assert(url !== undefined, "a service-review route has a base address");
  return `${url.replace(/\/+$/, "")}${collection}`;
}

/**
 * What this wire or this payer cannot take: a request that is no initial certification, such as a renewal, or an
 * individual one, for which the wire has no place; anything about a case whose id at the
 * clearinghouse is not known, an update of what it does not let be updated, and
 * files that came since, for the wire has none.
 */
export function needsManual(from: Build): boolean {
  if (from.action === "transmit" && hasNoPlace(from.review)) return true;
  if (from.action === "transmit" && !from.update) return false;
  if (!isSupported(from.destination, from.action === "void" ? "voids" : "updates")) return true;
  if (!isReviewId(from.payerReference)) return true;
  return from.action === "transmit" && (bringsFiles(from) || changesMore(from));
}

function hasNoPlace({ requestTypeCode, certificationTypeCode = "I" }: Build["review"]): boolean {
  return requestTypeCode === "IN" || certificationTypeCode !== "I";
}

/** Whether the revision differs from the first request in a member that cannot be updated. */
function changesMore(from: Build): boolean {
  const calls = from.sent.flatMap(({ calls: sentCalls }) => sentCalls);
  const first = calls.flatMap((each) => readFrozenRequest(each) ?? []).find(({ kind }) => kind === "create");
  if (!first) return true;
  const now = written(documentOf(from, traceNumber(from)));
  const names = new Set([...Object.keys(now), ...Object.keys(first.document)]);
  return [...names].some((name) => !isUpdatable(name) && !isDeepStrictEqual(now[name], first.document[name]));
}

function changeable(document: Document): Partial<Document> {
  return Object.fromEntries(Object.entries(document).filter(([name]) => isUpdatable(name)));
}

function isUpdatable(name: string): boolean {
  return (updatable as readonly string[]).includes(name);
}

function written(document: object): Readonly<Record<string, unknown>> {
  // Safe because an object's JSON is an object's.
  return JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
}

function knownId({ payerReference }: Build): string {
  assert(isReviewId(payerReference), "an update or a void names the case by the id the clearinghouse gave it");
  return payerReference;
}

function call({ destination }: Build, method: string, path: string, body?: object): Call {
  return {
    method,
    url: `${collectionUrl(destination)}${path}`,
    contentType: "application/json",
    body: Buffer.from(body === undefined ? "" : JSON.stringify(body, null, 2), "utf8"),
  };
}
