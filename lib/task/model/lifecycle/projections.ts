import { acts, project, type Act, type Event, type Override, type Projection } from "./event.ts";
import type { DeclineCode } from "#lib/task/model/decline-code";
import type { Gate } from "#lib/task/model/task";

/**
 * How a gate closed. After `superseded`, its votes don't count: what was shown is no longer what would be submitted.
 */
export type GateEnd = "released" | "declined" | "sent-back" | "recalled" | "expired" | "superseded" | "withdrawn";

/** A gate that closed, who answered it, and what they wrote. */
export type ClosedGate = {
  readonly gateId: string;
  readonly as: GateEnd;
  readonly by?: string | undefined;
  /** Without a person. */
  readonly automatic?: true;
  readonly reason?: string | undefined;
  readonly reasonCode?: DeclineCode | undefined;
  /** JSON pointers into the service review. */
  readonly fields?: readonly string[] | undefined;
};

/** A person's answer at a gate; their last one counts. `none` withdraws their release. */
export type Vote = {
  readonly gateId: string;
  readonly personId: string;
  readonly answer: "release" | "decline" | "send-back" | "none";
  readonly over?: Override | undefined;
};

/** What a person decides with a signed receipt. */
export type ReceiptDecision = "released" | "declined" | "sent-back" | "recalled" | "adopted";

/** The act that the audit log names the change by: the last act among its events. The earlier ones led to it. */
export function actOf(events: readonly Event[]): Act | undefined {
  return events.map(({ type }) => acts.find((act) => act === type)).findLast((act) => act !== undefined);
}

export function gatesOpened(events: readonly Event[]): readonly Gate[] {
  return events.flatMap((event) => (event.type === "gate.opened" ? [event.gate] : []));
}

/** Whether a closed case may go on with these events: only at a new gate, for a case that its payer has. */
export function mayReopen(events: readonly Event[]): boolean {
  return gatesOpened(events).some(({ action, update }) => update || action === "void");
}

export function gatesClosed(events: readonly Event[]): readonly ClosedGate[] {
  return events.flatMap((event) => project(closings, event) ?? []);
}

const superseding = ({ gateId }: { readonly gateId: string }): ClosedGate => ({ gateId, as: "superseded" });

const closings: Projection<ClosedGate | undefined> = {
  "gate.released": ({ gateId, by }) => ({ gateId, as: "released", by }),
  "gate.auto-released": ({ gateId }) => ({ gateId, as: "released", automatic: true }),
  "gate.declined": ({ gateId, by, reason, reasonCode }) => ({ gateId, as: "declined", by, reason, reasonCode }),
  "gate.sent-back": ({ gateId, by, question, fields }) => ({ gateId, as: "sent-back", by, reason: question, fields }),
  "gate.recalled": ({ gateId, missing }) => ({ gateId, as: missing ? "superseded" : "recalled" }),
  "gate.expired": ({ gateId }) => ({ gateId, as: "expired" }),
  "gate.re-held": superseding,
  "gate.superseded": superseding,
  "transmission.not-received": superseding,
  "task.withdrawn": ({ gateId }) => (gateId === undefined ? undefined : { gateId, as: "withdrawn" }),
  "transmission.found": ({ gateId, released }) => (released ? { gateId, as: "released" } : undefined),
};

export function votesOf(events: readonly Event[]): readonly Vote[] {
  return events.flatMap((event) => project(votes, event) ?? []);
}

type GateAnswer = { readonly gateId: string; readonly by: string };
const voting =
  (answer: Vote["answer"]) =>
  ({ gateId, by: personId, override: over }: GateAnswer & { readonly override?: Override | undefined }): Vote => ({
    ...{ gateId, personId, answer },
    ...(over ? { over } : {}),
  });

const votes: Projection<Vote> = {
  "gate.voted": voting("release"),
  "gate.released": voting("release"),
  "gate.declined": voting("decline"),
  "gate.sent-back": voting("send-back"),
  "gate.vote-withdrawn": voting("none"),
};

/** Who has adopted the task after these events; null if nobody, undefined if they say nothing of it. */
export function adopterAfter(events: readonly Event[]): string | null | undefined {
  return events.flatMap((event) => project(adopters, event) ?? []).at(-1)?.by;
}

/** What is asked for anew is of whoever asks, so nobody has adopted it. */
const adopters: Projection<{ readonly by: string | null }> = {
  "task.adopted": ({ by }) => ({ by }),
  "task.amended": () => ({ by: null }),
  "void.requested": () => ({ by: null }),
};

const decisions: Readonly<Partial<Record<Event["type"], ReceiptDecision>>> = {
  "gate.released": "released",
  "gate.declined": "declined",
  "gate.sent-back": "sent-back",
  "gate.recalled": "recalled",
  "task.adopted": "adopted",
};

/** The decision at a gate that these events contain, if it has a receipt. */
export function decisionIn(events: readonly Event[]): ReceiptDecision | undefined {
  return events.map(({ type }) => decisions[type]).find((decision) => decision !== undefined);
}
