import type { Ballot } from "./ballot.ts";
import type { Event } from "./event.ts";
import { assert } from "#lib/platform/result";
import { gateOf, type Gate, type NewGate, type State, type Task } from "./task.ts";
import { openTask, transition } from "./transition.ts";

export const laterBy = (ms: number) => new Date(ms);

/** A gate nobody saw before; its digest stands for one frozen document. */
export function newGate(id: string, byHand = false): NewGate {
  return { id, byHand, digest: `digest of ${id}`, openedAt: new Date(0), expiresAt: new Date(1e12) };
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

/** The one release that is needed. */
export const alone: Ballot = { by: "reviewer", needed: 1, given: [], owners: [] };

/** One event of each type that fits the task as well as any can. */
export function eventsOn(task: Task): { readonly [Type in Event["type"]]: Extract<Event, { type: Type }> } {
  const seen = seenAt(task);
  const gate = newGate(`${seen.gateId}+`);
  const at = laterBy(1000);
  const attempt = "attempt" in task.motion ? task.motion.attempt : 1;
  const expired = task.motion.kind === "held" ? task.motion.gate.expiresAt : at;
  return {
    amended: { type: "amended", missing: [], gate },
    released: { type: "released", seen, at, claimableAt: at, ballot: alone },
    "taken-back": { type: "taken-back", seen, at, released: true },
    declined: { type: "declined", seen, at, reason: "no" },
    "sent-back": { type: "sent-back", seen, at, question: "which side?" },
    recalled: { type: "recalled", gateId: seen.gateId, gate },
    expired: { type: "expired", at: expired },
    "re-held": { type: "re-held", gate, missing: [], reason: "the route changed" },
    adopted: { type: "adopted" },
    withdrawn: { type: "withdrawn" },
    "void-asked": { type: "void-asked", reason: "not needed", gate },
    claimed: { type: "claimed", by: "worker", at, leaseUntil: laterBy(91_000) },
    "claimed-again": { type: "claimed-again", at, leaseUntil: laterBy(91_000) },
    started: { type: "started", attempt, at },
    lapsed: { type: "lapsed", at: laterBy(1e9), retryAt: laterBy(1e9) },
    "not-sent": { type: "not-sent", attempt, reason: "refused", retryAt: laterBy(2000) },
    "could-not-send": { type: "could-not-send", attempt, reason: "fax down", gate },
    accepted: { type: "accepted", attempt, reference: "R1" },
    rejected: { type: "rejected", attempt, correction: "correctable", reason: "member unknown", retryAt: at },
    "found-submitted": { type: "found-submitted", at },
    "submission-lost": { type: "submission-lost", reason: "the payer may have another" },
    doubted: { type: "doubted", attempt, reason: "no reply" },
    settled: { type: "settled", payerHas: true, reference: "R1", gate },
    "payer-decided": {
      type: "payer-decided",
      determination: { id: `by ${seen.gateId}`, outcome: "approved", decidedAt: laterBy(5) },
      gate,
    },
    "payer-wants": { type: "payer-wants", wants: { text: "the imaging report", items: [] } },
    "payer-voided": { type: "payer-voided" },
    "payer-rejected": {
      type: "payer-rejected",
      correction: "correctable",
      reason: "member unknown",
      update: "gate" in task.motion && task.motion.gate.update,
      gate,
    },
    "answered-late": { type: "answered-late" },
    "void-refused": { type: "void-refused", reason: "services were given" },
    "payer-asks-contact": { type: "payer-asks-contact", text: "call us" },
    unreadable: { type: "unreadable", reason: "no Bundle" },
    attended: { type: "attended" },
  };
}

/** A complete first revision taken through the events of these types. */
export function historyOf({ byHand = false }: { byHand?: boolean }, ...types: Event["type"][]): Task {
  const first = openTask({ missing: [], gate: newGate("gate", byHand) }).task;
  return types.reduce((task, type) => {
    const next = transition(task, eventsOn(task)[type]);
    assert(next.ok, `${type} may happen here`);
    return next.value.task;
  }, first);
}

const transmitted = ["released", "claimed", "started", "accepted"] as const;
const voiding = [...transmitted, "void-asked", "released", "claimed", "started"] as const;

export const examples: { readonly [Name in State]: Task } = {
  "needs-information": openTask({ missing: ["/subscriber/memberId"] }).task,
  "transmit-held": historyOf({}),
  "transmit-released": historyOf({}, "released"),
  transmitting: historyOf({}, "released", "claimed", "started"),
  "transmit-unconfirmed": historyOf({}, "released", "claimed", "started", "doubted"),
  transmitted: historyOf({}, ...transmitted),
  "payer-needs-information": historyOf({}, ...transmitted, "payer-wants"),
  determined: historyOf({}, ...transmitted, "payer-decided"),
  "void-held": historyOf({}, ...transmitted, "void-asked"),
  "void-released": historyOf({}, ...transmitted, "void-asked", "released"),
  voiding: historyOf({}, ...voiding),
  "void-unconfirmed": historyOf({}, ...voiding, "doubted"),
  voided: historyOf({}, ...voiding, "accepted"),
  withdrawn: historyOf({}, "withdrawn"),
  declined: historyOf({}, "declined"),
  failed: (() => {
    const sending = historyOf({}, "released", "claimed", "started");
    const final = { ...eventsOn(sending).rejected, correction: "final" } as const;
    const next = transition(sending, final);
    assert(next.ok, "a payer may refuse for good");
    return next.value.task;
  })(),
};
