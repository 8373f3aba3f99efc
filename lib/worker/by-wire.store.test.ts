import type { Claim } from "fhir/r4";
import { afterAll, describe, expect, test } from "vitest";
import { recordDetermination, recordInformationRequest } from "#lib/submission/record-payer-answer";
import { startManualSubmission, reportSent } from "#lib/submission/manual-submission";
import { aStore, fullReview } from "#test/support/cases/cases";
import { aPdf, aReceivedFile } from "#test/support/agents/files";
import type { RunningSimulator } from "#test/support/payer/simulator";
import { aWiredCase, bothSides, claimAt } from "#test/support/cases/wired-case";

const store = aStore();
afterAll(() => store.close());

const report = aReceivedFile(aPdf("the report"), "application/pdf");

const aCase = (made: Parameters<typeof aWiredCase>[1]) => aWiredCase(store, made);
const claimOf = (gate: Parameters<typeof claimAt>[1]) => claimAt(store, gate);
const ledgerOf = (simulator: RunningSimulator) => simulator.ledger();

describe.each(["2.2.1", "2.0.1"] as const)("over PAS %s", (version) => {
  test("a case is pended for documents, updated, approved and voided, and each released byte arrives once", async () => {
    const of = await aCase({ memberId: "HM1-DOCS", version });
    expect((await of.leaves()).state).toBe("payer-needs-information");
    await of.amends([report], { procedures: [...fullReview.procedures, { code: "97110", quantity: 4 }] });
    const [first, update] = await of.gates();
    expect([first, update]).toMatchObject([
      { isUpdate: false, isManual: false },
      { isUpdate: true, isManual: false },
    ]);
    const decided = await of.leaves();
    expect(decided).toMatchObject({ state: "determined", task: { payer: { determination: { outcome: "approved" } } } });
    await of.voids();
    expect((await of.leaves()).state).toBe("voided");
    const { released, received } = await bothSides(of);
    expect(released.map(({ kind }) => kind)).toEqual(["request", "update", "void"]);
    expect(received).toEqual(released.map((each) => ({ ...each, times: 1 })));
    expect((await ledgerOf(of.simulator))[1]?.attachments).toMatchObject([{ sha256: report.sha256 }]);
  });

  test("a void that the payer completes later is done when it says so, and a refused void is not", async () => {
    const later = await aCase({ memberId: "HM1-VOID-LATER", version });
    await later.leaves();
    await later.voids();
    expect((await later.leaves()).task.payer).toMatchObject({ voidPending: true });
    await later.simulator.control("POST", "clock", { forwardMs: 61_000 });
    await later.asksPayer();
    expect((await later.read()).state).toBe("voided");

    const never = await aCase({ memberId: "HM1-VOID-NO", version });
    await never.leaves();
    await never.voids();
    expect(await never.leaves()).toMatchObject({ state: "determined", task: { payer: { voided: undefined } } });
  });
});

test.each(["2.2.1", "2.0.1"] as const)(
  "over PAS %s a pended request is changed unasked, and nothing of the change leaves before its own release",
  async (version) => {
    const of = await aCase({ memberId: "HM1-PEND", version });
    expect((await of.leaves()).state).toBe("transmitted");
    await of.amends([], { procedures: [...fullReview.procedures, { code: "97110", quantity: 4 }] });
    expect(await of.read()).toMatchObject({ state: "transmit-held", task: { stage: { gate: { update: true } } } });
    await of.submitNow();
    expect(await ledgerOf(of.simulator)).toHaveLength(1);
    await of.leaves();
    const { released, received } = await bothSides(of);
    expect(released.map(({ kind }) => kind)).toEqual(["request", "update"]);
    expect(received).toEqual(released.map((each) => ({ ...each, times: 1 })));
  },
);

test.each(["2.2.1", "2.0.1"] as const)(
  "over PAS %s what was approved is changed, what was approved stands until the payer decides on the change, and each determination says which revision it answers",
  async (version) => {
    const of = await aCase({ memberId: "HM1", version });
    const first = await of.leaves();
    expect(first).toMatchObject({ state: "determined", determination: { outcome: "approved", revision: 1 } });
    await of.amends([], { procedures: [...fullReview.procedures, { code: "97110", quantity: 4 }] });
    const held = await of.read();
    expect(held).toMatchObject({ state: "transmit-held", determination: { id: first.determination?.id } });
    await of.submitNow();
    expect(await ledgerOf(of.simulator)).toHaveLength(1);
    const changed = await of.leaves();
    expect(changed).toMatchObject({
      state: "determined",
      determination: { revision: 2 },
      superseded: [{ revision: 1 }],
    });
    expect(changed.determination?.lines).toHaveLength(2);
    const { released, received } = await bothSides(of);
    expect(released.map(({ kind }) => kind)).toEqual(["request", "update"]);
    expect(received).toEqual(released.map((each) => ({ ...each, times: 1 })));
  },
);

describe("a change of what was approved that the payer pends", () => {
  const approvedThenPended = async () => {
    const of = await aCase({ memberId: "HM1-PEND" });
    await of.leaves();
    const decides = async (action: string) => {
      const [trace] = (await ledgerOf(of.simulator)).map((entry) => entry.trace);
      await of.simulator.control("POST", "decide", { trace, action });
      await of.asksPayer();
      return of.read();
    };
    expect(await decides("A1")).toMatchObject({ state: "determined" });
    await of.amends([], { procedures: [...fullReview.procedures, { code: "97110", quantity: 4 }] });
    expect(await of.leaves()).toMatchObject({
      state: "transmitted",
      determination: { outcome: "approved", revision: 1 },
    });
    return { ...of, decides };
  };

  test("is asked about until the payer decides on it, and its earlier decision is no answer", async () => {
    const of = await approvedThenPended();
    await of.asksPayer();
    expect(await of.read()).toMatchObject({ state: "transmitted", task: { payer: { undecided: { revision: 2 } } } });
    expect(await of.decides("A3")).toMatchObject({
      ...{ state: "determined", determination: { outcome: "denied", revision: 2 } },
      superseded: [{ outcome: "approved", revision: 1 }],
    });
  });

  test("is decided by the record of a person, with the revision the payer has", async () => {
    const of = await approvedThenPended();
    const recorded = await recordDetermination(of.reviewer, {
      ...{ taskId: of.taskId, revision: 2, outcome: "approved", evidence: "by phone" },
    });
    expect(recorded).toMatchObject({ ok: true, value: { state: "determined" } });
    expect(await of.read()).toMatchObject({ determination: { revision: 2, lines: [{}, {}] } });
  });
});

test.each(["UPD-NO", "UPD-LATER-NO"])(
  "a change of what was approved that the payer refuses (%s) leaves what it approved",
  async (ending) => {
    const of = await aCase({ memberId: `HM1-${ending}` });
    const before = await of.leaves();
    await of.amends([], { procedures: [...fullReview.procedures, { code: "97110", quantity: 4 }] });
    await of.leaves();
    await of.simulator.control("POST", "clock", { forwardMs: 61_000 });
    if ((await of.read()).state === "transmitted") await of.asksPayer();
    const { state, determination, task } = await of.read();
    expect({ state, determination }).toEqual({ state: "determined", determination: before.determination });
    expect([task.remark?.by, task.payer.informationRequest, task.payer.undecided]).toEqual([
      "payer",
      undefined,
      undefined,
    ]);
  },
);

test("what was denied is not changed: nothing of it can be updated with the payer", async () => {
  const of = await aCase({ memberId: "HM1-DENY" });
  await of.leaves();
  await expect(of.amends([], { procedures: [{ code: "97110" }] })).rejects.toThrow("out-of-state");
});

test("a pended request is not changed over a connection that leads to another payer", async () => {
  const of = await aCase({ memberId: "HM1-PEND" });
  await of.leaves();
  const before = await of.gates();
  await expect(of.amends([], { payer: { id: "another" } })).rejects.toThrow("out-of-state");
  expect(await of.gates()).toEqual(before);
});

test("an update after a refused one changes the last accepted request", async () => {
  const of = await aCase({ memberId: "HM1-DOCS-UPD-NO" });
  await of.leaves();
  await of.amends([report], { procedures: [{ code: "97110", quantity: 4 }] });
  expect((await of.leaves()).state).toBe("payer-needs-information");
  await of.amends([], { procedures: [...fullReview.procedures, { code: "97112" }] });
  const [first, refused, next] = await Promise.all((await of.gates()).map(claimOf));
  const related = (claim: Claim | undefined) => claim?.related?.[0]?.claim?.reference;
  expect(related(next)).toBe(related(refused));
  expect(next?.item?.map(({ sequence, productOrService: { coding } }) => [sequence, coding?.[0]?.code])).toEqual([
    [1, first?.item?.[0]?.productOrService.coding?.[0]?.code],
    [2, "97112"],
  ]);
});

test("an update whose answer was lost is unconfirmed until an inquiry finds it", async () => {
  const of = await aCase({ memberId: "HM1-DOCS" });
  await of.leaves();
  await of.amends([report]);
  await of.simulator.control("POST", "faults", { fault: "drop", on: "submit" });
  expect((await of.leaves()).state).toBe("transmit-unconfirmed");
  await of.asksPayer();
  expect((await of.read()).state).toBe("determined");
  expect((await bothSides(of)).received).toMatchObject([{ times: 1 }, { times: 1 }, { kind: "inquiry" }]);
});

test("an approval dated 2099 is of when it was heard, and says so; a denial heard later counts, and a person is told", async () => {
  const of = await aCase({ memberId: "HM1" });
  await of.simulator.control("POST", "faults", { fault: "future-date", on: "submit" });
  const approved = await of.leaves();
  const { decidedAt, receivedAt, notes } = approved.determination ?? {};
  expect(decidedAt).toBe(receivedAt?.toISOString());
  expect(notes).toEqual(["The payer dates this decision 2099-01-01T00:00:00.000Z, after it was received."]);
  const denial = {
    taskId: of.taskId,
    outcome: "denied",
    decidedAt: new Date("2026-01-01"),
    evidence: "Letter.",
  } as const;
  expect(await recordDetermination(of.reviewer, denial)).toMatchObject({ ok: true });
  expect((await of.read()).task).toMatchObject({
    payer: { determination: { outcome: "denied" } },
    attention: "unordered-answer",
  });
});

test("a decision that contradicts what was asked leaves the request with the payer, whose answer a person reads", async () => {
  const of = await aCase({ memberId: "HM1", units: 6 });
  await of.simulator.control("POST", "faults", { fault: "partial-units", on: "submit" });
  expect(await of.leaves()).toMatchObject({
    state: "transmitted",
    task: { payer: { payerReceipt: "yes", determination: undefined }, attention: "unreadable-answer" },
    submissions: [{ result: "received" }],
  });
  const unread = await of.reviewer.store.prisma.payerEvent.findMany({ where: { taskId: of.taskId, unread: true } });
  expect(unread).toHaveLength(1);
  await of.asksPayer();
  expect(await of.read()).toMatchObject({
    state: "determined",
    task: { payer: { determination: { outcome: "approved" } } },
  });
});

test("what is in doubt and is found under its own name, decided otherwise than asked, is with the payer", async () => {
  const of = await aCase({ memberId: "HM1", units: 6 });
  await of.simulator.control("POST", "faults", { fault: "drop", on: "submit" });
  expect((await of.leaves()).state).toBe("transmit-unconfirmed");
  await of.simulator.control("POST", "faults", { fault: "partial-units", on: "inquire" });
  await of.asksPayer();
  expect(await of.read()).toMatchObject({ state: "transmitted", task: { attention: "unreadable-answer" } });
  await of.voids();
  expect((await of.read()).state).toBe("void-held");
});

test.each(["other-procedure", "brother", "duplicate"])(
  "the answer %s changes nothing, and a person must look at it",
  async (fault) => {
    const of = await aCase({ memberId: "HM1" });
    await of.simulator.control("POST", "faults", { fault, on: "submit" });
    expect((await of.leaves()).state).toBe("transmit-unconfirmed");
  },
);

test("a payer that forbids it with a reason is not asked again by itself", async () => {
  const of = await aCase({ memberId: "HM1" });
  await of.simulator.control("POST", "faults", { fault: "forbidden", on: "submit" });
  expect((await of.leaves()).state).toBe("needs-information");
});

test("a void whose answer was lost is unconfirmed until an inquiry finds it done", async () => {
  const of = await aCase({ memberId: "HM1" });
  await of.leaves();
  await of.voids();
  await of.simulator.control("POST", "faults", { fault: "drop", on: "submit" });
  expect((await of.leaves()).state).toBe("void-unconfirmed");
  await of.asksPayer();
  expect(await of.read()).toMatchObject({ state: "voided", task: { payer: { voided: "by-us" } } });
});

test("a manual submission is updated and voided manually, even if the payer has an electronic connection since", async () => {
  const of = await aCase({ memberId: "HM1", routed: false });
  const gateId = await of.release();
  await startManualSubmission(of.reviewer, { taskId: of.taskId, gateId });
  await reportSent(of.reviewer, { taskId: of.taskId, gateId, delivery: "fax", reference: "FAX-1" });
  await of.route();
  await recordInformationRequest(of.reviewer, { taskId: of.taskId, informationRequest: "The imaging report." });
  await of.amends([report]);
  await of.voids();
  expect((await of.gates()).slice(1)).toMatchObject([
    { connector: "pas-fhir", action: "transmit", isUpdate: true, isManual: true },
    { connector: "pas-fhir", action: "void", isManual: true },
  ]);
  await of.release();
  await of.submitNow();
  expect((await of.read()).state).toBe("void-released");
  expect(await ledgerOf(of.simulator)).toEqual([]);
});

test("two documents that the payer wants are answered as those two, by the numbers it gave each of them", async () => {
  const of = await aCase({ memberId: "HM1-DOCS" });
  const { informationRequest } = (await of.leaves()).task.payer;
  const items = informationRequest?.items ?? [];
  expect(items.map(({ code }) => code?.system)).toEqual(["pwk", "loinc"]);
  const fileTypes = items.map(({ code }) =>
    code?.system === "loinc"
      ? { fileName: "loinc.pdf", loincCode: code.value }
      : { fileName: "pwk.pdf", reportTypeCode: code?.value },
  );
  const files = ["loinc.pdf", "pwk.pdf"].map((name) => aReceivedFile(aPdf(name.slice(0, 3)), "application/pdf", name));
  await of.amends(files, { fileTypes });
  const update = await claimOf((await of.gates())[1] ?? expect.fail("The update waits at a gate."));
  const numbers = (update.supportingInfo ?? []).flatMap(({ extension = [] }) =>
    extension.flatMap(({ extension: about = [] }) => about.flatMap(({ valueString }) => valueString ?? [])),
  );
  const [pwk, loinc] = items.map(({ trace }) => trace);
  expect(numbers).toEqual([loinc, pwk]);
  expect(await of.leaves()).toMatchObject({ state: "determined" });
});
