import { afterAll, describe, expect, test } from "vitest";
import { stateOf } from "#lib/task/model/task";
import { documentDigest } from "#lib/payer/digest";
import { writePacket } from "#lib/payer/packet";
import { loadTaskFiles } from "#lib/task/store/attachments";
import { actsOf, aHeldTask, anIntake, aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { anAnsweredTask } from "#test/support/cases/sent-cases";
import { getTask } from "#lib/task/get-task";
import { readAttachment } from "#lib/task/read-attachment";
import { readReleasedPacket } from "./read-packet.ts";
import { recallRelease } from "#lib/gate/recall-release";
import { recordDetermination, recordVoided, recordInformationRequest } from "./record-payer-answer.ts";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "#lib/task/review-task";
import { startManualSubmission, reportNotSent, reportSent } from "./manual-submission.ts";
import { sendMessage } from "#lib/task/send-message";
import { resolveUnconfirmed } from "./resolve-unconfirmed.ts";

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

  test.each<[string, (of: Awaited<ReturnType<typeof aReleasedByHand>>) => Promise<unknown>]>([
    [
      "whoever released it reviews here no more",
      ({ reviewer }) => store.prisma.personRole.deleteMany({ where: { personId: reviewer.actor.id } }),
    ],
    [
      "the practice is suspended",
      ({ practiceId: id }) => store.prisma.practice.update({ where: { id }, data: { status: "suspended" } }),
    ],
    [
      "the channel lost the practice",
      ({ practiceId }) => store.prisma.channelPractice.deleteMany({ where: { practiceId } }),
    ],
  ])("is gone once %s, before anybody took it to submit", async (_, lose) => {
    const released = await aReleasedByHand();
    const colleague = await aPerson(store, { practices: [released.practiceId] });
    await lose(released);
    expect(await readReleasedPacket(colleague, { taskId: released.taskId })).toMatchObject({
      ok: false,
      refusal: { type: "stale" },
    });
  });

  test.each([
    ["a recall", recallRelease],
    [
      "a sending that failed",
      async (reviewer: Parameters<typeof startManualSubmission>[0], at: { taskId: string; gateId: string }) => {
        await startManualSubmission(reviewer, at);
        return reportNotSent(reviewer, { ...at, reason: "The fax line is down." });
      },
    ],
  ])("is gone after %s: what it showed may no longer leave", async (_, undo) => {
    const { reviewer, taskId, gateId } = await aReleasedByHand();
    expect(await undo(reviewer, { taskId, gateId })).toMatchObject({ ok: true });
    expect(await readReleasedPacket(reviewer, { taskId })).toMatchObject({ ok: false, refusal: { type: "stale" } });
  });
});

async function aManualSubmission() {
  const held = await aReleasedByHand();
  const at = { taskId: held.taskId, gateId: held.gateId };
  await startManualSubmission(held.reviewer, at);
  return { ...held, at };
}

describe("a sending by hand", () => {
  test("keeps how, to whom and when for the practice, and tells the agent how and when", async () => {
    const { reviewer, channel, taskId, at } = await aManualSubmission();
    const sent = await reportSent(reviewer, { ...at, delivery: "fax", to: "605-555-0142", reference: "F-1" });
    expect(sent).toEqual({ ok: true, value: { state: "transmitted" } });
    const view = await reviewTask(reviewer, { taskId });
    expect(view.ok && view.value.manualRecords).toMatchObject([
      { kind: "sent", action: "transmit", delivery: "fax", to: "605-555-0142", by: reviewer.actor.name },
    ]);
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read.ok && read.value.submissions).toMatchObject([{ manual: true, delivery: "fax", reference: "F-1" }]);
    for (const hidden of [reviewer.actor.name, "605-555-0142"]) expect(JSON.stringify(read)).not.toContain(hidden);
    const { rows } = await store.pool.query("SELECT detail FROM audit_entry WHERE task_id = $1", [taskId]);
    expect(JSON.stringify(rows)).toContain('\\"delivery\\":\\"fax\\"');
    expect(JSON.stringify(rows)).not.toContain("605-555-0142");
  });

  test.each([
    ["an instant to come", 60_000],
    ["an instant before the release", -120_000],
  ])("at %s is refused, and it is still being sent", async (_, fromNowMs) => {
    const { reviewer, channel, taskId, at } = await aManualSubmission();
    const sentAt = new Date(Date.now() + fromNowMs);
    expect(await reportSent(reviewer, { ...at, delivery: "phone", sentAt })).toMatchObject({
      ok: false,
      refusal: { type: "invalid", issues: [{ path: "sentAt" }] },
    });
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read.ok && stateOf(read.value.task)).toBe("transmitting");
  });

  test("within the minute of the release is taken as the release, for a form knows no seconds", async () => {
    const { reviewer, at } = await aManualSubmission();
    const sentAt = new Date(Math.floor(Date.now() / 60_000) * 60_000);
    const releasedAt = new Date(sentAt.getTime() + 1);
    await store.prisma.transmission.update({ where: { gateId: at.gateId }, data: { releasedAt } });
    expect(await reportSent(reviewer, { ...at, delivery: "portal", sentAt })).toMatchObject({ ok: true });
    const kept = await store.prisma.transmission.findUniqueOrThrow({ where: { gateId: at.gateId } });
    expect(kept.sentAt).toEqual(releasedAt);
  });

  test("posted twice at once is recorded once", async () => {
    const { reviewer, taskId, at } = await aManualSubmission();
    const posts = await Promise.all([1, 2].map(() => reportSent(reviewer, { ...at, delivery: "fax" })));
    expect(posts.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await actsOf(store, taskId)).filter((act) => act === "transmission.accepted")).toHaveLength(1);
  });
});

describe("a doubt", () => {
  test("is ended by whom a person asked, how and when, which is kept sealed and shown to the practice alone", async () => {
    const { reviewer, channel, taskId, claim } = await anAnsweredTask(store, { type: "unknown", reason: "no reply" });
    const inquiry = { whom: "Lee of the provider line", by: "phone", at: new Date(), reply: "No such case." } as const;
    const settled = await resolveUnconfirmed(reviewer, { taskId, gateId: claim.gateId, payerHas: false, inquiry });
    expect(settled).toEqual({ ok: true, value: { state: "transmit-held" } });
    const view = await reviewTask(reviewer, { taskId });
    expect(view.ok && view.value.manualRecords).toEqual([{ kind: "inquiry", ...inquiry, payerHas: false }]);
    const kept = await store.prisma.payerEvent.findFirstOrThrow({ where: { taskId, kind: "person.inquired" } });
    expect(Buffer.from(kept.payload ?? []).toString("latin1")).not.toContain("Lee");
    expect(JSON.stringify(await getTask(channel, { taskId, historyLength: 0 }))).not.toContain("Lee");
  });

  test.each([
    ["an instant to come", 60_000],
    ["an instant before the release", -120_000],
  ])("is not ended by asking at %s", async (_, fromNowMs) => {
    const { reviewer, taskId, claim } = await anAnsweredTask(store, { type: "unknown", reason: "no reply" });
    const inquiry = { whom: "Lee", by: "phone", at: new Date(Date.now() + fromNowMs) } as const;
    expect(await resolveUnconfirmed(reviewer, { taskId, gateId: claim.gateId, payerHas: true, inquiry })).toMatchObject(
      {
        ok: false,
        refusal: { type: "invalid", issues: [{ path: "inquiredAt" }] },
      },
    );
    expect(await actsOf(store, taskId)).not.toContain("transmission.resolved");
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
  await startManualSubmission(held.reviewer, at);
  await reportSent(held.reviewer, { delivery: "fax", ...at, reference: "FAX-1" });
  return held;
}

describe("a determination recorded by a person", () => {
  test("line by line reaches the agent as a wire answer would, and never with the person's name", async () => {
    const { reviewer, channel, taskId } = await aSentTask();
    const recorded = await recordDetermination(reviewer, {
      taskId,
      outcome: "by-line",
      lines: [
        { action: "A1", number: "PA-1" },
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

  test("keeps the payer's letter sealed, for the practice alone, and never among what may go to a payer", async () => {
    const { practiceId, reviewer, channel, taskId } = await aSentTask();
    const bytes = Buffer.from("%PDF-1.7 the letter");
    const document = { name: "letter.pdf", bytes };
    await recordDetermination(reviewer, { taskId, outcome: "denied", evidence: "Letter", document });
    const view = await reviewTask(reviewer, { taskId });
    const kept = view.ok ? view.value.determinations[0]?.document : undefined;
    expect(kept).toEqual({ sha256: documentDigest(bytes), contentType: "application/pdf", size: bytes.length });
    expect(view.ok && view.value.attachments).toEqual([]);
    const sha256 = documentDigest(bytes);
    expect(await readAttachment(reviewer, { taskId, sha256 })).toMatchObject({ ok: true, value: { bytes } });
    const stranger = await aPerson(store, { practices: [await aPractice(store)] });
    expect(await readAttachment(stranger, { taskId, sha256 })).toMatchObject({ ok: false });
    const row = await store.prisma.attachment.findFirstOrThrow({ where: { taskId } });
    expect(Buffer.from(row.bytes).includes("the letter")).toBe(false);
    expect(await loadTaskFiles(store, { taskId, practiceId, revision: 1 })).toEqual([]);
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read.ok && read.value.determination?.document).toEqual(kept);
  });

  test.each([
    ["a page that could be active", Buffer.from("<html><script>1</script></html>")],
    ["plain text", Buffer.from("approved")],
    ["nothing known", Buffer.from([0, 1, 2])],
    ["more than 8 MB", Buffer.concat([Buffer.from("%PDF-1.7"), Buffer.alloc(8 * 1024 * 1024)])],
  ])("with a document that is %s is refused, and nothing is kept", async (_, bytes) => {
    const { reviewer, taskId } = await aSentTask();
    const document = { name: "letter.pdf", bytes };
    const refused = await recordDetermination(reviewer, { taskId, outcome: "denied", evidence: "Letter", document });
    expect(refused).toMatchObject({ ok: false, refusal: { type: "invalid", issues: [{ path: "document" }] } });
    expect(await store.prisma.attachment.count({ where: { taskId } })).toBe(0);
    expect(await actsOf(store, taskId)).not.toContain("payer.decided");
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
    await recordInformationRequest(reviewer, { taskId, informationRequest: "The imaging report." });
    const review = { payer: { id: "60054" }, procedures: [{ code: "72149" }] };
    await sendMessage(channel, anIntake({ practiceId, taskId, review }));
    const view = await reviewTask(reviewer, { taskId });
    expect(view.ok && view.value.requested).toMatchObject({
      revision: 1,
      lines: [{ code: "72148" }, { code: "97110" }],
    });
    const other = await recordDetermination(reviewer, { taskId, revision: 2, outcome: "approved", evidence: "x" });
    expect(other).toMatchObject({ ok: false, refusal: { type: "changed" } });
    await recordDetermination(reviewer, { taskId, revision: 1, outcome: "approved", evidence: "x" });
    const decided = await reviewTask(reviewer, { taskId });
    expect(decided.ok && decided.value.determinations[0]?.lines).toHaveLength(2);
  });
});

test.each([
  [
    "that the payer wants more",
    recordInformationRequest,
    { informationRequest: "The report." },
    "payer.requested-information",
  ],
  ["that the payer voided it", recordVoided, { evidence: "A letter." }, "payer.voided"],
] as const)("recording twice %s records it once", async (_, record, choice, act) => {
  const { reviewer, taskId } = await aSentTask();
  const tell = () => record(reviewer, { taskId, ...choice } as never);
  await tell();
  expect(await tell()).toMatchObject({ ok: true });
  expect((await actsOf(store, taskId)).filter((each) => each === act)).toHaveLength(1);
  const view = await reviewTask(reviewer, { taskId });
  expect(view.ok && view.value.attention).toBeUndefined();
});
