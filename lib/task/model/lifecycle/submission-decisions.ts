import { assert, ok } from "#lib/platform/result";
import { reasons } from "#lib/messages/reasons/case";
import {
  doubt,
  ended,
  heldAnew,
  late,
  outOfState,
  over,
  received,
  refused,
  requeue,
  superseded,
  unordered,
  voidTaken,
  wantedAfter,
  withAttempt,
} from "./consequences.ts";
import type { Event } from "./event.ts";
import type { Decisions } from "./decisions.ts";

/** A release older than this no longer counts: 24 hours. */
export const releaseAgeMaxMs = 24 * 60 * 60 * 1000;

/** The most attempts to submit an action of unknown outcome, including the first. */
export const attemptsMax = 6;

/** How what was released is submitted, and how each attempt ends. */
export const submissionDecisions = {
  claim: (task, command, { at }) => {
    const { stage } = task;
    if (stage.kind !== "released" || task.payer.voided) return outOfState(task, command);
    const { gate, releasedAt, claimableAt, attempt } = stage;
    const theirs = gate.manual === (command.by === "person");
    if (!theirs || at < claimableAt) return refused(task, { type: "not-claimable" });
    if (isTooOld(releasedAt, at)) return refused(task, { type: "release-too-old" });
    assert(gate.manual || command.leaseUntil, "the worker claims under a lease");
    const claim = { attempt: attempt + 1, leaseUntil: command.leaseUntil, started: gate.manual };
    return ok([{ type: "transmission.claimed", gateId: gate.id, ...claim }]);
  },

  "claim-again": (task, command, { at }) => {
    const { stage } = task;
    if (stage.kind !== "unconfirmed" || task.payer.voided) return outOfState(task, command);
    const { gate, releasedAt, attempt } = stage;
    if (gate.manual || attempt >= attemptsMax) return refused(task, { type: "not-claimable" });
    if (isTooOld(releasedAt, at)) return refused(task, { type: "release-too-old" });
    const claim = { attempt: attempt + 1, leaseUntil: command.leaseUntil, started: false, again: true };
    return ok([{ type: "transmission.claimed", gateId: gate.id, ...claim }]);
  },

  start: (task, command, { at }) => {
    const { stage } = task;
    if (stage.kind !== "submitting") return outOfState(task, command);
    const { gate, attempt, leaseUntil, started } = stage;
    const isHeld = attempt === command.attempt && leaseUntil !== undefined && at < leaseUntil;
    if (!isHeld || started || task.payer.voided) return refused(task, { type: "attempt-superseded" });
    return ok([{ type: "transmission.started", gateId: gate.id, attempt, at }]);
  },

  lapse: (task, command, { at }) => {
    const { stage } = task;
    const isLate = stage.kind === "submitting" && stage.leaseUntil !== undefined && stage.leaseUntil <= at;
    if (!isLate) return outOfState(task, command);
    const lapsed: Event = { type: "transmission.lapsed", gateId: stage.gate.id, attempt: stage.attempt };
    if (!stage.started) return ok([lapsed, ...requeue(task, stage, at, reasons.stoppedBeforeSending, false)]);
    return ok([lapsed, ...doubt(task, stage, reasons.stoppedBeforeRecording)]);
  },

  "record-acceptance": (task, { attempt, reference, pending, informationRequest }) =>
    withAttempt(task, attempt, (stage) => {
      const { gate, started: left } = stage;
      const accepted: Event = { type: "transmission.accepted", gateId: gate.id, attempt };
      if (task.payer.voided) return [accepted, over(task, stage, "accepted"), ...(informationRequest ? [late] : [])];
      if (gate.action === "void") return [accepted, voidTaken(gate, { left, done: pending !== true })];
      const taken = received(task, gate, { left, reference });
      if (!informationRequest) return [accepted, taken];
      // An information request about a decided case is for a person to resolve.
      if (task.payer.determination && !taken.undecided) return [accepted, taken, unordered];
      return [accepted, { ...taken, informationRequest }];
    }),

  "record-rejection": (task, { attempt, correction, reason, retryAt }) =>
    withAttempt(task, attempt, (stage) => {
      const { gate, started: left } = stage;
      const rejected: Event = { type: "transmission.rejected", gateId: gate.id, attempt, reason };
      if (task.payer.voided) return [rejected, over(task, stage, "rejected")];
      if (correction === "try-again") return [rejected, ...requeue(task, stage, retryAt, reason, left)];
      const isFirst = gate.action === "transmit" && !gate.update;
      const nothing = isFirst && task.payer.payerReceipt !== "yes";
      const ends = nothing && correction === "final";
      // A payer that rejects an update or a void has the case.
      const facts = { reason, ends, payerReceipt: nothing ? "no" : "yes", ...wantedAfter(task, gate, reason) } as const;
      const turnedDown: Event = { type: "transmission.refused", gateId: gate.id, left, ...facts };
      return [rejected, turnedDown, ...(isFirst && !nothing ? [unordered] : [])];
    }),

  "record-not-sent": (task, { attempt, reason, retryAt }) =>
    withAttempt(task, attempt, (stage) => {
      const notSent: Event = { type: "transmission.not-sent", gateId: stage.gate.id, attempt, reason, by: "worker" };
      if (task.payer.voided) return [notSent, over(task, stage, "not-sent")];
      return [notSent, ...requeue(task, stage, retryAt, reason, false)];
    }),

  "give-up-manual-submission": (task, command, context) => {
    const { stage } = task;
    const { attempt, reason } = command;
    if (stage.kind === "submitting" && stage.attempt === attempt && !task.payer.voided && !stage.gate.manual)
      return outOfState(task, command);
    return withAttempt(task, attempt, ({ gate }) => {
      const notSent = { type: "transmission.not-sent", gateId: gate.id, attempt, reason } as const;
      if (task.payer.voided)
        return [
          { ...notSent, by: "worker" },
          { ...ended(gate), result: undefined },
        ];
      return [{ ...notSent, by: "person" }, superseded(gate), heldAnew(task, gate, context)];
    });
  },

  "record-unknown-outcome": (task, { attempt, reason }) =>
    withAttempt(task, attempt, (stage) => {
      const doubted: Event = { type: "transmission.outcome-unknown", gateId: stage.gate.id, attempt, reason };
      return [doubted, ...(task.payer.voided ? [over(task, stage, "unknown")] : doubt(task, stage, reason))];
    }),

  "record-found-submission": (task, command) => {
    const { stage, payer } = task;
    const waits = stage.kind === "held" || stage.kind === "released" || (stage.kind === "submitting" && !stage.started);
    if (!waits || stage.gate.manual || payer.voided) return outOfState(task, command);
    const { gate } = stage;
    const releasedAt = stage.kind === "held" ? command.at : stage.releasedAt;
    const reason = reasons.submittedBeforeRestore;
    const found: Event = {
      type: "transmission.found",
      gateId: gate.id,
      at: command.at,
      released: stage.kind === "held",
    };
    // No attempt is left: the release may be missing from this database, so nothing allows another submission.
    return ok([
      found,
      ...doubt(task, { gate, releasedAt, attempt: attemptsMax, started: true }, reason, "unconfirmed"),
    ]);
  },

  "record-lost-submission": (_, { reason }) => ok([{ type: "transmission.lost", reason }]),

  "resolve-unconfirmed": (task, command, context) => {
    const { stage } = task;
    const { payerHas, reference } = command;
    if (stage.kind !== "unconfirmed" || task.payer.voided) return outOfState(task, command);
    const { gate } = stage;
    const gateId = gate.id;
    const answered: Event = { type: "transmission.resolved", gateId, payerHas };
    if (gate.action === "transmit" && payerHas) return ok([answered, received(task, gate, { left: false, reference })]);
    if (gate.action === "void" && !payerHas) return ok([answered, voidTaken(gate, { left: false, done: true })]);
    const payerReceipt = gate.action === "void" || gate.update ? "yes" : "no";
    const next = { ...task, payer: { ...task.payer, payerReceipt } as const };
    const absent: Event = { type: "transmission.not-received", gateId, payerReceipt };
    return ok([answered, absent, heldAnew(next, gate, context)]);
  },
} satisfies Partial<Decisions>;

function isTooOld(releasedAt: Date, at: Date): boolean {
  return at.getTime() - releasedAt.getTime() > releaseAgeMaxMs;
}
