import { assert, ok, refuse, type Result } from "#lib/platform/result";
import { reasons } from "#lib/messages/reasons/case";
import type { LifecycleRefusal } from "#lib/task/model/lifecycle-refusal";
import type { SubmissionResult } from "#lib/task/model/submission-result";
import {
  isDecided,
  stateOf,
  type Action,
  type Gate,
  type PayerFacts,
  type Stage,
  type Task,
} from "#lib/task/model/task";
import type { Command, DecisionContext, ShownGate } from "./command.ts";
import type { Event, EventOf } from "./event.ts";

export type Decision = Result<readonly Event[], LifecycleRefusal>;
type In<Kind extends Stage["kind"]> = Extract<Stage, { readonly kind: Kind }>;

/** What was prepared: a gate, or what is missing for one. */
export function completion({ missing = [], gate }: Omit<DecisionContext, "at">) {
  assert((gate !== undefined) === (missing.length === 0), "what is complete for its route comes with its gate");
  return { missing, gate };
}

export function opened({ payer, revision }: Task, action: Action, { gate }: DecisionContext): Event {
  assert(gate, "what is held comes with what was frozen for it");
  const update = action === "transmit" && payer.payerReceipt === "yes";
  const about = action === "void" ? (gate.revision ?? revision) : revision;
  return { type: "gate.opened", gate: { ...gate, action, update, revision: about } };
}

export function outOfState(task: Task, { type }: Command): Decision {
  return refuse({ type: "out-of-state", state: stateOf(task), command: type });
}

type Reason<Refusal> = Refusal extends { readonly state: unknown } ? Omit<Refusal, "state"> : never;

export function refused(task: Task, reason: Reason<LifecycleRefusal>): Decision {
  return refuse({ ...reason, state: stateOf(task) });
}

/** The gate that a reviewer's answer names, if it is open and exactly as the page showed it. */
export function openGate(task: Task, seen: ShownGate, at: Date): Result<Gate, LifecycleRefusal> {
  const { stage } = task;
  const state = stateOf(task);
  if (stage.kind !== "held" || task.payer.voided) return refuse({ type: "stale", state });
  const { gate } = stage;
  const same = gate.id === seen.gateId && gate.revision === seen.revision && gate.digest === seen.digest;
  if (!same) return refuse({ type: "stale", state });
  if (at >= gate.expiresAt) return refuse({ type: "gate-expired", state, action: gate.action });
  return ok(gate);
}

/** Only the current attempt may report. After it has lapsed into an unknown outcome, the payer is asked instead. */
export function withAttempt(
  task: Task,
  attempt: number,
  then: (stage: In<"submitting">) => readonly Event[],
): Decision {
  const { stage } = task;
  if (stage.kind !== "submitting" || stage.attempt !== attempt) return refused(task, { type: "attempt-superseded" });
  return ok(then(stage));
}

type Attempt = Pick<In<"submitting">, "gate" | "releasedAt" | "attempt" | "started" | "again">;

/**
 * Nothing was sent, so it can be submitted again; but if an earlier attempt may have arrived, the outcome stays
 * unknown.
 */
export function requeue(
  task: Task,
  stage: Attempt,
  claimableAt: Date,
  reason: string,
  left: boolean,
): readonly Event[] {
  if (task.payer.voided) return [{ ...ended(stage.gate), result: undefined }];
  if (stage.again) return doubt(task, { ...stage, started: left }, reason);
  return [{ type: "transmission.requeued", gateId: stage.gate.id, claimableAt, reason }];
}

/** The outcome is unknown, unless an answer of the payer has already proven that it has the first request. */
export function doubt(
  task: Task,
  { gate, releasedAt, attempt, started: left }: Attempt,
  reason: string,
  ifProven: SubmissionResult = "received",
): readonly Event[] {
  const gateId = gate.id;
  if (task.payer.voided) return [{ ...ended(gate, left), result: "unconfirmed" }];
  const proven = gate.action === "transmit" && !gate.update && task.payer.payerReceipt === "yes";
  if (proven) return [{ ...ended(gate, left), result: left ? ifProven : undefined }];
  const payerReceipt = gate.update ? "yes" : "maybe";
  return [{ type: "transmission.unconfirmed", gateId, releasedAt, attempt, reason, left, payerReceipt }];
}

/**
 * The payer has what this gate held. What it decides on an earlier revision, or has decided, does not answer it. What it
 * requested when this was frozen already, this does not answer either.
 */
export function received(
  { payer: { determination, informationRequest: requested, requestedBeside = 0 } }: Task,
  { id: gateId, update, revision }: Gate,
  facts: Pick<EventOf<"transmission.received">, "left" | "reference">,
): EventOf<"transmission.received"> {
  const isNewer = update && (determination?.revision ?? 0) < revision;
  const informationRequest = revision <= requestedBeside ? requested : undefined;
  const undecided = isNewer ? { revision } : undefined;
  return { type: "transmission.received", gateId, ...facts, informationRequest, undecided };
}

export function ended(gate: Gate, left = false) {
  return { type: "transmission.ended", gateId: gate.id, left } as const;
}

/** What is known of a submission of unknown outcome once its case is void, which says nothing about an update. */
export function onceVoided({ action, update }: Gate): SubmissionResult {
  return action === "transmit" && update ? "unconfirmed" : "received";
}

/** How an attempt ends on a case that the payer voided in the meantime. */
export function over(
  { payer }: Task,
  { gate, started: left }: Attempt,
  answer: "accepted" | "rejected" | "not-sent" | "unknown",
): Event {
  const result = (): SubmissionResult | undefined => {
    if (!left || answer === "not-sent") return undefined;
    if (answer === "rejected") return "refused";
    if (gate.action === "void") return payer.voided === "by-us" ? "received" : "unconfirmed";
    return answer === "unknown" ? onceVoided(gate) : "received";
  };
  return { ...ended(gate, left && answer !== "not-sent"), result: result() };
}

export function voidTaken({ id: gateId }: Gate, { left, done }: { left: boolean; done: boolean }): Event {
  return { type: "transmission.void-accepted", gateId, left, done };
}

export function superseded({ id: gateId }: Gate): Event {
  return { type: "gate.superseded", gateId };
}

/** An answer after the end, or about a rejected request, changes nothing but asks for a person. */
export const late: Event = { type: "attention.raised", attention: "late-answer" };
export const unordered: Event = { type: "attention.raised", attention: "unordered-answer" };

/** That a channel lost its access is about what it asked for, not about what is asked for after it. */
export function ofNewRequest({ attention }: Task): readonly Event[] {
  return attention === "channel-revoked" ? [{ type: "attention.cleared" }] : [];
}

/** What no determination settles: a submission that is not on record, and an answer that came too late. */
export function stillOwed({ attention }: Task): readonly Event[] {
  return attention === "lost-submission" || attention === "late-answer"
    ? [{ type: "attention.raised", attention }]
    : [];
}

export function isOver({ stage, payer }: Task): boolean {
  return stage.kind === "ended" || payer.voided !== undefined;
}

/** A payer can't answer about what was never submitted to it. */
export function isForeign({ stage, payer }: Task): boolean {
  return payer.payerReceipt === "no" && stage.kind !== "submitting" && stage.kind !== "unconfirmed";
}

/** Any answer about the case proves that the payer has it; but a void of unknown outcome may still have been done. */
export function receiptOf({ stage, payer }: Task): PayerFacts["payerReceipt"] {
  const isVoiding = "gate" in stage && stage.gate.action === "void";
  return payer.payerReceipt === "maybe" && isVoiding ? "maybe" : "yes";
}

/**
 * What did not reach the payer is held at a new gate; where its payer connection has come to need more than it has, the agent
 * is told what.
 */
export function heldAnew(task: Task, { id: gateId, action }: Gate, context: DecisionContext): Event {
  const { missing, gate: next } = completion(context);
  if (next) return opened(task, action, context);
  return { type: "gate.re-held", gateId, missing, reason: reasons.connectionNeedsMore };
}

/** The revision of an update that waits or is on its way, with what it says frozen. */
export function updateUnderWay({ stage }: Task): number | undefined {
  const isUpdate = "gate" in stage && stage.gate.action === "transmit" && stage.gate.update;
  return isUpdate ? stage.gate.revision : undefined;
}

/** Any answer about the case settles a first submission of unknown outcome. */
export function confirmed({ stage }: Task): readonly Event[] {
  const isFirst = stage.kind === "unconfirmed" && stage.gate.action === "transmit" && !stage.gate.update;
  return isFirst ? [{ ...ended(stage.gate), result: "received" }] : [];
}

/** A new determination ends an update that was not submitted yet, and asks the voters of an open void gate again. */
export function afterNews(task: Task, context: DecisionContext): readonly Event[] {
  const { stage } = task;
  if (stage.kind !== "held" && stage.kind !== "released") return confirmed(task);
  const { gate } = stage;
  return gate.action === "transmit" ? [superseded(gate)] : [superseded(gate), opened(task, "void", context)];
}

/**
 * Whether the payer can still reject what it had accepted: not after it has decided, not during a submission, and not
 * another request than the one of unknown outcome.
 */
export function fitsRefusal({ stage, payer }: Task, update: boolean): boolean {
  if (payer.voidPending || stage.kind === "submitting") return false;
  // After a determination, only a later change can still be rejected.
  if (payer.determination && (isDecided(payer) || !update)) return false;
  if (stage.kind !== "unconfirmed") return true;
  return stage.gate.action === "void" ? update : update === stage.gate.update;
}

type RejectionEvent = Extract<Event, { readonly type: "payer.rejected" }>;

/** What a payer wants that rejects an update of what it has not decided: another one. */
export function wantedAfter(
  { payer }: Task,
  { action, update }: Gate,
  reason: string,
): Pick<EventOf<"transmission.refused">, "informationRequest"> {
  const isOpen = action === "transmit" && update && !payer.determination && !payer.informationRequest;
  return isOpen ? { informationRequest: { text: reason, items: [] } } : {};
}

/**
 * The payer still has the case as before the update: its determination stands, or it needs a different answer. It still owes
 * a decision on the update before it, if that one has none.
 */
export function withoutUpdate(
  task: Task,
  rejected: RejectionEvent,
  { earlierUpdate, ...context }: DecisionContext & { readonly earlierUpdate: number | undefined },
): readonly Event[] {
  const { stage, payer } = task;
  const wanted = payer.informationRequest ?? { text: rejected.reason, items: [] };
  const informationRequest = payer.determination ? undefined : wanted;
  const isAnswered = earlierUpdate === undefined || (payer.determination?.revision ?? 0) >= earlierUpdate;
  const undecided = isAnswered ? undefined : { revision: earlierUpdate };
  const refusal: Event = { ...rejected, keeps: { informationRequest, payerReceipt: receiptOf(task), undecided } };
  const doubted = stage.kind === "unconfirmed" && stage.gate.action === "transmit";
  if (doubted) return [{ ...ended(stage.gate), result: "refused" }, refusal];
  return [refusal, ...afterNews(task, context)];
}
