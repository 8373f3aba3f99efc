import type { Command } from "#lib/task/model/lifecycle/command";
import { decide } from "#lib/task/model/lifecycle/decide";
import { gateOf, isWithPayer, type NewGate, type Task } from "#lib/task/model/task";
import type { Possible } from "./views.ts";

/**
 * What a reviewer may do with a task as it is now: `decide`, tried without writing. Each verb decides again when it
 * runs.
 */
export function possibleOn(task: Task): readonly Possible[] {
  return offersOn(task).flatMap(([possible, command]) => (isPossible(command, task) ? [possible] : []));
}

type Offer = readonly [Possible, Command];

/** One command for each act, with the form's fields blank. */
function offersOn(task: Task): readonly Offer[] {
  return [
    ...atGate(task),
    ...duringSubmission(task),
    ...afterDenial,
    ...(isWithPayer(task) ? ofPayer : []),
    ["attend", { type: "attend" }],
  ];
}

const blank = { by: "", reason: "" };

function atGate(task: Task): readonly Offer[] {
  const gate = gateOf(task);
  if (!gate) return [];
  const seen = { gateId: gate.id, revision: gate.revision, digest: gate.digest };
  const ballot = { by: "", needed: 1, given: [], owners: [] };
  return [
    ["release", { type: "release", seen, claimableAt: gate.openedAt, ballot }],
    ["adopt", { type: "adopt", by: "" }],
    ["decline", { type: "decline", seen, ...blank }],
    ["request-information", { type: "request-information", seen, by: "", question: "" }],
    ["edit", { type: "edit", seen, by: "", paths: [""] }],
    ["recall", { type: "recall", gateId: gate.id }],
  ];
}

function duringSubmission({ stage, payer }: Task): readonly Offer[] {
  // If the case is void, whoever made an attempt still reports its outcome, but nobody is asked to.
  if (!("gate" in stage) || payer.voided) return [];
  const attempt = stage.kind === "submitting" ? stage.attempt : 0;
  const notSent = { type: "give-up-manual-submission", attempt, reason: "" } as const;
  return [
    ["start-manual-submission", { type: "claim", by: "person" }],
    // Whoever may report that it was not submitted may also report that it was, and its outcome.
    ["report-sent", notSent],
    ["report-refused", notSent],
    ["report-not-sent", notSent],
    ["resolve-unconfirmed", { type: "resolve-unconfirmed", payerHas: true }],
  ];
}

const ofPayer: readonly Offer[] = [
  ["record-determination", { type: "record-determination", determination: { id: "", outcome: "approved" } }],
  ["record-voided", { type: "record-payer-void" }],
  ["record-information-request", { type: "record-information-request", informationRequest: { text: "", items: [] } }],
  ["record-void-refused", { type: "record-void-refusal", gateId: "", reason: "" }],
];

const afterDenial: readonly Offer[] = [
  ["record-appeal-terms", { type: "record-appeal-terms", terms: {} }],
  ["record-peer-to-peer", { type: "record-peer-to-peer", peerToPeer: { status: "requested" } }],
  ["accept-determination", { type: "accept-determination" }],
];

/** Commands that would only be recorded, without changing the task, are not offered. */
function isPossible(command: Command, task: Task): boolean {
  const decided = decide(command, task, { at: sinceWhen(task), gate: blankGate(task) });
  if (!decided.ok) return false;
  return (
    command.type !== "record-information-request" ||
    decided.value.every((event) => !("counts" in event) || event.counts)
  );
}

/** The time from which the task may be acted on. If it is too late when somebody acts, they are told then. */
function sinceWhen({ stage }: Task): Date {
  if (stage.kind === "held") return stage.gate.openedAt;
  return stage.kind === "released" ? stage.claimableAt : new Date(0);
}

function blankGate(task: Task): NewGate {
  const at = sinceWhen(task);
  return { id: "", manual: false, digest: "", openedAt: at, expiresAt: at };
}
