import type { Recourse } from "#lib/task/model/recourse";
import {
  askedOfChangeText,
  checkAnswerWhat,
  contestableText,
  expiredText,
  heldUpdateSays,
  manualTexts,
  decidesAgainText,
  peerToPeerText,
  stateTexts,
  undecidedTexts,
  voidPendingText,
  type NextActor,
} from "#lib/messages/agent/status";
import { gateOf, openRecourse, stateOf, type State, type Task } from "#lib/task/model/task";

type A2aState = "working" | "input-required" | "completed" | "canceled" | "failed" | "rejected";

/** The A2A state of each state of ours, and who moves next. The agent guide shows this table. */
export const statusByState: Readonly<Record<State, { readonly status: A2aState; readonly by: NextActor }>> = {
  "needs-information": { status: "input-required", by: "agent" },
  "transmit-held": { status: "working", by: "reviewer" },
  "transmit-released": { status: "working", by: "service" },
  transmitting: { status: "working", by: "service" },
  "transmit-unconfirmed": { status: "working", by: "service" },
  transmitted: { status: "working", by: "payer" },
  "payer-needs-information": { status: "input-required", by: "agent" },
  determined: { status: "completed", by: "none" },
  "void-held": { status: "working", by: "reviewer" },
  "void-released": { status: "working", by: "service" },
  voiding: { status: "working", by: "service" },
  "void-unconfirmed": { status: "working", by: "service" },
  voided: { status: "canceled", by: "none" },
  withdrawn: { status: "canceled", by: "none" },
  declined: { status: "rejected", by: "none" },
  failed: { status: "failed", by: "none" },
};

type Status = {
  readonly status: A2aState;
  readonly by: NextActor;
  readonly says: string;
  readonly what: string;
  /** The last day for it, YYYY-MM-DD. */
  readonly until?: string | undefined;
};

/**
 * The status of a task: that of its state, except for manual submissions, answers that a person must look into, and
 * where its last gate expired or a reviewer asks about a change.
 */
export function statusOf(task: Task, gate?: { readonly status: string }): Status {
  const state = stateOf(task);
  const { determination, undecided } = task.payer;
  const texts = (determination && undecided && undecidedTexts[state]) ?? stateTexts[state];
  const status = { ...statusByState[state], ...texts };
  const recourse = openRecourse(task);
  const isExpired = state === "needs-information" && gate?.status === "expired" && task.missing.length === 0;
  if (isExpired) return { ...status, ...expiredText };
  if (task.payer.voidPending) return { ...status, by: "payer", ...voidPendingText };
  if (task.stage.kind === "held" && task.stage.gate.update) return { ...status, says: heldUpdateSays };
  if (status.by === "service" && gateOf(task)?.manual) return { ...status, by: "reviewer", ...manualText(task) };
  if (isAskedOfChange(task, gate)) return { ...status, by: "agent", ...askedOfChangeText };
  if (recourse) return { ...status, ...recourseStatus(recourse), until: recourse.terms?.by };
  if (status.by === "payer" && task.attention) return { ...status, by: "reviewer", what: checkAnswerWhat };
  return status;
}

/** The reviewer's question is the last that was said: whatever the payer says since takes its place. */
function isAskedOfChange({ stage, payer, remark }: Task, gate: { readonly status: string } | undefined): boolean {
  const isWithPayer =
    stage.kind === "idle" && payer.payerReceipt === "yes" && !payer.informationRequest && !payer.voided;
  return isWithPayer && gate?.status === "sent-back" && remark?.by === "reviewer";
}

/**
 * A reviewer holds the peer-to-peer review that is under way, and records what the payer decides after one where it did not stay with its decision;
 * otherwise the agent may contest the determination.
 */
function recourseStatus({ peerToPeer }: Recourse): Pick<Status, "by" | "says" | "what"> {
  const isUnderWay = peerToPeer?.status === "requested" || peerToPeer?.status === "scheduled";
  if (isUnderWay) return { by: "reviewer", ...peerToPeerText };
  const decidesAgain = peerToPeer?.status === "held" && peerToPeer.outcome !== "upheld";
  return decidesAgain ? { by: "reviewer", ...decidesAgainText } : { by: "agent", ...contestableText };
}

function manualText({ stage }: Task) {
  switch (stage.kind) {
    case "released":
    case "submitting":
    case "unconfirmed":
      return manualTexts[stage.kind];
    case "idle":
    case "held":
    case "ended":
      return {};
  }
}
