import type { Ballot } from "#lib/task/model/vote-rule";
import { assert } from "#lib/platform/result";
import { gateOf, type Gate, type NewGate, type State, type Task } from "#lib/task/model/task";
import type { Command, CommandType, DecisionContext } from "./command.ts";
import { decide, openTask } from "./decide.ts";
import { replay } from "./evolve.ts";

export const laterBy = (ms: number) => new Date(ms);

/** A new gate; its digest stands for one frozen document. */
export function newGate(id: string, manual = false): NewGate {
  return { id, manual, digest: `digest of ${id}`, openedAt: new Date(0), expiresAt: new Date(1e12) };
}

export function gateAt(task: Task): Gate {
  const gate = gateOf(task);
  assert(gate, "this example stands at a gate");
  return gate;
}

export function seenAt(task: Task) {
  const gate = gateOf(task);
  return { gateId: gate?.id ?? "none", revision: gate?.revision ?? 0, digest: gate?.digest ?? "none" };
}

/** A single release, which is enough. */
const alone: Ballot = { by: "reviewer", needed: 1, given: [], owners: [] };

/** One command of each type that fits the task as well as possible. */
export function commandsOn(task: Task): { readonly [Type in CommandType]: Extract<Command, { type: Type }> } {
  const seen = seenAt(task);
  const { gateId } = seen;
  const at = laterBy(1000);
  const by = "reviewer";
  const attempt = "attempt" in task.stage ? task.stage.attempt : 1;
  const determination = { id: `by ${gateId}`, outcome: "approved", decidedAt: laterBy(5) } as const;
  const update = "gate" in task.stage && task.stage.gate.update;
  return {
    amend: { type: "amend" },
    release: { type: "release", seen, claimableAt: at, ballot: alone },
    "release-automatically": { type: "release-automatically", seen, claimableAt: at },
    "withdraw-vote": { type: "withdraw-vote", seen, by, released: true },
    decline: { type: "decline", seen, by, reason: "no" },
    "request-information": { type: "request-information", seen, by, question: "which side?" },
    edit: { type: "edit", seen, by: "editor", paths: ["/fromDate"] },
    recall: { type: "recall", gateId },
    expire: { type: "expire" },
    "hold-again": { type: "hold-again", reason: "the route changed" },
    adopt: { type: "adopt", by },
    withdraw: { type: "withdraw" },
    "request-void": { type: "request-void", reason: "not needed" },
    claim: { type: "claim", by: "worker", leaseUntil: laterBy(91_000) },
    "claim-again": { type: "claim-again", leaseUntil: laterBy(91_000) },
    start: { type: "start", attempt },
    lapse: { type: "lapse" },
    "record-not-sent": { type: "record-not-sent", attempt, reason: "refused", retryAt: laterBy(2000) },
    "give-up-manual-submission": { type: "give-up-manual-submission", attempt, reason: "fax down" },
    "record-acceptance": { type: "record-acceptance", attempt, reference: "R1" },
    "record-rejection": {
      ...{ type: "record-rejection", attempt, correction: "correctable", reason: "member unknown", retryAt: at },
    },
    "record-found-submission": { type: "record-found-submission", at },
    "record-lost-submission": { type: "record-lost-submission", reason: "the payer may have another" },
    "record-unknown-outcome": { type: "record-unknown-outcome", attempt, reason: "no reply" },
    "resolve-unconfirmed": { type: "resolve-unconfirmed", payerHas: true, reference: "R1" },
    "record-determination": { type: "record-determination", determination },
    "record-information-request": {
      type: "record-information-request",
      informationRequest: { text: "the imaging report", items: [] },
    },
    "record-payer-void": { type: "record-payer-void" },
    "record-payer-rejection": {
      ...{ type: "record-payer-rejection", gateId, correction: "correctable", reason: "member unknown", update },
    },
    "record-late-answer": { type: "record-late-answer" },
    "record-void-refusal": { type: "record-void-refusal", gateId, reason: "services were given" },
    "record-contact-request": { type: "record-contact-request", text: "call us" },
    "record-unreadable-answer": { type: "record-unreadable-answer", reason: "no Bundle" },
    "record-appeal-terms": { type: "record-appeal-terms", terms: { by: "2026-12-24", how: "by fax" } },
    "record-peer-to-peer": { type: "record-peer-to-peer", peerToPeer: { status: "scheduled", at } },
    "accept-determination": { type: "accept-determination" },
    attend: { type: "attend" },
  };
}

/** The context that a command is decided in: a suitable time, and a gate in case it opens one. */
export function contextOn(task: Task, type: CommandType): DecisionContext {
  const gate = newGate(`${seenAt(task).gateId}+`);
  if (type === "expire" && task.stage.kind === "held") return { at: task.stage.gate.expiresAt, gate };
  return { at: type === "lapse" ? laterBy(1e9) : laterBy(1000), gate };
}

export function decideOn(task: Task, type: CommandType, members: object = {}, context: Partial<DecisionContext> = {}) {
  // Safe because only members of that command are replaced.
  const command = { ...commandsOn(task)[type], ...members } as Command;
  return decide(command, task, { ...contextOn(task, type), ...context });
}

/** The task after a command that may happen. */
export function after(
  task: Task,
  type: CommandType,
  members: object = {},
  context: Partial<DecisionContext> = {},
): Task {
  const decided = decideOn(task, type, members, context);
  assert(decided.ok, `${type} may happen here`);
  return replay(decided.value, task);
}

/** A complete first revision, after commands of these types. */
export function historyOf({ manual = false }: { manual?: boolean }, ...types: CommandType[]): Task {
  return types.reduce((task, type) => after(task, type), openTask({ gate: newGate("gate", manual) }).task);
}

const submitting = ["release", "claim", "start"] as const;
const transmitted = [...submitting, "record-acceptance"] as const;
const voiding = [...transmitted, "request-void", ...submitting] as const;

export const examples: { readonly [Name in State]: Task } = {
  "needs-information": openTask({ missing: ["/subscriber/memberId"] }).task,
  "transmit-held": historyOf({}),
  "transmit-released": historyOf({}, "release"),
  transmitting: historyOf({}, ...submitting),
  "transmit-unconfirmed": historyOf({}, ...submitting, "record-unknown-outcome"),
  transmitted: historyOf({}, ...transmitted),
  "payer-needs-information": historyOf({}, ...transmitted, "record-information-request"),
  determined: historyOf({}, ...transmitted, "record-determination"),
  "void-held": historyOf({}, ...transmitted, "request-void"),
  "void-released": historyOf({}, ...transmitted, "request-void", "release"),
  voiding: historyOf({}, ...voiding),
  "void-unconfirmed": historyOf({}, ...voiding, "record-unknown-outcome"),
  voided: historyOf({}, ...voiding, "record-acceptance"),
  withdrawn: historyOf({}, "withdraw"),
  declined: historyOf({}, "decline"),
  failed: after(historyOf({}, ...submitting), "record-rejection", { correction: "final" }),
};

const denied = { determination: { id: "denial", outcome: "denied", decidedAt: laterBy(5), revision: 1 } } as const;
const changed = [...transmitted, "record-determination", "amend", ...transmitted] as const;

/** What the state alone does not show: cases in a state that differ from its example. */
export const situations = {
  "determined: denied": after(examples.transmitted, "record-determination", denied),
  "transmitted: a change of what was decided": historyOf({}, ...changed),
  "payer-needs-information: on a change of what was decided": historyOf({}, ...changed, "record-information-request"),
} as const satisfies { readonly [Name in string]: Task };
