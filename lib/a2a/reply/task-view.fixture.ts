import type { Gate, Motion, PayerFacts, State, Task } from "#lib/task/model/task";
import type { TaskRecord } from "#lib/task/views";
import { taskView } from "./task-view.ts";

export const at = new Date("2026-11-20T12:00:00.000Z");
export const later = new Date("2026-12-04T12:00:00.000Z");
export const gate: Gate = {
  id: "g-1",
  action: "transmit",
  update: false,
  byHand: false,
  revision: 2,
  digest: "aa",
  openedAt: at,
  expiresAt: later,
};
export const voidGate: Gate = { ...gate, action: "void" };
export const released = { releasedAt: at, claimableAt: at, attempt: 0 };
export const has: PayerFacts = { holds: "yes", reference: "R-1" };
export const decided: PayerFacts = { ...has, determination: { id: "d-1", outcome: "approved", decidedAt: at } };
const idle: Motion = { kind: "idle" };

export const inState: Readonly<Record<State, Partial<Task>>> = {
  "needs-information": { missing: ["/patient/birthDate"], motion: idle },
  "transmit-held": { motion: { kind: "held", gate } },
  "transmit-released": { motion: { kind: "released", gate, ...released } },
  transmitting: { motion: { kind: "sending", gate, releasedAt: at, attempt: 1, started: true } },
  "transmit-unconfirmed": {
    motion: { kind: "unconfirmed", gate, releasedAt: at, attempt: 1 },
    payer: { holds: "maybe" },
  },
  transmitted: { payer: has },
  "payer-needs-information": { payer: { ...has, wants: { text: "The operative report.", items: [] } } },
  determined: { payer: decided },
  "void-held": { payer: decided, motion: { kind: "held", gate: voidGate } },
  "void-released": { payer: decided, motion: { kind: "released", gate: voidGate, ...released } },
  voiding: { payer: decided, motion: { kind: "sending", gate: voidGate, releasedAt: at, attempt: 1, started: true } },
  "void-unconfirmed": { payer: decided, motion: { kind: "unconfirmed", gate: voidGate, releasedAt: at, attempt: 1 } },
  voided: { payer: { ...decided, voided: "by-us" } },
  withdrawn: { motion: { kind: "ended", end: "withdrawn" } },
  declined: { motion: { kind: "ended", end: "declined" }, remark: { by: "reviewer", text: "Not covered." } },
  failed: { motion: { kind: "ended", end: "failed" } },
};

export function aRecord(task: Partial<Task> = {}, more: Partial<TaskRecord> = {}): TaskRecord {
  return {
    id: "t-1",
    contextId: "c-1",
    practiceId: "elm",
    environment: "test",
    task: { motion: idle, payer: { holds: "no" }, revision: 2, missing: [], ...task },
    changedAt: at,
    revisionDigest: "bb",
    attachments: [],
    superseded: [],
    sendings: [],
    ...more,
  };
}

/** As the client reads it. */
export const wire = (record: TaskRecord) => JSON.parse(JSON.stringify(taskView(record)));
