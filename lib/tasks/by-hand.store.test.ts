import { afterAll, describe, expect, test } from "vitest";
import { documentDigest } from "#lib/payer/digest";
import { writePacket } from "#lib/payer/packet";
import { actsOf, aHeldTask, anIntake, aStore } from "#test/cases";
import { getTask } from "./get-task.ts";
import { readReleasedPacket } from "./read-packet.ts";
import { recallRelease } from "./recall-release.ts";
import { recordDetermination, recordVoided, recordWants } from "./record-payer-answer.ts";
import { releaseGate } from "./release-gate.ts";
import { reviewTask } from "./review-task.ts";
import { beginSending, reportNotSent, reportSent } from "./send-by-hand.ts";
import { sendMessage } from "./send-message.ts";

const store = aStore();
afterAll(() => store.close());

async function aReleasedByHand() {
  const held = await aHeldTask(store, {
    review: { payer: { id: "60054" }, procedures: [{ code: "72148" }], providerNotes: [{ message: "one\n\ntwo" }] },
  });
  await releaseGate(held.reviewer, { taskId: held.taskId, seen: held.seen });
  return { ...held, gateId: held.seen.gateId };
}

describe("the packet", () => {
  test("is the released bytes, laid out without another word", async () => {
    const { reviewer, taskId, record } = await aReleasedByHand();
    const packet = await readReleasedPacket(reviewer, { taskId });
    if (!packet.ok) throw new Error(packet.refusal.type);
    const { text, sections, gateDigest } = packet.value;
    expect([documentDigest(Buffer.from(text))]).toEqual(record.gate?.documentDigests);
    expect(gateDigest).toBe(record.gate?.digest);
    expect(sections && writePacket(sections)).toBe(text);
  });

  test("is not there before the release", async () => {
    const { reviewer, taskId } = await aHeldTask(store);
    expect(await readReleasedPacket(reviewer, { taskId })).toMatchObject({ ok: false, refusal: { type: "stale" } });
  });

  test.each([
    ["a recall", recallRelease],
    [
      "a sending that failed",
      async (reviewer: Parameters<typeof beginSending>[0], at: { taskId: string; gateId: string }) => {
        await beginSending(reviewer, at);
        return reportNotSent(reviewer, { ...at, reason: "The fax line is down." });
      },
    ],
  ])("is gone after %s: what it showed may no longer leave", async (_, undo) => {
    const { reviewer, taskId, gateId } = await aReleasedByHand();
    expect(await undo(reviewer, { taskId, gateId })).toMatchObject({ ok: true });
    expect(await readReleasedPacket(reviewer, { taskId })).toMatchObject({ ok: false, refusal: { type: "stale" } });
  });
});

const lines = [
  { code: "72148", quantity: 1, quantityTypeCode: "UN" },
  { code: "97110", quantity: 12, quantityTypeCode: "VS" },
];

async function aSentTask(procedures: readonly object[] = lines) {
  const held = await aHeldTask(store, { review: { payer: { id: "60054" }, procedures } });
  const at = { taskId: held.taskId, gateId: held.seen.gateId };
  await releaseGate(held.reviewer, { taskId: held.taskId, seen: held.seen });
  await beginSending(held.reviewer, at);
  await reportSent(held.reviewer, { ...at, reference: "FAX-1" });
  return held;
}

describe("a determination recorded by a person", () => {
  test("line by line reaches the agent as a wire answer would, and never with the person's name", async () => {
    const { reviewer, channel, taskId } = await aSentTask();
    const recorded = await recordDetermination(reviewer, {
      taskId,
      outcome: "by-line",
      lines: [
        { action: "A1", reasons: [], number: "PA-1" },
        { action: "A6", authorized: { quantity: 6 }, reasons: ["4"] },
      ],
      validTo: "2027-03-31",
      learned: { by: "letter" },
      evidence: "Letter of 20 November",
    });
    expect(recorded).toEqual({ ok: true, value: { state: "determined" } });
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read.ok && read.value.determination).toMatchObject({
      outcome: "modified",
      source: "person",
      learned: { by: "letter" },
      lines: [
        { sequence: 1, action: "A1", number: "PA-1", authorized: { code: "72148", quantity: 1 } },
        { sequence: 2, action: "A6", requested: { quantity: 12 }, authorized: { quantity: 6 }, reasons: ["4"] },
      ],
    });
    expect(JSON.stringify(read)).not.toContain(reviewer.actor.name);
  });

  test("twice the same is one determination, and asks nobody for attention", async () => {
    const { reviewer, taskId } = await aSentTask();
    const record = () => recordDetermination(reviewer, { taskId, outcome: "denied", evidence: "Portal" });
    await record();
    expect(await record()).toEqual({ ok: true, value: { state: "determined" } });
    const view = await reviewTask(reviewer, { taskId });
    expect(view.ok && [view.value.determinations.length, view.value.attention]).toEqual([1, undefined]);
    expect((await actsOf(store, taskId)).filter((act) => act === "payer.decided")).toHaveLength(1);
  });

  test.each([
    ["an instant to come", { decidedAt: new Date(Date.now() + 3_600_000) }, "decidedAt"],
    ["a validity that ends before it begins", { validFrom: "2027-02-01", validTo: "2027-01-01" }, "validTo"],
    ["a call with nobody", { learned: { by: "phone" } as const }, "learnedFrom"],
  ])("with %s is refused and nothing is kept", async (_, wrong, path) => {
    const { reviewer, taskId } = await aSentTask();
    const refused = await recordDetermination(reviewer, { taskId, outcome: "approved", evidence: "x", ...wrong });
    expect(refused).toMatchObject({ ok: false, refusal: { type: "invalid", issues: [{ path }] } });
    expect(await actsOf(store, taskId)).not.toContain("payer.decided");
  });

  test("answers the lines of the revision the payer has, not of one that is still held", async () => {
    const { practiceId, reviewer, channel, taskId } = await aSentTask();
    await recordWants(reviewer, { taskId, wants: "The imaging report." });
    const review = { payer: { id: "60054" }, procedures: [{ code: "72149" }] };
    await sendMessage(channel, anIntake({ practiceId, taskId, review }));
    const view = await reviewTask(reviewer, { taskId });
    expect(view.ok && view.value.asked).toMatchObject({ revision: 1, lines: [{ code: "72148" }, { code: "97110" }] });
    const other = await recordDetermination(reviewer, { taskId, revision: 2, outcome: "approved", evidence: "x" });
    expect(other).toMatchObject({ ok: false, refusal: { type: "changed" } });
    await recordDetermination(reviewer, { taskId, revision: 1, outcome: "approved", evidence: "x" });
    const decided = await reviewTask(reviewer, { taskId });
    expect(decided.ok && decided.value.determinations[0]?.lines).toHaveLength(2);
  });
});

test.each([
  ["that the payer wants more", recordWants, { wants: "The report." }, "payer.wants"],
  ["that the payer voided it", recordVoided, { evidence: "A letter." }, "payer.voided"],
] as const)("recording twice %s records it once", async (_, record, said, act) => {
  const { reviewer, taskId } = await aSentTask();
  const tell = () => record(reviewer, { taskId, ...said } as never);
  await tell();
  expect(await tell()).toMatchObject({ ok: true });
  expect((await actsOf(store, taskId)).filter((each) => each === act)).toHaveLength(1);
  const view = await reviewTask(reviewer, { taskId });
  expect(view.ok && view.value.attention).toBeUndefined();
});
