import { afterAll, describe, expect, test } from "vitest";
import { loadSentGate } from "#lib/gate/shared/gates";
import { releaseGate } from "#lib/gate/release-gate";
import type { PayerAnswer } from "#lib/payer/connector";
import { declineGate } from "#lib/gate/decline-gate";
import type { MatchedAnswer } from "#lib/submission/payer-report";
import { getTask } from "#lib/task/get-task";
import { attentionOf, stateOf } from "#lib/task/model/task";
import { sendMessage } from "#lib/task/send-message";
import { actsOf, anIntake, aStore, fullReview, seenOn, theWorker } from "#test/support/cases/cases";
import { anAnsweredTask, approved, bytes } from "#test/support/cases/sent-cases";
import { done } from "#test/support/people/admin";
import { recordAnswer } from "./record-answer.ts";
import { recordInquiry } from "./record-inquiry.ts";
import { attend } from "./record-payer-answer.ts";
import { resolveUnconfirmed } from "./resolve-unconfirmed.ts";
import { claimTransmission, startTransmission } from "./transmission.ts";

const store = aStore();
const worker = theWorker(store);
afterAll(() => store.close());

type Case = Awaited<ReturnType<typeof anAnsweredTask>>;

const withANote = { ...fullReview, providerNotes: [{ message: "Four more visits are needed." }] };
const withMore = { ...fullReview, procedures: [{ ...fullReview.procedures[0], quantity: 20 }] };

/** A case whose first request the payer pended, with an update of it that waits for a reviewer. */
async function aHeldUpdate(review: object) {
  const of = await anAnsweredTask(store, { type: "accepted", reference: "REF-1" });
  const amended = await done(
    sendMessage(of.channel, anIntake({ practiceId: of.practiceId, taskId: of.taskId, review })),
  );
  return { ...of, update: seenOn(amended) };
}

/** The same, with the update on its way; the function records what the payer answers to it. */
async function aSentUpdate(review: object = withANote) {
  const of = await aHeldUpdate(review);
  await done(releaseGate(of.reviewer, { taskId: of.taskId, seen: of.update }));
  const claimed = await claimTransmission(worker, { taskId: of.taskId });
  if (!claimed.ok || claimed.value === "held-again") throw new Error("The claim failed.");
  await startTransmission(worker, claimed.value);
  const { attempt } = claimed.value;
  const answered = (answer: PayerAnswer) =>
    done(recordAnswer(worker, { taskId: of.taskId, attempt, response: { answer, bytes } }));
  return { ...of, answered };
}

const inquired = ({ taskId }: Case, answer: MatchedAnswer, about?: { gateId: string; isUnconfirmed: boolean }) =>
  recordInquiry(worker, { taskId, response: { answer: { type: "match", answer }, bytes }, about });

/** The same, where the answer is known to be to what this gate submitted. */
const inquiredOf = ({ taskId }: Case, ofGate: string, answer: MatchedAnswer, isNamed = false) =>
  recordInquiry(worker, { taskId, response: { answer: { type: "match", answer, isNamed }, bytes }, ofGate });

async function standingOf({ taskId, channel }: Case) {
  const { task } = await done(getTask(channel, { taskId, historyLength: 0 }));
  return { state: stateOf(task), attention: attentionOf(task), revision: task.payer.determination?.revision };
}

const isPolled = ({ taskId }: Case) => store.prisma.nextInquiry.count({ where: { taskId } });

describe("while the payer owes a decision on the first request, it goes on being asked", () => {
  test.each<[string, PayerAnswer]>([
    ["rejects the update", { type: "rejected", correction: "correctable", reason: "The update lacks a code." }],
    ["cannot be reached with it", { type: "notSent", reason: "The payer answered with HTTP 401." }],
  ])("once it %s", async (_, answer) => {
    const of = await aSentUpdate();
    await of.answered(answer);
    expect(await isPolled(of)).toBe(1);
  });

  test("once a person says that it never got the update", async () => {
    const of = await aSentUpdate();
    await of.answered({ type: "unknown", reason: "no reply" });
    const inquiry = { whom: "Lee", by: "phone", at: new Date() } as const;
    const { gateId } = of.update;
    await done(resolveUnconfirmed(of.reviewer, { taskId: of.taskId, gateId, payerHas: false, inquiry }));
    expect(await isPolled(of)).toBe(1);
    const held = await store.prisma.task.findUniqueOrThrow({ where: { id: of.taskId } });
    const again = await store.prisma.gate.findUniqueOrThrow({ where: { id: held.gateId ?? "" } });
    const seen = { gateId: again.id, revision: again.revision, digest: again.digest };
    await done(declineGate(of.reviewer, { taskId: of.taskId, seen: { ...of.update, ...seen }, reason: "Not needed." }));
    expect(await isPolled(of)).toBe(1);
  });
});

describe("a decision that the payer made before it got the update", () => {
  const decided = (decidedAt: string): MatchedAnswer => ({
    type: "decided",
    determination: { ...approved, decidedAt },
  });

  test("answers the first request, and the update is still to be decided", async () => {
    const of = await aSentUpdate();
    await of.answered({ type: "accepted", reference: "REF-1" });
    await inquired(of, decided(new Date(Date.now() - 3_600_000).toISOString()));
    expect(await standingOf(of)).toEqual({ state: "transmitted", attention: undefined, revision: 1 });
    expect(await isPolled(of)).toBe(1);
    await inquired(of, decided(new Date(Date.now() + 1_000).toISOString()));
    expect(await standingOf(of)).toEqual({ state: "determined", attention: undefined, revision: 2 });
    expect(await isPolled(of)).toBe(0);
  });

  test("on the first request alone answers no update that asks for more, however late it is made", async () => {
    const of = await aSentUpdate(withMore);
    await of.answered({ type: "accepted", reference: "REF-1" });
    const later = (ms: number) => decided(new Date(Date.now() + ms).toISOString());
    await inquiredOf(of, of.claim.gateId, later(1_000));
    expect(await standingOf(of)).toEqual({ state: "transmitted", attention: undefined, revision: 1 });
    expect(await isPolled(of)).toBe(1);
    await inquiredOf(of, of.update.gateId, later(2_000));
    expect(await standingOf(of)).toEqual({ state: "determined", attention: undefined, revision: 2 });
  });

  test("under the first request's name answers an update that asks for the same, by its date", async () => {
    const of = await aSentUpdate(withANote);
    await of.answered({ type: "accepted", reference: "REF-1" });
    await inquiredOf(of, of.claim.gateId, decided(new Date(Date.now() + 1_000).toISOString()));
    expect(await standingOf(of)).toEqual({ state: "determined", attention: undefined, revision: 2 });
  });

  test("under the first request's name is for a person, where an update that asks for more went by hand", async () => {
    const of = await aSentUpdate(withMore);
    await of.answered({ type: "accepted", reference: "REF-1" });
    await store.prisma.gate.update({ where: { id: of.update.gateId }, data: { isManual: true } });
    await inquiredOf(of, of.claim.gateId, decided(new Date(Date.now() + 1_000).toISOString()));
    expect(await standingOf(of)).toEqual({ state: "transmitted", attention: "unordered-answer", revision: undefined });
    expect(await isPolled(of)).toBe(1);
  });

  describe("by the day alone", () => {
    const { decidedAt: _, ...undated } = approved;
    const decidedOn = (days: number): MatchedAnswer => {
      const day = new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
      return { type: "decided", determination: { ...undated, decidedOn: day } };
    };

    test("answers the first request, where the day was over before the update was submitted", async () => {
      const of = await aSentUpdate();
      await of.answered({ type: "accepted", reference: "REF-1" });
      await inquired(of, decidedOn(-3));
      expect(await standingOf(of)).toEqual({ state: "transmitted", attention: undefined, revision: 1 });
      expect(await isPolled(of)).toBe(1);
    });

    test.each([decidedOn(0), { type: "decided", determination: undated } as const])(
      "is for a person on the day of the update, and where it is undated, unless it names the update",
      async (answer) => {
        const of = await aSentUpdate();
        await of.answered({ type: "accepted", reference: "REF-1" });
        await inquiredOf(of, of.claim.gateId, answer, true);
        expect(await standingOf(of)).toMatchObject({ attention: "unordered-answer" });
        const other = await aSentUpdate();
        await other.answered({ type: "accepted", reference: "REF-1" });
        await inquiredOf(other, other.update.gateId, answer, true);
        expect(await standingOf(other)).toEqual({ state: "determined", attention: undefined, revision: 2 });
      },
    );

    test("is recorded once, where it came with its instant before", async () => {
      const of = await aSentUpdate();
      await of.answered({ type: "accepted", reference: "REF-1" });
      const at = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000).toISOString();
      await inquired(of, { type: "decided", determination: { ...undated, decidedAt: at } });
      await inquired(of, decidedOn(-3));
      expect(await store.prisma.determination.count({ where: { taskId: of.taskId } })).toBe(1);
      expect(await standingOf(of)).toEqual({ state: "transmitted", attention: undefined, revision: 1 });
    });
  });

  test("does not settle an update of unknown outcome, where the payer was asked before it left", async () => {
    const of = await aSentUpdate();
    await of.answered({ type: "unknown", reason: "no reply" });
    const about = { gateId: of.claim.gateId, isUnconfirmed: false };
    await inquired(of, { type: "accepted", reference: "REF-1" }, about);
    expect(await standingOf(of)).toMatchObject({ state: "transmit-unconfirmed" });
    await inquired(of, { type: "accepted", reference: "REF-1" }, { gateId: of.update.gateId, isUnconfirmed: true });
    expect(await standingOf(of)).toMatchObject({ state: "transmitted" });
  });
});

test("an update that the payer never got is not what its next answer is about", async () => {
  const of = await aSentUpdate();
  await of.answered({ type: "unknown", reason: "no reply" });
  const inquiry = { whom: "Lee", by: "phone", at: new Date() } as const;
  const { gateId } = of.update;
  const place = { taskId: of.taskId, practiceId: of.practiceId };
  expect(await loadSentGate(store, place)).toMatchObject({ id: gateId });
  await done(resolveUnconfirmed(of.reviewer, { taskId: of.taskId, gateId, payerHas: false, inquiry }));
  expect(await loadSentGate(store, place)).toMatchObject({ id: of.claim.gateId });
});

test("a payer that wants to be called about an update, as it did about the first request, is heard again", async () => {
  const of = await aSentUpdate();
  await of.answered({ type: "accepted", reference: "REF-1" });
  const call: MatchedAnswer = { type: "contact-payer", reference: "REF-1", text: "Call us." };
  const calls = async () => (await actsOf(store, of.taskId)).filter((act) => act === "payer.requested-contact").length;
  await inquired(of, call);
  await done(attend(of.reviewer, { taskId: of.taskId }));
  await inquired(of, call);
  expect(await calls()).toBe(1);
  const review = { ...fullReview, providerNotes: [{ message: "Eight more visits are needed." }] };
  const again = await done(sendMessage(of.channel, anIntake({ practiceId: of.practiceId, taskId: of.taskId, review })));
  await done(releaseGate(of.reviewer, { taskId: of.taskId, seen: seenOn(again) }));
  const claimed = await claimTransmission(worker, { taskId: of.taskId });
  if (!claimed.ok || claimed.value === "held-again") throw new Error("The claim failed.");
  await startTransmission(worker, claimed.value);
  const response = { answer: { type: "accepted", reference: "REF-1" }, bytes } as const;
  await done(recordAnswer(worker, { taskId: of.taskId, attempt: claimed.value.attempt, response }));
  await inquired(of, call);
  await inquired(of, call);
  expect(await calls()).toBe(2);
});

const hourMs = 3_600_000;
const urgent = { ...fullReview, serviceLevelCode: "U", urgentAttestation: true };
const standard = { known: true, rule: { urgency: "standard" } };
const accepted = { type: "accepted", reference: "REF-1" } as const;

/** A case of whose standard first request a payer with legal times heard 60 hours ago. */
async function aRunningClock() {
  const of = await anAnsweredTask(store, accepted);
  const { taskId, practiceId } = of;
  await store.prisma.route.updateMany({ where: { practiceId }, data: { lineOfBusiness: "medicare-advantage" } });
  const ago = (at: Date | null) => new Date((at?.getTime() ?? 0) - 60 * hourMs);
  const { payerReceivedAt, sentAt } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
  const receivedAt = ago(payerReceivedAt);
  await store.prisma.task.update({ where: { id: taskId }, data: { payerReceivedAt: receivedAt, sentAt: ago(sentAt) } });
  const clock = async () => (await done(getTask(of.channel, { taskId, historyLength: 0 }))).clock;
  const row = () => store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
  const amend = (review: object) => sendMessage(of.channel, anIntake({ practiceId, taskId, review }));
  return { ...of, receivedAt, clock, row, amend };
}

type Running = Awaited<ReturnType<typeof aRunningClock>>;

/** An update that is released, and that the payer takes with this answer. */
async function update({ taskId, reviewer, amend }: Running, review: object, answer: PayerAnswer = accepted) {
  await done(releaseGate(reviewer, { taskId, seen: seenOn(await done(amend(review))) }));
  const claimed = await claimTransmission(worker, { taskId });
  if (!claimed.ok || claimed.value === "held-again") throw new Error("The claim failed.");
  await startTransmission(worker, claimed.value);
  await done(recordAnswer(worker, { taskId, attempt: claimed.value.attempt, response: { answer, bytes } }));
  const { gateId, calls } = claimed.value;
  const { sentAt } = await store.prisma.transmission.findUniqueOrThrow({ where: { gateId } });
  const [call] = calls;
  if (!call) throw new Error("An update submits something.");
  return { gateId, sentAt, call };
}

describe("the payer's legal time", () => {
  test("follows what the payer has, and of an urgent update runs from its receipt", async () => {
    const of = await aRunningClock();
    const { taskId, reviewer, receivedAt, clock, row, amend } = of;
    const amended = await done(amend(urgent));
    expect(await clock()).toMatchObject({ startedAt: receivedAt, legal: standard });
    await done(declineGate(reviewer, { taskId, seen: seenOn(amended), reason: "It is not urgent." }));
    expect(await clock()).toMatchObject({ startedAt: receivedAt, legal: standard });
    await update(of, { ...urgent, fromDate: "2026-12-02" });
    const { payerDueAt, payerUrgentAt, changedAt } = await row();
    expect(payerUrgentAt).toEqual(changedAt);
    const dueAt = new Date(changedAt.getTime() + 72 * hourMs);
    expect(payerDueAt).toEqual(dueAt);
    expect(await clock()).toMatchObject({
      startedAt: receivedAt,
      urgentAt: payerUrgentAt,
      legal: { known: true, dueAt, overdue: false, rule: { urgency: "expedited" } },
    });
  });

  test("of an urgent update begins no earlier than that left, whatever the payer repeats of its first answer", async () => {
    const of = await aRunningClock();
    const { sentAt } = await update(of, urgent, { ...accepted, receivedAt: of.receivedAt });
    expect((await of.row()).payerUrgentAt).toEqual(sentAt);
    expect(await of.clock()).toMatchObject({ urgentAt: sentAt, legal: { overdue: false } });
  });

  test("starts at the first receipt, whatever the payer says of an update's", async () => {
    const of = await aRunningClock();
    await update(of, withANote, { ...accepted, receivedAt: new Date() });
    expect(await of.clock()).toMatchObject({ startedAt: of.receivedAt, startedBy: "service", legal: standard });
  });

  test("of a case that was received before its urgency was kept follows what the payer received", async () => {
    const of = await aRunningClock();
    await store.prisma.task.update({ where: { id: of.taskId }, data: { payerUrgent: null } });
    await done(of.amend({ ...urgent, fromDate: "2026-12-02" }));
    expect(await of.clock()).toMatchObject({ legal: standard });
    await store.prisma.task.update({ where: { id: of.taskId }, data: { payerUrgent: null } });
    await update(of, urgent);
    const { payerUrgentAt, changedAt } = await of.row();
    expect(payerUrgentAt).toEqual(changedAt);
    expect(await of.clock()).toMatchObject({ urgentAt: changedAt, legal: { overdue: false } });
  });

  test("names no instant of urgency for a request that is standard", async () => {
    const of = await aRunningClock();
    await update(of, urgent);
    await store.prisma.task.update({ where: { id: of.taskId }, data: { payerUrgent: false } });
    expect((await of.clock())?.urgentAt).toBeUndefined();
  });

  test("is again what it was once the payer rejects the update that made it urgent", async () => {
    const of = await aRunningClock();
    const { gateId: ofGate, call } = await update(of, urgent);
    const answer = { type: "rejected", correction: "correctable", reason: "It lacks a code.", of: call } as const;
    await done(recordInquiry(worker, { taskId: of.taskId, response: { answer, bytes }, ofGate }));
    const { payerUrgent, payerUrgentAt, payerDueAt } = await of.row();
    expect({ payerUrgent, payerUrgentAt }).toEqual({ payerUrgent: false, payerUrgentAt: null });
    expect(await of.clock()).toMatchObject({ startedAt: of.receivedAt, legal: { ...standard, dueAt: payerDueAt } });
  });
});
