import { createHash } from "node:crypto";
import type { Item, Rejection, Review, SentMessage, RequestedDocument } from "./review.ts";
import { scenarioOf, type Action, type Decision } from "./scenarios.ts";

/**
 * `rejected` was answered, but no case came of it. `refused` was taken, and
 * refused later. `held` was refused for now and is kept (follow-up Y). `voiding`
 * waits for the payer to take the request back.
 */
type CaseState = "decided" | "pended" | "rejected" | "refused" | "held" | "voiding" | "voided";

/** An item and what the payer says to it. */
export type CaseItem = Item & {
  readonly action: Action;
  /** Where the payer authorizes something else than was asked (A6). */
  readonly authorized: { readonly quantity: number; readonly unit: string } | undefined;
};

/** One request for review as the payer knows it now. */
export type Case = {
  readonly id: string;
  readonly face: string;
  readonly state: CaseState;
  readonly memberId: string;
  /** As last asked. */
  readonly review: Review;
  readonly items: readonly CaseItem[];
  readonly requestedDocuments: readonly RequestedDocument[];
  /** Why there is no case (`rejected`), none any more (`refused`) or none yet (`held`). */
  readonly rejection: Rejection | undefined;
  /** The update or void that was taken last and refused since: what it was called, and when. */
  readonly refusal: { readonly identity: string; readonly at: string } | undefined;
  readonly reference: string;
  readonly authorizationNumber: string;
  readonly receivedAt: string;
  readonly decidedAt: string | undefined;
  readonly reason: string | undefined;
  readonly note: string | undefined;
  /** What the payer will do by itself, and when by its clock. */
  readonly due: Due | undefined;
};

/** A decision, or a refusal: of the request itself, or of what was taken last, so that the case is what it was before. */
type Ends = { readonly decision: Decision } | { readonly rejection: Rejection; readonly before: Case | undefined };
type Due = Ends & { readonly at: string };

/** How long the payer takes over what it decides by itself. */
const decidesAfterMs = 60_000;

/** The case a first request opens, answered as the member's scenario says. */
export function opened(review: Review, { id, sent, at }: { id: string; sent: SentMessage; at: Date }): Case {
  const number = createHash("sha256").update(id).digest("hex").slice(0, 10).toUpperCase();
  const fresh: Case = {
    id,
    face: sent.face,
    state: "pended",
    memberId: review.memberId,
    review,
    items: [],
    requestedDocuments: [],
    rejection: undefined,
    refusal: undefined,
    reference: `REF-${number}`,
    authorizationNumber: `AUTH-${number}`,
    receivedAt: at.toISOString(),
    decidedAt: undefined,
    reason: undefined,
    note: undefined,
    due: undefined,
  };
  return reviewed(pended(fresh), { before: undefined, at });
}

/** A request that goes on from an authorization which is not there. */
export function unauthorized(of: Case): Case {
  return { ...pended(of), state: "rejected", items: [], rejection: { reject: "AA", followUp: "C", about: "item" } };
}

/** The case after a full new version of its request, or why the payer will not have it. */
export function updated(of: Case, review: Review, at: Date): Case | Rejection {
  if (review.items.every(({ cancelled }) => cancelled)) return voided({ ...of, review }, at);
  const { updates } = scenarioOf(of.memberId);
  const refusal = updates && "reject" in updates ? updates : endedRefusal(of);
  if (refusal) return refusal;
  if (updates && "later" in updates)
    return { ...pended({ ...of, review }), due: dueAfter(at, { rejection: updates.later, before: of }) };
  return reviewed({ ...of, review }, { before: of, at });
}

/** The case once its requester took all of it back, or why the payer will not. */
export function voided(of: Case, at: Date): Case | Rejection {
  const { voids } = scenarioOf(of.memberId);
  if (isOver(of)) return nothingThere;
  if (voids === "at once") return decided(of, { actions: ["C"] }, at);
  if (voids !== "later" && "reject" in voids) return voids;
  const ends = voids === "later" ? { decision: { actions: ["C"] as const } } : { rejection: voids.later, before: of };
  return { ...pended(of), state: "voiding", due: dueAfter(at, ends) };
}

/** The case with every item decided; all of them cancelled is a void. */
export function decided(of: Case, decision: Decision, at: Date): Case {
  const items = decidedItems(of.review.items, decision);
  return {
    ...of,
    state: items.some(({ action }) => action === "A4")
      ? "pended"
      : items.every(({ action }) => action === "C")
        ? "voided"
        : "decided",
    items,
    requestedDocuments: [],
    rejection: undefined,
    refusal: undefined,
    decidedAt: at.toISOString(),
    reason: items.some(({ action }) => action === "A3") ? decision.reason : undefined,
    note: decision.note,
    due: undefined,
  };
}

/** The case once the payer refuses what it had taken: the request itself, or its last change, which `identity` names. */
export function refused(
  of: Case,
  { rejection, before }: { readonly rejection: Rejection; readonly before: Case | undefined },
  { identity, at }: { readonly identity: string; readonly at: string },
): Case {
  if (before) return { ...before, refusal: { identity, at } };
  return { ...pended(of), state: "refused", items: [], rejection, decidedAt: at };
}

/** A rejection that asked for the same again gives way once it was said often enough. */
export function repeatedRequest(of: Case, times: number, at: Date): Case {
  const { request } = scenarioOf(of.memberId);
  const isOver =
    of.state === "rejected" && request.type === "reject" && request.times !== undefined && times > request.times;
  return isOver ? decided(of, { actions: ["A1"] }, at) : of;
}

/** What the member's scenario makes of the review as it stands. */
function reviewed(of: Case, { before, at }: { before: Case | undefined; at: Date }): Case {
  const { request } = scenarioOf(of.memberId);
  switch (request.type) {
    case "decide":
      return decided(of, request.decision, at);
    case "reject":
      if (before?.state === "decided") return decided(of, { actions: ["A1"] }, at);
      return { ...of, state: request.rejection.followUp === "Y" ? "held" : "rejected", rejection: request.rejection };
    case "pend":
      return { ...pended(of), due: request.ends && dueAfter(at, endOf(request.ends)) };
    case "stay":
      return { ...decided(of, { actions: ["A6"] }, at), items: stayItems(of.review.items, before?.items ?? []) };
    case "documents": {
      const isOpen = before === undefined || before.requestedDocuments.length > 0;
      if (isOpen && !bringsMore(of.review, before?.review))
        return { ...pended(of), requestedDocuments: requestedOf(of.review) };
      return request.ends ? decided(of, request.ends, at) : pended(of);
    }
  }
}

function pended(of: Case): Case {
  return {
    ...of,
    state: "pended",
    items: decidedItems(of.review.items, { actions: ["A4"] }),
    requestedDocuments: [],
    rejection: undefined,
    refusal: undefined,
    decidedAt: undefined,
    reason: undefined,
    note: undefined,
    due: undefined,
  };
}

/** Documents are asked for in both forms, by X12 report type and by LOINC. */
function requestedOf({ items }: Review): readonly RequestedDocument[] {
  return [
    { kind: "PY", loinc: undefined, sequence: undefined },
    { kind: undefined, loinc: "11506-3", sequence: items[0]?.sequence },
  ];
}

/** A first request never does; an update does by a document or a message that was not there before. */
function bringsMore(now: Review, before: Review | undefined): boolean {
  if (before === undefined) return false;
  const known = new Set([...before.attachments.map(({ sha256 }) => sha256), ...before.notes]);
  return [...now.attachments.map(({ sha256 }) => sha256), ...now.notes].some((each) => !known.has(each));
}

/** There is nothing, or nothing any more, that could be changed. */
const nothingThere: Rejection = { reject: "AA", followUp: "N", about: "request" };

/** After a denial or a void there is nothing left to update: a new request is needed. */
function endedRefusal(of: Case): Rejection | undefined {
  if (isOver(of)) return nothingThere;
  const open = of.items.filter(({ action }) => action !== "C");
  return open.every(({ action }) => action === "A3") ? nothingThere : undefined;
}

function isOver({ state }: Case): boolean {
  return state === "voiding" || state === "voided" || state === "rejected" || state === "refused";
}

function decidedItems(items: readonly Item[], decision: Decision): readonly CaseItem[] {
  return items.map((item, index) => {
    const action = item.cancelled ? "C" : (decision.actions[index] ?? decision.actions.at(-1) ?? "A4");
    const half = Math.max(1, Math.floor((item.quantity ?? 2) / 2));
    return {
      ...item,
      action,
      authorized: action === "A6" ? { quantity: half, unit: item.unit ?? "UN" } : undefined,
    };
  });
}

/** Concurrent review: a stay is authorized a few days at a time. */
function stayItems(items: readonly Item[], before: readonly CaseItem[]): readonly CaseItem[] {
  return items.map((item) => {
    const ordered = item.quantity ?? stepUnits;
    const had = before.find(({ sequence }) => sequence === item.sequence);
    const given = Math.min(ordered, grantedOn(had) + stepUnits);
    if (item.cancelled) return { ...item, action: "C", authorized: undefined };
    if (given === ordered) return { ...item, action: "A1", authorized: undefined };
    return { ...item, action: "A6", authorized: { quantity: given, unit: item.unit ?? "UN" } };
  });
}

/** How many units of a stay are authorized at a time. */
const stepUnits = 2;

function grantedOn(item: CaseItem | undefined): number {
  return item?.action === "A1" ? (item.quantity ?? stepUnits) : (item?.authorized?.quantity ?? 0);
}

function endOf(ends: Decision | Rejection): Ends {
  return "reject" in ends ? { rejection: ends, before: undefined } : { decision: ends };
}

function dueAfter(at: Date, ends: Ends): Due {
  return { at: new Date(at.getTime() + decidesAfterMs).toISOString(), ...ends };
}
