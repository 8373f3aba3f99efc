import { describe, expect, test } from "vitest";
import type { InformationRequest } from "#lib/domain/information-request";
import { states, stateOf, type Gate, type Motion, type PayerFacts, type State, type Task } from "#lib/domain/task";
import type { TaskRecord } from "#lib/tasks/views";
import { canonicalBytes } from "./canonical.ts";
import { wordsByState } from "./status-words.ts";
import { taskView } from "./task-view.ts";

const at = new Date("2026-11-20T12:00:00.000Z");
const later = new Date("2026-12-04T12:00:00.000Z");
const gate: Gate = {
  id: "g-1",
  action: "transmit",
  update: false,
  byHand: false,
  revision: 2,
  digest: "aa",
  openedAt: at,
  expiresAt: later,
};
const voidGate: Gate = { ...gate, action: "void" };
const released = { releasedAt: at, claimableAt: at, attempt: 0 };
const has: PayerFacts = { holds: "yes", reference: "R-1" };
const decided: PayerFacts = { ...has, determination: { id: "d-1", outcome: "approved", decidedAt: at } };
const idle: Motion = { kind: "idle" };

const inState: Readonly<Record<State, Partial<Task>>> = {
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

function aRecord(task: Partial<Task> = {}, more: Partial<TaskRecord> = {}): TaskRecord {
  return {
    id: "t-1",
    contextId: "c-1",
    practiceId: "elm",
    environment: "test",
    task: { motion: idle, payer: { holds: "no" }, revision: 2, missing: [], ...task },
    changedAt: at,
    revisionDigest: "bb",
    ...more,
  };
}

/** As the client reads it. */
const wire = (record: TaskRecord) => JSON.parse(JSON.stringify(taskView(record)));

describe("a task on the wire", () => {
  test("says for every state what A2A calls it, who moves next and in words what happens", () => {
    const table = states.map((state) => {
      const record = aRecord(inState[state]);
      expect(stateOf(record.task)).toBe(state);
      const view = wire(record);
      expect(view.state).toBe(state);
      expect(view.nextAction.by).toBe(wordsByState[state].by);
      expect(view.metadata).toEqual({ state, nextAction: view.nextAction });
      expect(view.status.message.parts[0].text).toContain(wordsByState[state].says);
      return `${state}: ${view.status.state}, ${view.nextAction.by}`;
    });
    expect(table).toMatchInlineSnapshot(`
      [
        "needs-information: input-required, agent",
        "transmit-held: working, reviewer",
        "transmit-released: working, service",
        "transmitting: working, service",
        "transmit-unconfirmed: working, service",
        "transmitted: working, payer",
        "payer-needs-information: input-required, agent",
        "determined: completed, none",
        "void-held: working, reviewer",
        "void-released: working, service",
        "voiding: working, service",
        "void-unconfirmed: working, service",
        "voided: canceled, none",
        "withdrawn: canceled, none",
        "declined: rejected, none",
        "failed: failed, none",
      ]
    `);
  });

  test("has the whole form of the design", () => {
    const view = wire(
      aRecord(inState["transmit-held"], {
        gate: {
          id: "g-1",
          action: "transmit",
          status: "open",
          digest: "aa",
          documentDigests: ["cc"],
          openedAt: at,
          expiresAt: later,
        },
      }),
    );
    expect(view).toEqual({
      kind: "task",
      id: "t-1",
      contextId: "c-1",
      state: "transmit-held",
      status: {
        state: "working",
        timestamp: "2026-11-20T12:00:00.000Z",
        message: {
          kind: "message",
          role: "agent",
          messageId: expect.any(String),
          parts: [{ kind: "text", text: expect.any(String) }],
          taskId: "t-1",
          contextId: "c-1",
        },
      },
      practiceId: "elm",
      revision: { number: 2, digest: "bb" },
      gate: {
        id: "g-1",
        action: "transmit",
        status: "open",
        digest: "aa",
        documentDigests: ["cc"],
        environment: "test",
        openedAt: "2026-11-20T12:00:00.000Z",
        expiresAt: "2026-12-04T12:00:00.000Z",
      },
      environment: "test",
      nextAction: { by: "reviewer", what: expect.any(String) },
      artifacts: [],
      history: [],
      metadata: { state: "transmit-held", nextAction: { by: "reviewer", what: expect.any(String) } },
    });
  });

  test("without a gate says null", () => {
    expect(wire(aRecord(inState.withdrawn)).gate).toBeNull();
  });

  test("lists what is missing, and says it", () => {
    const view = wire(aRecord(inState["needs-information"]));
    expect(view.missing).toEqual(["/patient/birthDate"]);
    expect(view.status.message.parts[0].text).toContain("/patient/birthDate");
  });

  test("repeats what a reviewer or the payer said", () => {
    expect(wire(aRecord(inState.declined)).status.message.parts[0].text).toContain("A reviewer says: Not covered.");
  });

  test("carries the determination as itself and as an artifact that keeps its id, in data and in words", () => {
    const determination = {
      id: "d-1",
      outcome: "modified",
      authorizationNumber: "A-1",
      validTo: "2027-01-31",
      lines: [
        { sequence: 1, action: "A6", authorized: { quantity: 2 }, reasons: ["0L", "ZZ9"] },
        { sequence: 2, action: "A1", reasons: [] },
      ],
      notes: [],
      source: "connector",
      receivedAt: at,
    } as const;
    const view = wire(aRecord(inState.determined, { determination }));
    const expected = {
      ...determination,
      lines: [
        {
          sequence: 1,
          action: "A6",
          label: "modified",
          authorized: { quantity: 2 },
          reasons: [{ code: "0L", label: "beyond what the plan pays for" }, { code: "ZZ9" }],
        },
        { sequence: 2, action: "A1", label: "certified in total", reasons: [] },
      ],
      environment: "test",
      receivedAt: at.toISOString(),
    };
    expect(view.determination).toEqual(expected);
    const text =
      "TEST, which authorizes nothing: The payer approved it with changes under A-1, valid at once to 2027-01-31.";
    expect(view.artifacts).toEqual([
      {
        artifactId: "determination",
        name: "Determination",
        description: expect.any(String),
        parts: [
          { kind: "data", data: expected },
          { kind: "text", text },
        ],
        metadata: { environment: "test" },
      },
    ]);
    expect(view.payerReference).toBe("R-1");
  });

  test("carries what the payer wants as an artifact until the payer has it or has decided", () => {
    const wants: InformationRequest = {
      text: "The notes of the last visit.",
      items: [
        {
          kind: "document",
          code: { system: "loinc", value: "11506-3" },
          label: "progress note",
          line: 1,
          trace: "T-9",
        },
        { kind: "answer" },
      ],
      dueBy: "2026-12-01",
    };
    const payer: PayerFacts = { ...has, wants };
    const [asked] = wire(aRecord({ payer }, { environment: "live" })).artifacts;
    expect(asked).toMatchObject({
      artifactId: "information-request",
      parts: [
        { kind: "data", data: { ...wants, environment: "live" } },
        {
          kind: "text",
          text: "The payer says: The notes of the last visit. It names: progress note; answer. It wants this by 2026-12-01.",
        },
      ],
    });
    expect(wire(aRecord({ payer: has })).artifacts).toEqual([]);
    expect(wire(aRecord({ payer: { ...payer, voided: "by-payer" } })).artifacts).toEqual([]);
  });

  test("says that a person carries it where the payer is reached by hand", () => {
    const byHand = { ...gate, byHand: true };
    for (const motion of [
      { kind: "released", gate: byHand, ...released },
      { kind: "sending", gate: byHand, releasedAt: at, attempt: 1, started: true },
      { kind: "unconfirmed", gate: byHand, releasedAt: at, attempt: 1 },
    ] as const) {
      expect(wire(aRecord({ motion })).nextAction.by).toBe("reviewer");
    }
    expect(wire(aRecord({ payer: has, attention: "contact-payer" })).nextAction.by).toBe("reviewer");
  });

  test("shows messages as they were accepted, completed to A2A's form", () => {
    const sent = { role: "user", parts: [{ kind: "text", text: "é\u2028" }], metadata: { n: 1e21 } };
    const [message] = wire(aRecord({}, { messages: [canonicalBytes(sent)] })).history;
    expect(message).toEqual({
      ...sent,
      kind: "message",
      messageId: expect.stringMatching(/^[0-9a-f]{64}$/),
      taskId: "t-1",
      contextId: "c-1",
    });
    const [named] = wire(aRecord({}, { messages: [canonicalBytes({ ...sent, messageId: "m" })] })).history;
    expect(named.messageId).toBe("m");
  });

  test("gives a status that has not changed the same message id, and one that has another", () => {
    const idOf = (record: TaskRecord) => wire(record).status.message.messageId;
    expect(idOf(aRecord())).toBe(idOf(aRecord()));
    expect(idOf(aRecord({}, { changedAt: later }))).not.toBe(idOf(aRecord()));
  });
});
