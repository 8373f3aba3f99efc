import { assert, ok, type Result } from "#lib/platform/result";
import { isEnough } from "#lib/task/model/vote-rule";
import { orderAfter } from "#lib/task/model/determination";
import type { LifecycleRefusal } from "#lib/task/model/lifecycle-refusal";
import {
  canVoid,
  canWithdraw,
  hasOpenVoid,
  isContestable,
  isDecided,
  openRecourse,
  type Task,
} from "#lib/task/model/task";
import { reasons } from "#lib/messages/reasons/case";
import type { Command, CommandType, DecisionContext } from "./command.ts";
import {
  afterNews,
  completion,
  confirmed,
  doubt,
  ended,
  fitsRefusal,
  heldAnew,
  isForeign,
  isOver,
  late,
  ofNewRequest,
  onceVoided,
  openGate,
  opened,
  outOfState,
  over,
  receiptOf,
  received,
  refused,
  requeue,
  stillOwed,
  superseded,
  unordered,
  updateUnderWay,
  voidTaken,
  wantedAfter,
  withAttempt,
  withoutUpdate,
  type Decision,
} from "./consequences.ts";
import type { Event } from "./event.ts";
import { replay } from "./evolve.ts";

type CommandOf<Type extends CommandType> = Extract<Command, { readonly type: Type }>;
type Decisions = {
  readonly [Type in CommandType]: (task: Task, command: CommandOf<Type>, context: DecisionContext) => Decision;
};

/** A release older than this no longer counts: 24 hours. */
export const releaseAgeMaxMs = 24 * 60 * 60 * 1000;

/** The most attempts to submit an action of unknown outcome, including the first. */
export const attemptsMax = 6;

/** Every guard of the lifecycle, one function per command. Each returns events or a refusal. */
const decisions: Decisions = {
  amend: (task, command, context) => {
    const { stage, payer } = task;
    const open = stage.kind === "held" && stage.gate.action === "transmit" ? stage.gate : undefined;
    const { missing, gate } = completion(context);
    const owes = payer.payerReceipt === "no" || payer.informationRequest !== undefined;
    const unasked = payer.payerReceipt === "yes" && !owes;
    const waits = stage.kind === "idle" && (owes || unasked);
    if (payer.voided || payer.voidPending || (!open && !waits)) return outOfState(task, command);
    const fits = command.appeal
      ? isDecided(payer) && isContestable(payer) && gate !== undefined
      : canChange(task, gate);
    if (unasked ? !fits : command.appeal) return outOfState(task, command);
    const revision = task.revision + 1;
    const amended: Event = { type: "task.amended", revision, missing };
    return ok([
      ...(open ? [superseded(open)] : []),
      amended,
      ...ofNewRequest(task),
      ...(gate ? [opened({ ...task, revision }, "transmit", context)] : []),
    ]);
  },

  release: (task, { seen, claimableAt, ballot, override }, { at }) => {
    const gate = openGate(task, seen, at);
    if (!gate.ok) return gate;
    if (task.attention === "channel-revoked") return refused(task, { type: "needs-adoption" });
    const { by, needed, owners } = ballot;
    if (owners.includes(by)) return refused(task, { type: "owns-channel" });
    const editors = needed > 1 ? editorsOf(task) : [];
    if (editors.includes(by)) return refused(task, { type: "edited-it" });
    const gateId = gate.value.id;
    const given = ballot.given.filter((one) => !editors.includes(one));
    if (isEnough({ ...ballot, given }))
      return ok([{ type: "gate.released", gateId, by, override, releasedAt: at, claimableAt }]);
    if (given.includes(by)) return refused(task, { type: "released-already", given: given.length, needed });
    return ok([{ type: "gate.voted", gateId, by, override }]);
  },

  "release-automatically": (task, command, { at }) => {
    const { seen, claimableAt } = command;
    const gate = openGate(task, seen, at);
    if (!gate.ok) return gate;
    // A person who submits manually would otherwise do so without anybody having released it.
    if (gate.value.manual) return outOfState(task, command);
    if (task.attention === "channel-revoked") return refused(task, { type: "needs-adoption" });
    // What a person changed, a person releases.
    if (editorsOf(task).length > 0) return outOfState(task, command);
    return ok([{ type: "gate.auto-released", gateId: gate.value.id, releasedAt: at, claimableAt }]);
  },

  "withdraw-vote": (task, { seen, by, released }, { at }) => {
    const gate = openGate(task, seen, at);
    if (!gate.ok) return gate;
    if (!released) return refused(task, { type: "not-released" });
    return ok([{ type: "gate.vote-withdrawn", gateId: gate.value.id, by }]);
  },

  decline: (task, { seen, by, reason, reasonCode }, { at }) => {
    const gate = openGate(task, seen, at);
    if (!gate.ok) return gate;
    const ends = gate.value.action === "transmit" && task.payer.payerReceipt === "no";
    return ok([{ type: "gate.declined", gateId: gate.value.id, by, reason, reasonCode, ends }]);
  },

  "request-information": (task, command, { at }) => {
    const { seen, by, question, fields = [] } = command;
    const gate = openGate(task, seen, at);
    if (!gate.ok) return gate;
    if (gate.value.action === "void") return outOfState(task, command);
    return ok([{ type: "gate.sent-back", gateId: gate.value.id, by, question, fields }]);
  },

  edit: (task, command, context) => {
    const { seen, by, paths } = command;
    const open = openGate(task, seen, context.at);
    if (!open.ok) return open;
    const { action, manual } = open.value;
    const { gate } = completion(context);
    const { payerReceipt, informationRequest } = task.payer;
    const unasked = payerReceipt === "yes" && informationRequest === undefined;
    // An edit corrects what waits for release and never takes it from there, nor makes it another kind of submission.
    const fits = action === "transmit" && gate !== undefined && (!unasked || gate.manual === manual);
    if (!fits || paths.length === 0) return outOfState(task, command);
    const revision = task.revision + 1;
    return ok([
      superseded(open.value),
      { type: "task.edited", revision, by, paths },
      opened({ ...task, revision }, "transmit", context),
    ]);
  },

  recall: (task, command, context) => {
    const { gateId } = command;
    const { stage } = task;
    if (stage.kind !== "released" || task.payer.voided) return outOfState(task, command);
    if (stage.gate.id !== gateId) return refused(task, { type: "stale" });
    const { missing, gate } = completion(context);
    if (gate) return ok([{ type: "gate.recalled", gateId }, opened(task, stage.gate.action, context)]);
    const reason = reasons.connectionNeedsMore;
    return ok([{ type: "gate.recalled", gateId, missing, reason }]);
  },

  expire: (task, command, { at }) => {
    const { stage } = task;
    if (stage.kind !== "held" || at < stage.gate.expiresAt) return outOfState(task, command);
    const reason = reasons.expired;
    return ok([{ type: "gate.expired", gateId: stage.gate.id, reason }]);
  },

  "hold-again": (task, command, context) => {
    const { stage } = task;
    if ((stage.kind !== "held" && stage.kind !== "released") || task.payer.voided) return outOfState(task, command);
    const { reason } = command;
    // What a person owes already stays; without access, the next claim holds it again.
    const attention = task.attention === undefined ? command.attention : undefined;
    const { missing, gate } = completion(context);
    const again: Event = { type: "gate.re-held", gateId: stage.gate.id, missing, reason, attention };
    return ok(gate ? [again, opened(task, stage.gate.action, context)] : [again]);
  },

  adopt: (task, command) => {
    if (task.attention !== "channel-revoked" || task.stage.kind !== "held") return outOfState(task, command);
    return ok([{ type: "task.adopted", by: command.by }]);
  },

  withdraw: (task) => {
    const { stage } = task;
    if (stage.kind === "ended" && stage.end === "withdrawn") return ok([]);
    if (!canWithdraw(task)) {
      const use = canVoid(task) ? "prior_auth_void" : undefined;
      return refused(task, { type: "not-withdrawable", use });
    }
    return ok([{ type: "task.withdrawn", gateId: "gate" in stage ? stage.gate.id : undefined }]);
  },

  "request-void": (task, command, context) => {
    if (!canVoid(task)) return outOfState(task, command);
    const { stage } = task;
    const requested: Event = { type: "void.requested", reason: command.reason };
    const closed = stage.kind === "held" ? [superseded(stage.gate)] : [];
    return ok([...closed, requested, ...ofNewRequest(task), opened(task, "void", context)]);
  },

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

  "record-determination": (task, command, context) => {
    const { determination, reference, replaces } = command;
    const decided = { type: "payer.decided", determination } as const;
    if (isOver(task)) return ok([{ ...decided, counts: false }, late]);
    if (isForeign(task)) return outOfState(task, command);
    const isReplaced = replaces !== undefined && replaces === task.payer.determination?.id;
    const order = isReplaced ? "newer" : orderAfter(task.payer, determination);
    if (order === "older") return ok([{ ...decided, counts: false }]);
    if (order === "unknown") return ok([{ ...decided, counts: false }, unordered]);
    return ok([
      { ...decided, counts: true, reference, payerReceipt: receiptOf(task) },
      ...stillOwed(task),
      ...(order === "disputed" ? [unordered] : []),
      ...afterNews(task, context),
    ]);
  },

  "record-information-request": (task, command) => {
    const { informationRequest } = command;
    const beside = updateUnderWay(task);
    const requested = { type: "payer.requested-information", informationRequest, beside } as const;
    if (isOver(task)) return ok([{ ...requested, counts: false }, late]);
    if (isForeign(task)) return outOfState(task, command);
    if (isDecided(task.payer)) return ok([{ ...requested, counts: false }, unordered]);
    return ok([{ ...requested, counts: true, payerReceipt: receiptOf(task) }, ...confirmed(task)]);
  },

  "record-payer-void": (task, command) => {
    if (isOver(task)) return ok([{ type: "payer.voided", counts: false }, late]);
    if (isForeign(task)) return outOfState(task, command);
    const { stage, payer } = task;
    const byUs = payer.voidPending || (stage.kind === "unconfirmed" && stage.gate.action === "void");
    const voided: Event = { type: "payer.voided", counts: true, voided: byUs ? "by-us" : "by-payer" };
    if (!("gate" in stage) || stage.kind === "submitting") return ok([voided]);
    // A submission that is under way is still answered; one that waits is never sent.
    const end: Event =
      stage.kind === "unconfirmed" ? { ...ended(stage.gate), result: onceVoided(stage.gate) } : superseded(stage.gate);
    return ok([voided, end, ...ofNewRequest(task)]);
  },

  "record-payer-rejection": (task, command, context) => {
    const { gateId, update, correction, reason } = command;
    const rejected = { type: "payer.rejected", gateId, reason, counts: true, ends: false } as const;
    if (isOver(task)) return ok([{ ...rejected, counts: false }, late]);
    if (isForeign(task)) return outOfState(task, command);
    if (!fitsRefusal(task, update)) return ok([{ ...rejected, counts: false }, unordered]);
    if (update) return ok(withoutUpdate(task, rejected, { ...context, earlierUpdate: command.earlierUpdate }));
    const { stage } = task;
    const waiting = stage.kind === "held" || stage.kind === "released";
    return ok([
      ...(waiting ? [superseded(stage.gate)] : []),
      ...(stage.kind === "unconfirmed" ? [{ ...ended(stage.gate), result: "refused" } as const] : []),
      { ...rejected, ends: correction === "final" },
    ]);
  },

  "record-late-answer": ({ attention }) =>
    ok([{ type: "payer.answered-late" }, ...(attention === "channel-revoked" ? [] : [late])]),

  "record-void-refusal": (task, command) => {
    const { gateId, reason } = command;
    if (!hasOpenVoid(task)) return outOfState(task, command);
    const { stage } = task;
    const inDoubt = stage.kind === "unconfirmed" ? [{ ...ended(stage.gate), result: "refused" } as const] : [];
    return ok([{ type: "payer.void-refused", gateId, reason }, ...inDoubt]);
  },

  "record-contact-request": (task, command) => {
    const requested = { type: "payer.requested-contact", text: command.text } as const;
    if (isOver(task)) return ok([{ ...requested, counts: false }, late]);
    if (isForeign(task)) return outOfState(task, command);
    return ok([{ ...requested, counts: true, payerReceipt: receiptOf(task) }, ...confirmed(task)]);
  },

  "record-unreadable-answer": (task, command) => {
    const unreadable = { type: "payer.unreadable", reason: command.reason } as const;
    if (isOver(task)) return ok([{ ...unreadable, counts: false }, late]);
    if (isForeign(task)) return outOfState(task, command);
    return ok([{ ...unreadable, counts: true }]);
  },

  "record-appeal-terms": (task, command) => {
    if (!isContestable(task.payer)) return outOfState(task, command);
    return ok([{ type: "payer.appeal-terms", terms: command.terms }]);
  },

  "record-peer-to-peer": (task, command) => {
    if (!isContestable(task.payer)) return outOfState(task, command);
    return ok([{ type: "payer.peer-to-peer", peerToPeer: command.peerToPeer }]);
  },

  "accept-determination": (task, command) => {
    if (!openRecourse(task)) return outOfState(task, command);
    return ok([{ type: "determination.accepted" }]);
  },

  attend: (task, command) => {
    if (!task.attention || task.attention === "channel-revoked") return outOfState(task, command);
    return ok([{ type: "task.attended" }]);
  },
};

/**
 * Who edited what the open gate would submit. Where it takes several people to release it, these are none of them: the
 * others would be fewer than the practice asks for. A void submits nothing that was edited.
 */
function editorsOf({ stage, edited }: Task): readonly string[] {
  const isOfRequest = stage.kind === "held" && stage.gate.action === "transmit";
  return isOfRequest ? (edited?.by ?? []) : [];
}

/** A request that the payer has, without an open information request, can be changed over its connection only. */
function canChange({ payer }: Task, gate: DecisionContext["gate"]): boolean {
  // PAS 2.2.1 "Additional Notes": a denied request is not updated.
  const isDenied = isDecided(payer) && payer.determination?.outcome === "denied";
  return !isDenied && gate?.manual === false;
}

/**
 * What a command makes happen to a task, or why it may not happen. Pure: the same input always gives the same result.
 */
export function decide(command: Command, task: Task, context: DecisionContext): Decision {
  // Safe because `decisions` maps each command type to the function for exactly that command.
  const decision = decisions[command.type] as (task: Task, command: Command, context: DecisionContext) => Decision;
  return decision(task, command, context);
}

/** Several commands as one: each is decided on the task as the ones before it left it. */
export function decideAll(
  commands: readonly Command[],
  task: Task,
  context: DecisionContext,
): Result<{ readonly events: readonly Event[]; readonly task: Task }, LifecycleRefusal> {
  let [events, next]: [readonly Event[], Task] = [[], task];
  for (const command of commands) {
    const decided = decide(command, next, context);
    if (!decided.ok) return decided;
    events = [...events, ...decided.value];
    next = replay(decided.value, next);
  }
  return ok({ events, task: next });
}

/** A new task: at a gate if its first revision is complete for its payer connection, else waiting for the agent. */
export function openTask(context: Omit<DecisionContext, "at">): {
  readonly events: readonly Event[];
  readonly task: Task;
} {
  const { missing, gate } = completion(context);
  const first = gate && { ...gate, action: "transmit" as const, update: false, revision: 1 };
  const events: readonly Event[] = [{ type: "task.opened", missing, gate: first }];
  return { events, task: replay(events) };
}

function isTooOld(releasedAt: Date, at: Date): boolean {
  return at.getTime() - releasedAt.getTime() > releaseAgeMaxMs;
}
