import { v7 as uuidv7 } from "uuid";
import { afterAll, describe, expect, test } from "vitest";
import type { PayerAnswer } from "#lib/payer/connector";
import type { Context } from "#lib/access/context";
import type { ChannelActor, PersonActor } from "#lib/access/model/actor";
import { aHeldTask, aStore, aVoid, seenOn, theWorker } from "#test/support/cases/cases";
import { anAnsweredTask, approved, aTransmittingTask, bytes } from "#test/support/cases/sent-cases";
import { getTask } from "./get-task.ts";
import { listQueue } from "#lib/queue/list-queue";
import { recordAnswer } from "#lib/submission/record-answer";
import { recordInquiry } from "#lib/submission/record-inquiry";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "./review-task.ts";
import { startManualSubmission, reportNotSent, reportRefused, reportSent } from "#lib/submission/manual-submission";
import { sendMessage } from "./send-message.ts";
import { resolveUnconfirmed } from "#lib/submission/resolve-unconfirmed";
import { claimTransmission, startTransmission } from "#lib/submission/transmission";

const store = aStore();
const worker = theWorker(store);
afterAll(() => store.close());

const minute = 60_000;
const decided = (decidedAt: string, outcome: "approved" | "denied"): PayerAnswer => ({
  type: "decided",
  determination: { ...approved, outcome, decidedAt },
});

async function read(channel: Context<ChannelActor>, taskId: string) {
  const found = await getTask(channel, { taskId, historyLength: 0 });
  if (!found.ok) throw new Error(`The task is not read: ${found.refusal.type}`);
  return found.value;
}

const hear = (taskId: string, answer: Extract<PayerAnswer, { type: "decided" | "cancelled" | "accepted" }>) =>
  recordInquiry(worker, { taskId, response: { answer: { type: "match", answer }, bytes: Buffer.from(uuidv7()) } });

/** Requests a void, releases it, and brings the payer's answer: over the wire, or manually if the wire has no voids. */
async function voidAnswered(task: Awaited<ReturnType<typeof aTransmittingTask>>, answer: "V-1" | { refused: string }) {
  const { channel, reviewer, practiceId, taskId } = task;
  const inquiry = await sendMessage(channel, aVoid({ practiceId, taskId }));
  if (!inquiry.ok) throw new Error(`The void was refused: ${inquiry.refusal.type}`);
  const seen = seenOn(inquiry.value);
  await releaseGate(reviewer, { taskId, seen });
  const claim = await claimTransmission(worker, { taskId });
  if (claim.ok && claim.value !== "held-again") {
    await startTransmission(worker, claim.value);
    const response: PayerAnswer =
      answer === "V-1"
        ? { type: "cancelled", reference: answer }
        : { type: "rejected", correction: "final", reason: answer.refused };
    await recordAnswer(worker, { taskId, attempt: claim.value.attempt, response: { answer: response, bytes } });
    return;
  }
  const sent = { taskId, gateId: seen.gateId };
  await startManualSubmission(reviewer, sent);
  if (answer === "V-1") await reportSent(reviewer, { delivery: "fax", ...sent, reference: answer });
  else await reportRefused(reviewer, { ...sent, reason: answer.refused });
}

async function manual(
  reviewer: Context<PersonActor>,
  held: Pick<Awaited<ReturnType<typeof aHeldTask>>, "taskId" | "seen">,
) {
  await releaseGate(reviewer, held);
  const sent = { taskId: held.taskId, gateId: held.seen.gateId };
  await startManualSubmission(reviewer, sent);
  return sent;
}

describe("what left", () => {
  test("has a receipt with its trace number, digests and the payer's reference", async () => {
    const { channel, taskId, record } = await anAnsweredTask(store, { type: "accepted", reference: "REF-1" });
    const { submissions } = await read(channel, taskId);
    expect(submissions).toMatchObject([
      {
        ...{ action: "transmit", update: false, manual: false, revision: 1, attempt: 1, result: "received" },
        ...{ reference: "REF-1", traceNumber: `${taskId}-1-T`, environment: "test" },
        gateDigest: record.gate?.digest,
        documentDigests: record.gate?.documentDigests,
      },
    ]);
    const { startedAt } = await store.prisma.transmission.findFirstOrThrow({ where: { taskId } });
    expect(submissions[0]?.sentAt).toEqual(startedAt);
  });

  test("and was refused says why, and keeps the words sealed", async () => {
    const answer = { type: "rejected", correction: "correctable", reason: "The member is not known." } as const;
    const { channel, taskId } = await anAnsweredTask(store, answer);
    const { submissions, clock } = await read(channel, taskId);
    expect(submissions).toMatchObject([{ result: "refused", reason: "The member is not known." }]);
    expect(clock).toBeUndefined();
    const { reason } = await store.prisma.transmission.findFirstOrThrow({ where: { taskId } });
    expect(Buffer.from(reason ?? []).toString("latin1")).not.toContain("member");
  });

  test("and is in doubt is unconfirmed until it is settled", async () => {
    const { channel, reviewer, taskId, seen } = await anAnsweredTask(store, { type: "unknown", reason: "No reply." });
    const before = await read(channel, taskId);
    expect(before).toMatchObject({ submissions: [{ result: "unconfirmed" }] });
    expect(before.clock).toBeUndefined();
    await resolveUnconfirmed(reviewer, {
      taskId,
      gateId: seen.gateId,
      payerHas: false,
      inquiry: { whom: "Lee", by: "phone", at: new Date() },
    });
    expect((await read(channel, taskId)).submissions).toMatchObject([{ result: "not-received" }]);
  });

  test("keeps its answer and its time through everything that comes after", async () => {
    const { taskId } = await anAnsweredTask(store, { type: "accepted", reference: "REF-1" });
    const before = await store.prisma.transmission.findFirstOrThrow({ where: { taskId } });
    await hear(taskId, { type: "decided", determination: approved });
    expect(await store.prisma.transmission.findFirstOrThrow({ where: { taskId } })).toEqual(before);
    expect(before).toMatchObject({ phase: "done", answer: "accepted", result: "received" });
  });

  test("has no receipt while nothing left, or a person could not send it", async () => {
    const held = await aHeldTask(store);
    const sent = await manual(held.reviewer, held);
    expect((await read(held.channel, held.taskId)).submissions).toEqual([]);
    await reportNotSent(held.reviewer, { ...sent, reason: "The fax is broken." });
    const { submissions, clock } = await read(held.channel, held.taskId);
    expect({ submissions, clock }).toEqual({ submissions: [], clock: undefined });
  });

  test("by hand has what the person recorded, and was received when they handed it over", async () => {
    const held = await aHeldTask(store);
    const sent = await manual(held.reviewer, held);
    const sentAt = new Date(Date.now() - 90 * minute);
    await store.prisma.transmission.update({ where: { gateId: sent.gateId }, data: { releasedAt: sentAt } });
    await reportSent(held.reviewer, { delivery: "fax", ...sent, reference: "FAX-1", sentAt });
    const { submissions, clock } = await read(held.channel, held.taskId);
    expect(submissions).toMatchObject([{ manual: true, result: "received", reference: "FAX-1", sentAt }]);
    expect(clock).toMatchObject({ startedAt: sentAt, startedBy: "person", legal: { known: false } });
    expect(JSON.stringify(submissions)).not.toContain(held.reviewer.actor.name);
  });

  test("by hand and refused says so", async () => {
    const held = await aHeldTask(store);
    await reportRefused(held.reviewer, { ...(await manual(held.reviewer, held)), reason: "Wrong form." });
    expect((await read(held.channel, held.taskId)).submissions).toMatchObject([
      { result: "refused", reason: "Wrong form." },
    ]);
  });

  test("as a void has a receipt beside the request's, done or refused at once or later", async () => {
    const done = await anAnsweredTask(store, { type: "accepted", reference: "REF-1" });
    await voidAnswered(done, "V-1");
    const voided = await read(done.channel, done.taskId);
    expect(voided.submissions).toMatchObject([
      { action: "transmit", reference: "REF-1" },
      { action: "void", result: "received", reference: "V-1", traceNumber: `${done.taskId}-1-V` },
    ]);
    expect(voided.voidedAt).toBeInstanceOf(Date);
    expect(voided.clock?.stoppedAt).toEqual(voided.voidedAt);

    const refused = await anAnsweredTask(store, { type: "accepted" });
    await voidAnswered(refused, { refused: "It was paid." });
    const [, ofVoid] = (await read(refused.channel, refused.taskId)).submissions;
    expect(ofVoid).toMatchObject({ action: "void", result: "refused", reason: "It was paid." });
  });
});

describe("the payer's clock", () => {
  const setLine = (practiceId: string, lineOfBusiness: string) =>
    store.prisma.route.updateMany({ where: { practiceId }, data: { lineOfBusiness } });

  test("starts when the payer says that it received the request, and shows the rule of its line of business", async () => {
    const receivedAt = new Date(Date.now() - 1);
    const { taskId, practiceId, channel, reviewer } = await aTransmittingTask(store).then(async (task) => {
      const answer: PayerAnswer = {
        type: "accepted",
        reference: "REF-1",
        receivedAt: new Date(Date.now() + 60 * minute),
      };
      await recordAnswer(worker, { taskId: task.taskId, attempt: 1, response: { answer, bytes } });
      return task;
    });
    const unknown = await read(channel, taskId);
    expect(unknown.clock).toMatchObject({ startedBy: "payer", legal: { known: false } });
    expect(unknown.clock?.startedAt.getTime()).toBeGreaterThan(receivedAt.getTime());
    expect(unknown.clock?.startedAt.getTime()).toBeLessThanOrEqual(Date.now());
    await setLine(practiceId, "medicare-advantage");
    const legal = { known: true, overdue: false, rule: { within: { calendarDays: 7 } } };
    expect((await read(channel, taskId)).clock).toMatchObject({ legal });
    const page = await reviewTask(reviewer, { taskId });
    expect(page).toMatchObject({ ok: true, value: { clock: { legal }, submissions: [{ reference: "REF-1" }] } });
    const { rows } = await listQueue(reviewer, { view: "at-payer", sort: "due", filters: {} });
    expect(rows).toMatchObject([{ taskId, clock: { legal } }]);
  });

  test("is overdue once the time has passed, and stays what it was when the payer decided", async () => {
    const { taskId, practiceId, channel } = await anAnsweredTask(store, { type: "accepted" });
    await setLine(practiceId, "medicaid-ffs");
    const received = new Date(Date.now() - 9 * 24 * 60 * minute);
    await store.prisma.task.update({ where: { id: taskId }, data: { sentAt: received, payerReceivedAt: received } });
    expect((await read(channel, taskId)).clock).toMatchObject({ startedAt: received, legal: { overdue: true } });
    const inTime = new Date(received.getTime() + 60 * minute).toISOString();
    await hear(taskId, decided(inTime, "approved") as Extract<PayerAnswer, { type: "decided" }>);
    const after = await read(channel, taskId);
    expect(after.clock).toMatchObject({ stoppedAt: new Date(inTime), legal: { overdue: false } });
  });
});

test("a superseded determination stays in the task behind the one in force, one that came too late does not", async () => {
  const task = await anAnsweredTask(store, decided("2026-01-02T00:00:00.000Z", "denied"));
  await store.prisma.task.update({ where: { id: task.taskId }, data: { voidPending: true } });
  await hear(task.taskId, decided("2026-01-03T00:00:00.000Z", "approved") as Extract<PayerAnswer, { type: "decided" }>);
  await hear(task.taskId, decided("2026-01-01T00:00:00.000Z", "denied") as Extract<PayerAnswer, { type: "decided" }>);
  const { determination, superseded, clock } = await read(task.channel, task.taskId);
  expect(determination).toMatchObject({ outcome: "approved", supersedes: superseded[0]?.id, environment: "test" });
  expect(superseded).toMatchObject([{ outcome: "denied", decidedAt: "2026-01-02T00:00:00.000Z" }]);
  expect(clock?.stoppedAt).toEqual(new Date("2026-01-02T00:00:00.000Z"));
  const page = await reviewTask(task.reviewer, { taskId: task.taskId });
  const standings = page.ok && page.value.determinations.map(({ standing }) => standing);
  expect(standings).toEqual(["superseded", "never-in-force", "in-force"]);
});
