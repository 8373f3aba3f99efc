import { ok } from "#lib/platform/result";
import { orderAfter } from "#lib/task/model/determination";
import { hasOpenVoid, isContestable, isDecided, openRecourse } from "#lib/task/model/task";
import {
  afterNews,
  confirmed,
  ended,
  fitsRefusal,
  isForeign,
  isOver,
  late,
  ofNewRequest,
  onceVoided,
  outOfState,
  receiptOf,
  stillOwed,
  superseded,
  unordered,
  updateUnderWay,
  withoutUpdate,
} from "./consequences.ts";
import type { Event } from "./event.ts";
import type { Decisions } from "./decisions.ts";

/** What the payer says, and what people record of it. */
export const payerDecisions = {
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
} satisfies Partial<Decisions>;
