import type { Event, EventType, ShownGate } from "./event.ts";
import type { LifecycleRefusal } from "./lifecycle-refusal.ts";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import {
  stateOf,
  type Action,
  type DeterminationFact,
  type Gate,
  type Motion,
  type NewGate,
  type PayerFacts,
  type Remark,
  type Task,
} from "./task.ts";

/** How a gate stopped waiting. `superseded` voids its votes: what was shown is no longer what would leave. */
export type GateEnd = "released" | "declined" | "sent-back" | "recalled" | "expired" | "superseded" | "withdrawn";

/** The next task, and what became of the gates on the way. */
export type Step = {
  readonly task: Task;
  readonly closed?: { readonly gateId: string; readonly as: GateEnd } | undefined;
  readonly opened?: Gate | undefined;
};

export type StepResult = Result<Step, LifecycleRefusal>;
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;
type Refused = EventOf<"payer-rejected">;
type In<Kind extends Motion["kind"]> = Extract<Motion, { kind: Kind }>;
/** What a move arrives at; `transition` adds the gate it opened. */
export function step(task: Task, closed?: { gate: Gate; as: GateEnd }): StepResult {
  return ok({ task, closed: closed && { gateId: closed.gate.id, as: closed.as } });
}

export function outOfState(task: Task, event: EventType): StepResult {
  return refuse({ type: "out-of-state", state: stateOf(task), event });
}

type Reason<Refusal> = Refusal extends { readonly state: unknown } ? Omit<Refusal, "state"> : never;

export function refused(task: Task, reason: Reason<LifecycleRefusal>): StepResult {
  return refuse({ ...reason, state: stateOf(task) });
}

export function by(who: Remark["by"], text: string): Remark {
  return { by: who, text };
}

export function held(task: Task, action: Action, gate: NewGate): Task {
  const update = action === "transmit" && task.payer.holds === "yes";
  return { ...task, motion: { kind: "held", gate: { ...gate, action, update, revision: task.revision } } };
}

/** The gate a reviewer's answer names, when it is open and exactly what the page showed. */
export function openGate(task: Task, seen: ShownGate, at: Date): Result<Gate, LifecycleRefusal> {
  const { motion } = task;
  const state = stateOf(task);
  if (motion.kind !== "held" || task.payer.voided) return refuse({ type: "stale", state });
  const { gate } = motion;
  const same = gate.id === seen.gateId && gate.revision === seen.revision && gate.digest === seen.digest;
  if (!same) return refuse({ type: "stale", state });
  if (at >= gate.expiresAt) return refuse({ type: "gate-expired", state });
  return ok(gate);
}

/**
 * Only who holds the current attempt is heard, so not once it lapsed into doubt: that is settled by asking the payer. A
 * voided case still lets its attempt end.
 */
export function withAttempt(task: Task, attempt: number, then: (motion: In<"sending">) => StepResult): StepResult {
  const { motion } = task;
  if (motion.kind !== "sending" || motion.attempt !== attempt)
    return refuse({ type: "attempt-superseded", state: stateOf(task) });
  if (task.payer.voided) return step({ ...settled(task), motion: { kind: "idle" } });
  return then(motion);
}

/** Certainly nothing left, so it may go again; what may have arrived by an earlier attempt stays in doubt. */
export function requeue(task: Task, motion: In<"sending">, retryAt: Date, reason: string): StepResult {
  if (task.payer.voided) return step({ ...task, motion: { kind: "idle" } });
  if (motion.again) return doubt(task, motion, reason);
  const { gate, releasedAt, attempt } = motion;
  const next: Motion = { kind: "released", gate, releasedAt, claimableAt: retryAt, attempt };
  return step({ ...task, motion: next, remark: by("service", reason) });
}

export function doubt(task: Task, motion: In<"sending">, reason: string): StepResult {
  const { gate, releasedAt, attempt } = motion;
  if (task.payer.voided) return step({ ...task, motion: { kind: "idle" } });
  const proven = gate.action === "transmit" && !gate.update && task.payer.holds === "yes";
  if (proven) return step({ ...task, motion: { kind: "idle" } });
  const payer: PayerFacts = { ...task.payer, holds: gate.update ? "yes" : "maybe" };
  return step({
    ...task,
    payer,
    motion: { kind: "unconfirmed", gate, releasedAt, attempt },
    remark: by("service", reason),
  });
}

/** The payer has what was sent: for a void, that is the end of it. */
export function receive(
  task: Task,
  motion: In<"sending"> | In<"unconfirmed">,
  reference: string | undefined,
): StepResult {
  const idle: Task = { ...settled(task), motion: { kind: "idle" }, remark: undefined };
  if (motion.gate.action === "void") {
    return step({ ...idle, payer: { ...task.payer, holds: "yes", voided: "by-us" } });
  }
  const told = { ...task.payer, holds: "yes", reference: reference ?? task.payer.reference } as const;
  return step({ ...idle, missing: [], payer: { ...told, wants: undefined } });
}

/** The payer took the void and will say later whether it is done. */
export function awaitVoid(task: Task): StepResult {
  const payer: PayerFacts = { ...task.payer, holds: "yes", voidPending: true };
  return step({ ...settled(task), motion: { kind: "idle" }, payer, remark: undefined });
}

export function isOver({ motion, payer }: Task): boolean {
  return motion.kind === "ended" || payer.voided !== undefined;
}

/** A payer cannot speak of what it was never sent. */
export function isForeign({ motion, payer }: Task): boolean {
  return payer.holds === "no" && motion.kind !== "sending" && motion.kind !== "unconfirmed";
}

/** An answer that comes after the end, or to what was refused, changes nothing but asks for a person. */
export function late(task: Task): StepResult {
  return step({ ...task, attention: "late-answer" });
}

/** Whatever the payer says about the case proves that it has it. */
export function known(task: Task, facts: Partial<PayerFacts>): Task {
  return {
    ...task,
    payer: { ...task.payer, ...facts, holds: task.payer.holds === "maybe" && isVoiding(task) ? "maybe" : "yes" },
  };
}

function isVoiding({ motion }: Task): boolean {
  return "gate" in motion && motion.gate.action === "void";
}

/** A first transmission in doubt is settled by anything the payer says about the case. */
export function afterConfirmation(task: Task): StepResult {
  const { motion } = task;
  const confirmed = motion.kind === "unconfirmed" && motion.gate.action === "transmit" && !motion.gate.update;
  return step(confirmed ? { ...task, motion: { kind: "idle" } } : task);
}

/** A decision ends an update that has not left, and is a new case to the voters of an open void gate. */
export function afterPayerEvent(task: Task, gate: NewGate | undefined): StepResult {
  const { motion } = task;
  const waiting = motion.kind === "held" || motion.kind === "released";
  if (!waiting) return afterConfirmation(task);
  const closed = { gate: motion.gate, as: "superseded" } as const;
  if (motion.gate.action === "transmit") return step({ ...task, motion: { kind: "idle" } }, closed);
  assert(gate, "a decision on an open void gate comes with the gate that replaces it");
  return step(held(task, "void", gate), closed);
}

/**
 * Whether the payer's refusal of what it had taken has a place in the order of things: not once it decided, nor while
 * something leaves, nor of another request than the one in doubt.
 */
export function fitsRefusal({ motion, payer }: Task, update: boolean): boolean {
  if (payer.determination || payer.voidPending || motion.kind === "sending") return false;
  if (motion.kind !== "unconfirmed") return true;
  return motion.gate.action === "void" ? update : update === motion.gate.update;
}

/** The payer does not take what was sent: it can be corrected, or never. */
export function turnedDown(
  task: Task,
  motion: In<"sending">,
  { correction, reason }: Pick<Refused, "correction" | "reason">,
): StepResult {
  const refused: Task = { ...task, motion: { kind: "idle" }, remark: by("payer", reason) };
  if (motion.gate.action === "void" || motion.gate.update) return step(refused);
  if (task.payer.holds === "yes") return step({ ...refused, attention: "unordered-answer" });
  const cleared: Task = { ...refused, payer: { ...task.payer, holds: "no" } };
  return step(correction === "final" ? { ...cleared, motion: { kind: "ended", end: "failed" } } : cleared);
}

/** The payer voided it: asked by us, or by itself. What is on its way is still answered. */
export function voidedAtPayer(task: Task): StepResult {
  const { motion } = task;
  const doubted = motion.kind === "unconfirmed" && motion.gate.action === "void";
  const voided = doubted || task.payer.voidPending ? "by-us" : "by-payer";
  const next: Task = { ...task, payer: { ...task.payer, holds: "yes", voidPending: undefined, voided } };
  const inFlight = motion.kind === "sending";
  if (inFlight || !("gate" in motion)) return step(inFlight ? next : { ...next, motion: { kind: "idle" } });
  const closed = motion.kind === "unconfirmed" ? undefined : ({ gate: motion.gate, as: "superseded" } as const);
  return step({ ...settled(next), motion: { kind: "idle" } }, closed);
}

/** The payer does not have the first request after all; whatever was to follow it has nothing to follow. */
export function withoutRequest(task: Task, { correction, reason }: Pick<Refused, "correction" | "reason">): StepResult {
  const { motion } = task;
  const next: Motion = correction === "final" ? { kind: "ended", end: "failed" } : { kind: "idle" };
  const waiting = motion.kind === "held" || motion.kind === "released";
  const cleared: Task = { ...task, motion: next, payer: { holds: "no" }, attention: undefined };
  return step(
    { ...cleared, remark: by("payer", reason) },
    waiting ? { gate: motion.gate, as: "superseded" } : undefined,
  );
}

/** The payer still has the case as it was before the update, and wants it answered otherwise. */
export function withoutUpdate(task: Task, { reason, gate }: Pick<Refused, "reason" | "gate">): StepResult {
  const { motion } = task;
  const wants = task.payer.wants ?? { text: reason, items: [] };
  const told = known({ ...task, attention: undefined, remark: by("payer", reason) }, { wants });
  const doubted = motion.kind === "unconfirmed" && motion.gate.action === "transmit";
  return doubted ? step({ ...told, motion: { kind: "idle" } }) : afterPayerEvent(told, gate);
}

/** Attention raised by a gate or a sending ends with it; what a person must still see stays. */
export function settled(task: Task): Task {
  return task.attention === "channel-revoked" ? { ...task, attention: undefined } : task;
}

/** How far a payer's clock may run ahead of ours before its date is no longer believed: 5 minutes. */
const aheadMsMax = 5 * 60 * 1000;

type Dated = Pick<DeterminationFact, "decidedAt" | "receivedAt">;

/** Whether a decision is dated so long after it was heard that its date orders nothing. */
export function isPostdated({ decidedAt, receivedAt }: Dated): boolean {
  if (!decidedAt || !receivedAt) return false;
  return decidedAt.getTime() - receivedAt.getTime() > aheadMsMax;
}

/** When a decision was made at the latest: nobody decides after they were heard. */
function decidedBy({ decidedAt, receivedAt }: Dated): Date | undefined {
  return decidedAt && receivedAt && receivedAt < decidedAt ? receivedAt : decidedAt;
}

/**
 * How a decision that is heard now stands to the one in force, by the payer's
 * own instants. `disputed`: one of the two is dated after it was heard, so the
 * one heard later counts and a person is shown the conflict.
 */
export function orderOf(current: Dated | undefined, next: Dated): "newer" | "older" | "unknown" | "disputed" {
  if (!current) return "newer";
  if (isPostdated(current) || isPostdated(next)) return "disputed";
  const [before, after] = [decidedBy(current), decidedBy(next)];
  if (!before || !after || before.getTime() === after.getTime()) return "unknown";
  return after > before ? "newer" : "older";
}
