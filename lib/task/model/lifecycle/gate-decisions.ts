import { ok } from "#lib/platform/result";
import { isEnough } from "#lib/task/model/vote-rule";
import { canVoid, canWithdraw, isContestable, isDecided, type Task } from "#lib/task/model/task";
import { reasons } from "#lib/messages/reasons/case";
import type { DecisionContext } from "./command.ts";
import { completion, ofNewRequest, openGate, opened, outOfState, refused, superseded } from "./consequences.ts";
import type { Event } from "./event.ts";
import type { Decisions } from "./decisions.ts";

/** What agents and reviewers may do about a request and its gate. */
export const gateDecisions = {
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
} satisfies Partial<Decisions>;

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
