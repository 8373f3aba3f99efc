import { describe, expect, test } from "vitest";
import { clockOf } from "#lib/task/model/clock";
import { states, stateOf, type State, type Task } from "#lib/task/model/task";
import type { CaseClock } from "#lib/task/case-clock";
import type { TaskRecord } from "#lib/task/views";
import { canonicalBytes } from "#lib/a2a/params/canonical";
import { askedOfChangeText, expiredText, stateTexts } from "#lib/messages/agent/status";
import { statusByState } from "./status.ts";
import { aRecord, at, gate, has, inState, later, released, wire } from "./task-view.fixture.ts";

describe("a task on the wire", () => {
  test("states that the payer has the earlier request while an update awaits release", () => {
    const update = { kind: "held", gate: { ...gate, update: true } } as const;
    const view = wire(aRecord({ payer: has, stage: update }));
    expect(view.state).toBe("transmit-held");
    expect(view.status.message.parts[0].text).toMatch(/^The payer has the earlier request\./);
  });

  test("has for every state the A2A state, who moves next and a sentence", () => {
    const table = states.map((state) => {
      const record = aRecord(inState[state]);
      expect(stateOf(record.task)).toBe(state);
      const view = wire(record);
      expect(view.state).toBe(state);
      expect(view.nextAction.by).toBe(statusByState[state].by);
      expect(view.metadata).toEqual({ state, version: view.version, nextAction: view.nextAction });
      expect(view.status.message.parts[0].text).toContain(stateTexts[state].says);
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

  test("says of a change that the payer has what is decided and what is not", () => {
    const payer = { ...inState.determined.payer, payerReceipt: "yes", undecided: { revision: 2 } } as const;
    const view = wire(aRecord({ payer }));
    expect([view.state, view.status.state, view.nextAction]).toEqual([
      "transmitted",
      "working",
      { by: "payer", what: "Decide on the change." },
    ]);
    expect(view.status.message.parts[0].text).toContain("stands until then");
  });

  test("says that it is the agent's turn where a reviewer asks about a change, until the payer says something", () => {
    const last = { id: "g-1", action: "transmit", status: "sent-back", digest: "aa", documentDigests: [] } as const;
    const more = { gate: { ...last, openedAt: at, expiresAt: later } };
    const question = { by: "reviewer", text: "Which side?" } as const;
    for (const payer of [inState.transmitted.payer, inState.determined.payer].filter((each) => each !== undefined)) {
      const view = wire(aRecord({ payer, remark: question }, more));
      expect(view.nextAction).toEqual({ by: "agent", what: askedOfChangeText.what });
      expect(view.status.message.parts[0].text).toContain("A reviewer says: Which side?");
      expect(wire(aRecord({ payer }, more)).nextAction.by).toBe(statusByState[view.state as State].by);
    }
  });

  test("has every member of the design", () => {
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
      version: 3,
      pollAfterSeconds: expect.any(Number),
      status: {
        state: "working",
        timestamp: "2026-11-20T12:00:00.000Z",
        message: {
          kind: "message",
          role: "agent",
          messageId: expect.any(String),
          parts: [
            { kind: "text", text: expect.any(String) },
            { kind: "data", data: { gate: view.gate, nextAction: view.nextAction } },
          ],
          taskId: "t-1",
          contextId: "c-1",
        },
      },
      practiceId: "elm",
      revision: { number: 2, digest: "bb", attachments: [] },
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
      metadata: { state: "transmit-held", version: 3, nextAction: { by: "reviewer", what: expect.any(String) } },
    });
  });

  test("without a gate has null as its gate", () => {
    expect(wire(aRecord(inState.withdrawn)).gate).toBeNull();
  });

  test("says of a request that nobody decided on in time that the same is enough, unless something is missing", () => {
    const expired = { id: "g-1", action: "transmit", status: "expired", digest: "aa", documentDigests: [] } as const;
    const lapsed = { gate: { ...expired, openedAt: at, expiresAt: later } };
    const view = wire(aRecord({}, lapsed));
    expect(view).toMatchObject({ state: "needs-information", nextAction: { by: "agent", what: expiredText.what } });
    expect(view.status.message.parts[0].text).toContain(expiredText.says);
    const lacking = wire(aRecord(inState["needs-information"], lapsed));
    expect(lacking.status.message.parts[0].text).toContain(stateTexts["needs-information"].says);
  });

  test("lists the missing fields, in data and text", () => {
    const view = wire(aRecord(inState["needs-information"]));
    expect(view.missing).toEqual(["/patient/birthDate"]);
    expect(view.status.message.parts[0].text).toContain("/patient/birthDate");
  });

  test("names the task's id in the text when it is the agent's turn, and only then", () => {
    const textIn = (task: Partial<Task>) => wire(aRecord(task)).status.message.parts[0].text;
    expect(textIn(inState["needs-information"])).toContain(" The taskId is t-1.");
    expect(textIn(inState["payer-needs-information"])).toContain(" The taskId is t-1.");
    expect(textIn(inState["transmit-held"])).not.toContain("t-1");
    expect(textIn(inState.voided)).not.toContain("t-1");
  });

  test("repeats the remark of a reviewer or of the payer", () => {
    expect(wire(aRecord(inState.declined)).status.message.parts[0].text).toContain("A reviewer says: Not covered.");
  });

  test("shows the time for the payer's decision with its rule, or that no rule is known", () => {
    const started = { startedAt: at, startedBy: "payer" } as const;
    const legal = clockOf({
      ...{ lineOfBusiness: "medicare-advantage", urgent: true, receivedAt: at, zone: "UTC" },
      now: new Date("2026-11-23T12:00:00.001Z"),
    });
    const of = (clock: CaseClock) => wire(aRecord(inState.transmitted, { clock })).clock;
    expect(of({ ...started, legal })).toEqual({
      startedAt: at.toISOString(),
      startedBy: "payer",
      known: true,
      dueAt: "2026-11-23T12:00:00.000Z",
      overdue: true,
      rule: {
        lineOfBusiness: "medicare-advantage",
        urgency: "expedited",
        within: { hours: 72 },
        source: "42 CFR 422.572(a)",
        note: expect.any(String),
      },
    });
    expect(of({ ...started, stoppedAt: later, legal: { known: false } })).toEqual({
      ...{ startedAt: at.toISOString(), startedBy: "payer", stoppedAt: later.toISOString(), known: false },
    });
    expect(wire(aRecord(inState["transmit-held"])).clock).toBeUndefined();
  });

  test("states that a person submits it when the payer has no electronic connection", () => {
    const manual = { ...gate, manual: true };
    for (const stage of [
      { kind: "released", gate: manual, ...released },
      { kind: "submitting", gate: manual, releasedAt: at, attempt: 1, started: true },
      { kind: "unconfirmed", gate: manual, releasedAt: at, attempt: 1 },
    ] as const) {
      expect(wire(aRecord({ stage })).nextAction.by).toBe("reviewer");
    }
    expect(wire(aRecord({ payer: has, attention: "contact-payer" })).nextAction.by).toBe("reviewer");
  });

  test("shows messages as they were accepted, completed with the members that A2A requires", () => {
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

  test("keeps the message id of a status until the status changes", () => {
    const idOf = (record: TaskRecord) => wire(record).status.message.messageId;
    expect(idOf(aRecord())).toBe(idOf(aRecord()));
    expect(idOf(aRecord({}, { changedAt: later }))).not.toBe(idOf(aRecord()));
  });
});
