import { describe, expect, test } from "vitest";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { Outcome, PayerFacts, Task } from "#lib/task/model/task";
import type { DeterminationView, SubmissionView, TaskRecord } from "#lib/task/views";
import { aRecord, at, decided as hasDecided, has, inState, later, voidGate, wire } from "./task-view.fixture.ts";

type Artifact = {
  readonly artifactId: string;
  readonly parts: readonly [{ data: Record<string, unknown> }, { text: string }];
  readonly metadata: { readonly environment: string };
};

describe("the artifacts of a task", () => {
  test("include the determination as data and text, under an id that stays the same", () => {
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
      environment: "test",
    } as const;
    const view = wire(aRecord(inState.determined, { determination }));
    const expected = {
      ...determination,
      lines: [
        {
          sequence: 1,
          action: "A6",
          label: "certified with changes",
          authorized: { quantity: 2 },
          reasons: [{ code: "0L", label: "exceeds what the plan covers" }, { code: "ZZ9" }],
        },
        { sequence: 2, action: "A1", label: "certified in total", reasons: [] },
      ],
      version: 1,
      receivedAt: at.toISOString(),
    };
    expect(view.determination).toEqual(expected);
    const text = "TEST: The payer approved it with changes under A-1, valid at once to 2027-01-31.";
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

  test("say how much of what was asked is authorized so far, as long as some is not", () => {
    const stay = (quantity: number): DeterminationView => ({
      ...{ id: "d-1", outcome: "modified", notes: [], source: "connector", receivedAt: at, environment: "live" },
      lines: [
        {
          ...{ sequence: 1, action: "A6", reasons: [] },
          requested: { quantity: 6, unit: "DY" },
          authorized: { quantity, unit: "DY" },
        },
      ],
    });
    const viewOf = (quantity: number) => wire(aRecord(inState.determined, { determination: stay(quantity) }));
    expect(viewOf(4).determination.progress).toEqual([
      { sequence: 1, unit: "DY", requested: 6, authorized: 4, remaining: 2 },
    ]);
    expect(viewOf(4).artifacts[0].parts[1].text).toBe("The payer approved it with changes. 4 of 6 days authorized.");
    expect(viewOf(6).determination.progress).toBeUndefined();
  });

  test("include each superseded determination after the one in force", () => {
    const decided = (id: string, outcome: Outcome, supersedes?: string): DeterminationView => ({
      ...{ id, outcome, supersedes, lines: [], notes: [], source: "connector", receivedAt: at },
      environment: id === "d-1" ? "test" : "live",
    });
    const view = wire(
      aRecord(inState.determined, {
        environment: "live",
        determination: decided("d-3", "denied", "d-2"),
        superseded: [decided("d-2", "modified", "d-1"), decided("d-1", "approved")],
      }),
    );
    expect(view.determination).toMatchObject({ id: "d-3", version: 3, supersedes: "d-2" });
    const shown = view.artifacts.map(({ artifactId, parts, metadata }: Artifact) => [
      artifactId,
      parts[0].data.id,
      parts[0].data.version,
      parts[0].data.supersededBy,
      metadata.environment,
      parts[1].text,
    ]);
    expect(shown).toEqual([
      ["determination", "d-3", 3, undefined, "live", "The payer denied it."],
      [
        "determination-2",
        "d-2",
        2,
        "d-3",
        "live",
        expect.stringMatching(/^Superseded, not in force: The payer approved/),
      ],
      ["determination-1", "d-1", 1, "d-2", "test", expect.stringMatching(/^TEST: Superseded, not in force/)],
    ]);
  });

  test("say of a determination that the request is void, or that it is for an earlier revision, in its text alone", () => {
    const determination: DeterminationView = {
      ...{ id: "d-1", outcome: "approved", authorizationNumber: "A-1", lines: [], notes: [] },
      ...{ source: "connector", receivedAt: at, revision: 1, environment: "live" },
    };
    const shown = (task: Partial<Task>, revision?: number) => {
      const { artifacts } = wire(aRecord(task, { determination: { ...determination, revision } }));
      const [{ name, parts }] = artifacts;
      return [name, parts[1].text];
    };
    const approved = "The payer approved it under A-1.";
    expect(shown(inState.voided, 2)).toEqual(["Determination, voided", `Voided, not in force: ${approved}`]);
    const earlier = ["Determination", `For revision 1, not for revision 2: ${approved}`];
    expect(shown({ ...inState["transmit-held"], payer: hasDecided }, 1)).toEqual(earlier);
    expect(shown(inState.determined, 1)).toEqual(earlier);
    expect(shown(inState.determined, 2)).toEqual(["Determination", approved]);
    expect(shown(inState.determined)).toEqual(["Determination", approved]);
  });

  const submission: SubmissionView = {
    action: "transmit",
    update: false,
    manual: false,
    revision: 2,
    attempt: 1,
    gateDigest: "aa",
    documentDigests: ["cc"],
    environment: "live",
    sentAt: at,
    result: "received",
    answeredAt: later,
    reference: "R-1",
    traceNumber: "t-1-2-T",
  };

  test("include a receipt of the last submission of each action", () => {
    const voided: SubmissionView = {
      ...submission,
      action: "void",
      manual: true,
      result: "unconfirmed",
      traceNumber: "t-1-2-V",
    };
    const view = wire(aRecord(inState["void-unconfirmed"], { submissions: [submission, voided] }));
    const [receipt, ofVoid] = view.artifacts;
    expect(receipt).toMatchObject({
      artifactId: "receipt",
      parts: [
        {
          data: {
            ...{ action: "transmit", update: false, byHand: false, revision: 2, attempt: 1, result: "received" },
            ...{ gateDigest: "aa", documentDigests: ["cc"], traceNumber: "t-1-2-T", payerReference: "R-1" },
            ...{ sentAt: at.toISOString(), answeredAt: later.toISOString(), environment: "live" },
          },
        },
        { text: "The request was sent at 2026-11-20T12:00:00.000Z under trace number t-1-2-T; the payer has it." },
      ],
    });
    expect(ofVoid).toMatchObject({
      artifactId: "receipt-void",
      parts: [
        { data: { action: "void" } },
        { text: expect.stringMatching(/^The void was submitted manually .* not known/) },
      ],
    });
  });

  test("state whether a void is pending, done and by whom, refused, declined or expired", () => {
    const ofVoid = { ...submission, action: "void", reference: "V-1" } as const;
    const open = {
      ...voidGate,
      status: "released",
      documentDigests: [],
      openedAt: at,
      expiresAt: later,
      decidedAt: later,
    };
    const resultOf = (task: Partial<Task>, more: Partial<TaskRecord>) => {
      const { artifacts } = wire(aRecord(task, more));
      return artifacts.find(({ artifactId }: Artifact) => artifactId === "void-result")?.parts[0].data;
    };
    const done = { ...inState.voided };
    const taken: Partial<Task> = { payer: { ...hasDecided, voidPending: true } };
    const after = (more: Partial<TaskRecord>) => resultOf(inState.determined, more);
    expect(resultOf(inState.determined, { submissions: [submission] })).toBeUndefined();
    for (const state of ["void-held", "void-released", "voiding", "void-unconfirmed"] as const) {
      expect(resultOf(inState[state], { gate: open })).toMatchObject({ result: "pending" });
    }
    expect(resultOf(taken, { gate: open, submissions: [ofVoid] })).toMatchObject({
      result: "pending",
      payerReference: "V-1",
    });
    expect(resultOf(done, { gate: open, submissions: [ofVoid], voidedAt: later })).toMatchObject({
      ...{ result: "done", by: "practice", at: later.toISOString(), payerReference: "V-1" },
    });
    const byPayer: Partial<Task> = { payer: { ...hasDecided, voided: "by-payer" } };
    expect(resultOf(byPayer, { voidedAt: later })).toMatchObject({ result: "done", by: "payer" });
    const refused: SubmissionView = { ...ofVoid, result: "refused", reason: "The claim is paid." };
    expect(after({ gate: open, submissions: [refused] })).toMatchObject({
      ...{ result: "refused", at: later.toISOString(), reason: "The claim is paid." },
    });
    expect(after({ gate: { ...open, status: "declined", reason: "Not now." } })).toMatchObject({
      ...{ result: "declined", at: later.toISOString(), reason: "Not now." },
    });
    expect(after({ gate: { ...open, status: "expired" }, submissions: [refused] })).toMatchObject({
      result: "expired",
    });
  });

  test("include the payer's information request until the payer has the information or has decided", () => {
    const request: InformationRequest = {
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
    const payer: PayerFacts = { ...has, informationRequest: request };
    const [artifact] = wire(aRecord({ payer }, { environment: "live" })).artifacts;
    expect(artifact).toMatchObject({
      artifactId: "information-request",
      parts: [
        { kind: "data", data: { ...request, environment: "live" } },
        {
          kind: "text",
          text: "The payer says: The notes of the last visit. It names: progress note; answer. It is due by 2026-12-01.",
        },
      ],
    });
    const idsOf = (task: Partial<Task>) => wire(aRecord(task)).artifacts.map(({ artifactId }: Artifact) => artifactId);
    expect(idsOf({ payer: has })).toEqual([]);
    expect(idsOf({ payer: { ...payer, voided: "by-payer" } })).toEqual(["void-result"]);
  });
});
