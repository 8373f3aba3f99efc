import type { Case } from "#simulator/core/case";
import type { Payer } from "#simulator/core/payer";
import { json, type Reply } from "#simulator/http";
import type { Node } from "#simulator/json";
import { faceName, memberIdOf, reviewOf, sentOf, traceOf } from "./document.ts";
import { errorReply, marker, type FieldError } from "./errors.ts";
import { currentDocument, isExpired, isOpen, isWorking, recordOf, type KeptCase } from "./record.ts";
import { documentErrors, updateErrors } from "./rules.ts";
import { isFound, page, queryErrors } from "./search.ts";

/** What an operation answers, and whether the request was taken. */
export type Result = { readonly reply: Reply; readonly accepted: boolean };

/** A body that is a JSON object, with the SHA-256 of its bytes. */
export type Body = { readonly document: Node; readonly sha256: string };

export const collection = "/v2/service-reviews";

/** POST: a first request. It is taken at once and worked on after. */
export function create(payer: Payer, { document, sha256 }: Body): Result {
  const errors = documentErrors(document);
  if (errors.length > 0) return invalid(errors);
  const sent = sentOf({ method: "POST", path: collection, sha256, document });
  const received = payer.receive(reviewOf(document), sent);
  // Without an identity of its own every message is new, so it meets no other.
  return received.type === "case" ? taken(received.case) : refused(errorReply(409, "This is here already."));
}

/** PUT: new values for what may be changed, under the id in the body. */
export function update(payer: Payer, { document, sha256 }: Body): Result {
  const kept = keptBy(payer, document["id"]);
  if (!kept) return unknown();
  if (isWorking(kept, payer.clock.now())) return refused(errorReply(409, "The request is still being worked on."));
  if (!isOpen(kept)) return refused(errorReply(409, "This service review may not be updated any more."));
  const { id: _, ...changes } = document;
  const next = { ...currentDocument(kept), ...changes };
  const errors = [...updateErrors(document), ...documentErrors(next)];
  if (errors.length > 0) return invalid(errors);
  const sent = sentOf({ method: "PUT", path: collection, sha256, document: next });
  const received = payer.update(kept.case, reviewOf(next), sent);
  const rejection = received.type === "case" ? received.message.rejection : undefined;
  if (rejection) return invalid([{ field: "id", code: rejection.reject, errorMessage: "may not be updated" }]);
  return taken(kept.case);
}

/** DELETE: the whole request is taken back, at once or after a while. */
export function cancel(payer: Payer, id: string, sha256: string): Result {
  const kept = keptBy(payer, id);
  if (!kept) return unknown();
  if (!isOpen(kept)) return refused(errorReply(409, "This service review may not be voided."));
  const document = currentDocument(kept);
  const sent = sentOf({ method: "DELETE", path: `${collection}/${id}`, sha256, document });
  const received = payer.void(kept.case, { ...sent, trace: undefined });
  if (received.type === "conflict" || received.message.rejection)
    return refused(errorReply(409, "The payer refuses to void this service review."));
  if (received.case.state === "voiding") return taken(received.case);
  return { reply: { status: 204, type: "application/json", body: "", headers: marker }, accepted: true };
}

/** GET by id: 202 while it is worked on, then the record as it stands. */
export function tell(payer: Payer, id: string): Result {
  const now = payer.clock.now();
  const kept = keptBy(payer, id);
  if (!kept || isExpired(kept, now)) return unknown();
  const document = currentDocument(kept);
  payer.noteInquiry({
    face: faceName,
    method: "GET",
    path: `${collection}/${id}`,
    identity: id,
    trace: traceOf(document),
    memberId: memberIdOf(document),
    sha256: "",
  });
  return isWorking(kept, now) ? taken(kept.case) : found(recordOf(kept, now));
}

/** GET: what was ever taken that the query describes, the newest first. */
export function search(payer: Payer, query: URLSearchParams): Result {
  const errors = queryErrors(query);
  if (errors.length > 0) return invalid(errors);
  const memberId = query.get("subscriber.memberId") ?? "";
  payer.noteInquiry({
    face: faceName,
    method: "GET",
    path: collection,
    identity: query.toString(),
    trace: undefined,
    memberId,
    sha256: "",
  });
  const now = payer.clock.now();
  const records = payer
    .cases()
    .filter(({ face }) => face === faceName)
    .map((of) => recordOf(keptOf(payer, of), now))
    .filter((record) => isFound(record, query));
  return found(page(records.toReversed(), query));
}

function keptBy(payer: Payer, id: unknown): KeptCase | undefined {
  const of = payer.cases().find((each) => each.face === faceName && each.id === id);
  return of && keptOf(payer, of);
}

function keptOf(payer: Payer, of: Case): KeptCase {
  return { case: of, messages: payer.messagesOf(of) };
}

function taken({ id }: Case): Result {
  const headers = { ...marker, Location: `${collection}/${id}`, "X-Status-Message": "In progress" };
  return { reply: { status: 202, type: "application/json", body: "", headers }, accepted: true };
}

function found(body: Node): Result {
  return { reply: { ...json(200, body), headers: marker }, accepted: true };
}

function invalid(errors: readonly FieldError[]): Result {
  return refused(errorReply(400, "The request is not valid.", { errors }));
}

function unknown(): Result {
  return refused(errorReply(404, "The requested resource does not exist."));
}

function refused(reply: Reply): Result {
  return { reply, accepted: false };
}
