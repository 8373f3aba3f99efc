import { isEnough } from "./ballot.ts";
import type { Event, EventType } from "./event.ts";
import { assert, ok } from "#lib/platform/result";
import {
  afterConfirmation,
  afterPayerEvent,
  awaitVoid,
  by,
  doubt,
  fitsRefusal,
  held,
  isForeign,
  isOver,
  known,
  late,
  openGate,
  orderOf,
  outOfState,
  receive,
  refused,
  requeue,
  settled,
  step,
  turnedDown,
  voidedAtPayer,
  withAttempt,
  withoutRequest,
  withoutUpdate,
  type StepResult,
  type EventOf,
  type Step,
} from "./step.ts";
import { canVoid, canWithdraw, gateOf, hasOpenVoid, type Motion, type NewGate, type Task } from "./task.ts";

type Moves = { readonly [Type in EventType]: (task: Task, event: EventOf<Type>) => StepResult };

/** A release this old no longer speaks for the case: 24 hours. */
export const releaseAgeMaxMs = 24 * 60 * 60 * 1000;

/** What is in doubt is sent so often at most, the first time counted. */
export const attemptsMax = 6;

/**
 * The whole lifecycle, one function per event. Each begins by saying where its
 * event may happen; everything else is a refusal.
 */
const moves: Moves = {
  amended: (task, { missing, gate }) => {
    const { motion, payer } = task;
    const open = motion.kind === "held" && motion.gate.action === "transmit" ? motion.gate : undefined;
    const waits = motion.kind === "idle" && !payer.determination && (payer.holds === "no" || payer.wants !== undefined);
    if (payer.voided || payer.voidPending || (!open && !waits)) return outOfState(task, "amended");
    assert((gate !== undefined) === (missing.length === 0), "a complete revision comes with its gate");
    const amended: Task = {
      ...task,
      revision: task.revision + 1,
      missing,
      remark: undefined,
      motion: { kind: "idle" },
    };
    return step(gate ? held(amended, "transmit", gate) : amended, open && { gate: open, as: "superseded" });
  },

  released: (task, { seen, at, claimableAt, ballot }) => {
    const gate = openGate(task, seen, at);
    if (!gate.ok) return gate;
    if (task.attention === "channel-revoked") return refused(task, { type: "needs-adoption" });
    const { by: reviewer, given, needed, owners } = ballot;
    if (owners.includes(reviewer)) return refused(task, { type: "owns-channel" });
    if (!isEnough(ballot)) {
      return given.includes(reviewer)
        ? refused(task, { type: "released-already", given: given.length, needed })
        : step(task);
    }
    const motion: Motion = { kind: "released", gate: gate.value, releasedAt: at, claimableAt, attempt: 0 };
    return step({ ...task, motion, remark: undefined }, { gate: gate.value, as: "released" });
  },

  "taken-back": (task, { seen, at, released }) => {
    const gate = openGate(task, seen, at);
    if (!gate.ok) return gate;
    return released ? step(task) : refused(task, { type: "not-released" });
  },

  declined: (task, { seen, at, reason }) => {
    const gate = openGate(task, seen, at);
    if (!gate.ok) return gate;
    const ends = gate.value.action === "transmit" && task.payer.holds === "no";
    const motion: Motion = ends ? { kind: "ended", end: "declined" } : { kind: "idle" };
    return step({ ...settled(task), motion, remark: by("reviewer", reason) }, { gate: gate.value, as: "declined" });
  },

  "sent-back": (task, { seen, at, question }) => {
    const gate = openGate(task, seen, at);
    if (!gate.ok) return gate;
    if (gate.value.action === "void") return outOfState(task, "sent-back");
    const next: Task = { ...settled(task), motion: { kind: "idle" }, remark: by("reviewer", question) };
    return step(next, { gate: gate.value, as: "sent-back" });
  },

  recalled: (task, { gateId, gate }) => {
    const { motion } = task;
    if (motion.kind !== "released" || task.payer.voided) return outOfState(task, "recalled");
    if (motion.gate.id !== gateId) return refused(task, { type: "stale" });
    return step(held(task, motion.gate.action, gate), { gate: motion.gate, as: "recalled" });
  },

  expired: (task, { at }) => {
    const { motion } = task;
    if (motion.kind !== "held" || at < motion.gate.expiresAt) return outOfState(task, "expired");
    const remark = by("service", "Nobody decided before the gate expired.");
    return step({ ...settled(task), motion: { kind: "idle" }, remark }, { gate: motion.gate, as: "expired" });
  },

  "re-held": (task, { gate, missing, reason, attention }) => {
    const { motion } = task;
    if ((motion.kind !== "held" && motion.kind !== "released") || task.payer.voided) return outOfState(task, "re-held");
    assert((gate !== undefined) === (missing.length === 0), "what is complete for its route comes with its gate");
    const next: Task = { ...task, missing, remark: by("service", reason), attention: attention ?? task.attention };
    const closed = { gate: motion.gate, as: "superseded" } as const;
    return step(gate ? held(next, motion.gate.action, gate) : { ...next, motion: { kind: "idle" } }, closed);
  },

  adopted: (task) => {
    if (task.attention !== "channel-revoked" || task.motion.kind !== "held") return outOfState(task, "adopted");
    return step({ ...task, attention: undefined });
  },

  withdrawn: (task) => {
    const { motion } = task;
    if (motion.kind === "ended" && motion.end === "withdrawn") return step(task);
    if (!canWithdraw(task)) {
      const use = canVoid(task) ? "prior_auth_void" : undefined;
      return refused(task, { type: "not-withdrawable", use });
    }
    const next: Task = { ...settled(task), motion: { kind: "ended", end: "withdrawn" }, remark: undefined };
    return step(next, "gate" in motion ? { gate: motion.gate, as: "withdrawn" } : undefined);
  },

  "void-asked": (task, { reason, gate }) => {
    if (!canVoid(task)) return outOfState(task, "void-asked");
    const { motion } = task;
    const next = { ...task, remark: by("agent", reason) };
    return step(held(next, "void", gate), motion.kind === "held" ? { gate: motion.gate, as: "superseded" } : undefined);
  },

  claimed: (task, { by: claimant, at, leaseUntil }) => {
    const { motion } = task;
    if (motion.kind !== "released" || task.payer.voided) return outOfState(task, "claimed");
    const theirs = motion.gate.byHand === (claimant === "person");
    if (!theirs || at < motion.claimableAt) return refused(task, { type: "not-claimable" });
    if (at.getTime() - motion.releasedAt.getTime() > releaseAgeMaxMs) return refused(task, { type: "release-too-old" });
    const { gate, releasedAt, attempt } = motion;
    assert(motion.gate.byHand || leaseUntil, "the worker claims under a lease");
    return step({
      ...task,
      motion: { kind: "sending", gate, releasedAt, attempt: attempt + 1, leaseUntil, started: gate.byHand },
    });
  },

  "claimed-again": (task, { at, leaseUntil }) => {
    const { motion } = task;
    if (motion.kind !== "unconfirmed" || task.payer.voided) return outOfState(task, "claimed-again");
    const { gate, releasedAt, attempt } = motion;
    if (gate.byHand || attempt >= attemptsMax) return refused(task, { type: "not-claimable" });
    if (at.getTime() - releasedAt.getTime() > releaseAgeMaxMs) return refused(task, { type: "release-too-old" });
    const next = { attempt: attempt + 1, leaseUntil, started: false, again: true };
    return step({ ...task, motion: { kind: "sending", gate, releasedAt, ...next } });
  },

  started: (task, { attempt, at }) => {
    const { motion } = task;
    if (motion.kind !== "sending") return outOfState(task, "started");
    const holds = motion.attempt === attempt && motion.leaseUntil !== undefined && at < motion.leaseUntil;
    if (!holds || motion.started || task.payer.voided) return refused(task, { type: "attempt-superseded" });
    return step({ ...task, motion: { ...motion, started: true } });
  },

  lapsed: (task, { at, retryAt }) => {
    const { motion } = task;
    const late = motion.kind === "sending" && motion.leaseUntil !== undefined && motion.leaseUntil <= at;
    if (!late) return outOfState(task, "lapsed");
    if (motion.started) return doubt(task, motion, "The service stopped before the payer's answer was recorded.");
    return requeue(task, motion, retryAt, "The service stopped before anything was sent.");
  },

  "not-sent": (task, { attempt, reason, retryAt }) =>
    withAttempt(task, attempt, (motion) => requeue(task, motion, retryAt, reason)),

  "could-not-send": (task, { attempt, reason, gate }) =>
    withAttempt(task, attempt, (motion) => {
      if (!motion.gate.byHand) return outOfState(task, "could-not-send");
      const next = { ...task, remark: by("reviewer", reason) };
      return step(held(next, motion.gate.action, gate), { gate: motion.gate, as: "superseded" });
    }),

  accepted: (task, { attempt, reference, pending }) =>
    withAttempt(task, attempt, (motion) =>
      pending && motion.gate.action === "void" ? awaitVoid(task) : receive(task, motion, reference),
    ),

  rejected: (task, { attempt, correction, reason, retryAt }) =>
    withAttempt(task, attempt, (motion) => {
      if (correction === "try-again") return requeue(task, motion, retryAt, reason);
      return turnedDown(task, motion, { correction, reason });
    }),

  "found-submitted": (task, { at }) => {
    const { motion, payer } = task;
    const waits =
      motion.kind === "held" || motion.kind === "released" || (motion.kind === "sending" && !motion.started);
    if (!waits || motion.gate.byHand || payer.voided) return outOfState(task, "found-submitted");
    const { gate } = motion;
    const releasedAt = motion.kind === "held" ? at : motion.releasedAt;
    const doubted = doubt(
      settled(task),
      // No attempt is left: its release may not be in this database, so none speaks for submitting it again.
      { kind: "sending", gate, releasedAt, attempt: attemptsMax, started: true },
      "It was submitted before the database was restored from an earlier state.",
    );
    return doubted.ok && motion.kind === "held" ? step(doubted.value.task, { gate, as: "released" }) : doubted;
  },

  "submission-lost": (task, { reason }) =>
    step({ ...task, attention: "lost-submission", remark: by("service", reason) }),

  doubted: (task, { attempt, reason }) => withAttempt(task, attempt, (motion) => doubt(task, motion, reason)),

  settled: (task, { payerHas, reference, gate }) => {
    const { motion } = task;
    if (motion.kind !== "unconfirmed" || task.payer.voided) return outOfState(task, "settled");
    const { action, update } = motion.gate;
    if (action === "transmit" && payerHas) return receive(task, motion, reference);
    if (action === "void" && !payerHas) return receive(task, motion, reference);
    assert(gate, "an action that did not reach the payer is held again at a new gate");
    const holds = action === "void" || update ? "yes" : "no";
    const next: Task = { ...task, payer: { ...task.payer, holds }, remark: undefined };
    return step(held(next, action, gate), { gate: motion.gate, as: "superseded" });
  },

  "payer-decided": (task, { determination, reference, gate }) => {
    if (isOver(task)) return late(task);
    if (isForeign(task)) return outOfState(task, "payer-decided");
    const order = orderOf(task.payer.determination, determination);
    if (order === "older") return step(task);
    if (order === "unknown") return step({ ...task, attention: "unordered-answer" });
    const told = known(task, { determination, wants: undefined, reference: reference ?? task.payer.reference });
    const attention = order === "disputed" ? "unordered-answer" : undefined;
    const decided: Task = { ...told, attention, remark: undefined };
    return afterPayerEvent(decided, gate);
  },

  "payer-wants": (task, { wants }) => {
    if (isOver(task)) return late(task);
    if (isForeign(task)) return outOfState(task, "payer-wants");
    if (task.payer.determination) return step({ ...task, attention: "unordered-answer" });
    return afterConfirmation(known({ ...task, remark: by("payer", wants.text) }, { wants }));
  },

  "payer-voided": (task) => {
    if (isOver(task)) return late(task);
    if (isForeign(task)) return outOfState(task, "payer-voided");
    return voidedAtPayer(task);
  },

  "payer-rejected": (task, { update, ...refusal }) => {
    if (isOver(task)) return late(task);
    if (isForeign(task)) return outOfState(task, "payer-rejected");
    if (!fitsRefusal(task, update)) return step({ ...task, attention: "unordered-answer" });
    return update ? withoutUpdate(task, refusal) : withoutRequest(task, refusal);
  },

  "answered-late": (task) => (task.attention === "channel-revoked" ? step(task) : late(task)),

  "void-refused": (task, { reason }) => {
    if (!hasOpenVoid(task)) return outOfState(task, "void-refused");
    const { motion } = task;
    const payer = { ...task.payer, holds: "yes", voidPending: undefined } as const;
    const next: Motion = motion.kind === "unconfirmed" ? { kind: "idle" } : motion;
    return step({ ...task, motion: next, payer, remark: by("payer", reason) });
  },

  "payer-asks-contact": (task, { text }) => {
    if (isOver(task)) return late(task);
    if (isForeign(task)) return outOfState(task, "payer-asks-contact");
    return afterConfirmation(known({ ...task, attention: "contact-payer", remark: by("payer", text) }, {}));
  },

  unreadable: (task, { reason }) => {
    if (isOver(task)) return late(task);
    if (isForeign(task)) return outOfState(task, "unreadable");
    return step({ ...task, attention: "unreadable-answer", remark: by("service", reason) });
  },

  attended: (task) => {
    if (!task.attention || task.attention === "channel-revoked") return outOfState(task, "attended");
    return step({ ...task, attention: undefined });
  },
};

/** Applies one event to one task. Pure and total: the same pair always gives the same answer. */
export function transition(task: Task, event: Event): StepResult {
  // Safe because `moves` maps each event type to the function for exactly that event.
  const move = moves[event.type] as (task: Task, event: Event) => StepResult;
  const next = move(task, event);
  if (!next.ok) return next;
  const opened = next.value.task.motion.kind === "held" ? next.value.task.motion.gate : undefined;
  return opened && opened.id !== gateOf(task)?.id ? ok({ ...next.value, opened }) : next;
}

/** A task from its first revision: at a gate when it is complete for its route, else waiting for the agent. */
export function openTask({ missing, gate }: { missing: readonly string[]; gate?: NewGate | undefined }): Step {
  assert((gate !== undefined) === (missing.length === 0), "a complete revision comes with its gate");
  const task: Task = { motion: { kind: "idle" }, payer: { holds: "no" }, revision: 1, missing };
  if (!gate) return { task };
  const first = held(task, "transmit", gate);
  return { task: first, opened: gateOf(first) };
}
