import type { Gate, PayerFacts, Stage, State, Task } from "#lib/task/model/task";
import type { TaskRecord } from "#lib/task/views";
import { taskText } from "./task-text.ts";

export const at = new Date("2026-11-20T12:00:00.000Z");
export const later = new Date("2026-12-04T12:00:00.000Z");
export const gate: Gate = {
  id: "g-1",
  action: "transmit",
  update: false,
  manual: false,
  revision: 2,
  digest: "aa",
  openedAt: at,
  expiresAt: later,
};
export const voidGate: Gate = { ...gate, action: "void" };
export const released = { releasedAt: at, claimableAt: at, attempt: 0 };
export const has: PayerFacts = { payerReceipt: "yes", reference: "R-1" };
export const decided: PayerFacts = { ...has, determination: { id: "d-1", outcome: "approved", decidedAt: at } };
const idle: Stage = { kind: "idle" };

export const inState: Readonly<Record<State, Partial<Task>>> = {
  "needs-information": { missing: ["/patient/birthDate"], stage: idle },
  "transmit-held": { stage: { kind: "held", gate } },
  "transmit-released": { stage: { kind: "released", gate, ...released } },
  transmitting: { stage: { kind: "submitting", gate, releasedAt: at, attempt: 1, started: true } },
  "transmit-unconfirmed": {
    stage: { kind: "unconfirmed", gate, releasedAt: at, attempt: 1 },
    payer: { payerReceipt: "maybe" },
  },
  transmitted: { payer: has },
  "payer-needs-information": { payer: { ...has, informationRequest: { text: "The operative report.", items: [] } } },
  determined: { payer: decided },
  "void-held": { payer: decided, stage: { kind: "held", gate: voidGate } },
  "void-released": { payer: decided, stage: { kind: "released", gate: voidGate, ...released } },
  voiding: { payer: decided, stage: { kind: "submitting", gate: voidGate, releasedAt: at, attempt: 1, started: true } },
  "void-unconfirmed": { payer: decided, stage: { kind: "unconfirmed", gate: voidGate, releasedAt: at, attempt: 1 } },
  voided: { payer: { ...decided, voided: "by-us" } },
  withdrawn: { stage: { kind: "ended", end: "withdrawn" } },
  declined: { stage: { kind: "ended", end: "declined" }, remark: { by: "reviewer", text: "Not covered." } },
  failed: { stage: { kind: "ended", end: "failed" } },
};

export function aRecord(task: Partial<Task> = {}, more: Partial<TaskRecord> = {}): TaskRecord {
  return {
    id: "t-1",
    contextId: "c-1",
    practiceId: "elm",
    environment: "test",
    task: { stage: idle, payer: { payerReceipt: "no" }, revision: 2, missing: [], ...task },
    changedAt: at,
    version: 3,
    revisionDigest: "bb",
    attachments: [],
    superseded: [],
    submissions: [],
    ...more,
  };
}

/** As the client reads it. */
export const wire = (record: TaskRecord) => JSON.parse(taskText(record));
