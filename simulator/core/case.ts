import { createHash } from "node:crypto";
import type { Item, Rejection, Review, Sent, WantedDocument } from "./review.ts";
import { scenarioOf, type Action, type Decision } from "./scenarios.ts";

/**
 * `rejected` was answered, but no case came of it. `held` was refused for now and
 * is kept (follow-up Y). `voiding` waits for the payer to take the request back.
 */
type CaseState = "decided" | "pended" | "rejected" | "held" | "voiding" | "voided";

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
  readonly wants: readonly WantedDocument[];
  /** Why there is no case (`rejected`) or none yet (`held`). */
  readonly rejection: Rejection | undefined;
  readonly reference: string;
  readonly authorizationNumber: string;
  readonly receivedAt: string;
  readonly decidedAt: string | undefined;
  readonly reason: string | undefined;
  readonly note: string | undefined;
  /** What the payer will do by itself, and when by its clock. */
  readonly due: { readonly at: string; readonly decision: Decision } | undefined;
};

/** How long the payer takes over what it decides by itself. */
const decidesAfterMs = 60_000;

/** The case a first request opens, answered as the member's scenario says. */
export function opened(review: Review, { id, sent, at }: { id: string; sent: Sent; at: Date }): Case {
  const number = createHash("sha256").update(id).digest("hex").slice(0, 10).toUpperCase();
  const fresh: Case = {
    id,
    face: sent.face,
    state: "pended",
    memberId: review.memberId,
    review,
    items: decidedItems(review.items, { actions: ["A4"] }),
    wants: [],
    rejection: undefined,
    reference: `REF-${number}`,
    authorizationNumber: `AUTH-${number}`,
    receivedAt: at.toISOString(),
    decidedAt: undefined,
    reason: undefined,
    note: undefined,
    due: undefined,
  };
  return reviewed(fresh, at);
}

/** The case after a full new version of its request, or why the payer will not have it. */
export function updated(of: Case, review: Review, at: Date): Case | Rejection {
  const refusal = scenarioOf(of.memberId).refusesUpdate ?? endedRefusal(of);
  return refusal ?? reviewed({ ...of, review }, at);
}

/** The case once its requester took all of it back, or why the payer will not. */
export function voided(of: Case, at: Date): Case | Rejection {
  const how = scenarioOf(of.memberId).void;
  if (of.state === "voided" || of.state === "rejected") return nothingToVoid;
  if (typeof how === "object") return how;
  const taken: Case = { ...of, rejection: undefined, wants: [], due: undefined };
  if (how !== "later") return decided(taken, { actions: ["C"] }, at);
  return {
    ...taken,
    state: "voiding",
    items: decidedItems(of.items, { actions: ["A4"] }),
    due: dueAfter(at, { actions: ["C"] }),
  };
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
    wants: [],
    rejection: undefined,
    decidedAt: at.toISOString(),
    reason: items.some(({ action }) => action === "A3") ? decision.reason : undefined,
    note: decision.note,
    due: undefined,
  };
}

/** A rejection that asked for the same again gives way once it was said often enough. */
export function repeatedRequest(of: Case, times: number, at: Date): Case {
  const { request } = scenarioOf(of.memberId);
  const isOver =
    of.state === "rejected" && request.type === "reject" && request.times !== undefined && times > request.times;
  return isOver ? decided(of, { actions: ["A1"] }, at) : of;
}

/** What the member's scenario makes of the review as it stands. */
function reviewed(of: Case, at: Date): Case {
  const { request } = scenarioOf(of.memberId);
  if (of.review.items.every(({ cancelled }) => cancelled)) return decided(of, { actions: ["C"] }, at);
  switch (request.type) {
    case "decide":
      return decided(of, request.decision, at);
    case "reject":
      return { ...of, state: request.rejection.followUp === "Y" ? "held" : "rejected", rejection: request.rejection };
    case "pend":
      return {
        ...of,
        state: "pended",
        items: decidedItems(of.review.items, { actions: ["A4"] }),
        wants: request.wants ?? [],
        decidedAt: undefined,
        due: request.then && dueAfter(at, request.then),
      };
  }
}

const nothingToVoid: Rejection = { reject: "AA", followUp: "N", about: "request" };

/** After a denial or a void there is nothing left to update: a new request is needed. */
function endedRefusal(of: Case): Rejection | undefined {
  const open = of.items.filter(({ action }) => action !== "C");
  return open.every(({ action }) => action === "A3") ? nothingToVoid : undefined;
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

function dueAfter(at: Date, decision: Decision): NonNullable<Case["due"]> {
  return { at: new Date(at.getTime() + decidesAfterMs).toISOString(), decision };
}
