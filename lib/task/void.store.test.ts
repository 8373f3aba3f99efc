import { afterAll, describe, expect, test } from "vitest";
import { aChannel, aHeldTask, anIntake, aStore, aVoid, fullReview, seenOn, theWorker } from "#test/support/cases/cases";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { closedStates } from "#lib/queue/model/queue";
import { inTransaction } from "#lib/db/db";
import { loadSentGate } from "#lib/gate/shared/gates";
import { anAnsweredTask, approved, bytes, stateNow } from "#test/support/cases/sent-cases";
import { done } from "#test/support/people/admin";
import { cancelTask } from "./cancel-task.ts";
import { declineGate } from "#lib/gate/decline-gate";
import { listQueue } from "#lib/queue/list-queue";
import { recordDetermination } from "#lib/submission/record-payer-answer";
import { recordInquiry } from "#lib/submission/record-inquiry";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "./review-task.ts";
import { startManualSubmission, reportNotSent, reportRefused, reportSent } from "#lib/submission/manual-submission";
import { sendMessage } from "./send-message.ts";
import { claimTransmission } from "#lib/submission/transmission";

const store = aStore();
const worker = theWorker(store);
afterAll(() => store.close());

/** The states of closed cases under which this case is listed for each of its codes, each once. */
async function foundByCode(reviewer: Context<PersonActor>, taskId: string): Promise<readonly string[]> {
  const { procedureCodes } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
  const found = await Promise.all(
    procedureCodes.map(async (code) => {
      const lists = closedStates.map(async (state) => {
        const filters = { state, code };
        const { rows } = await listQueue(reviewer, { view: "all", sort: "due", filters });
        return rows.flatMap((row) => (row.taskId === taskId ? [state] : []));
      });
      return (await Promise.all(lists)).flat();
    }),
  );
  const [first = []] = found;
  for (const each of found) expect(each).toEqual(first);
  return first;
}

describe("by hand", () => {
  test("a manual case goes round: released, taken, sent, decided, and voided again", async () => {
    const { reviewer, channel, practiceId, taskId, seen } = await aHeldTask(store);
    const { gateId } = seen;
    await releaseGate(reviewer, { taskId, seen });
    expect(await claimTransmission(worker, { taskId })).toMatchObject({
      ok: false,
      refusal: { type: "not-claimable" },
    });
    await startManualSubmission(reviewer, { taskId, gateId });
    await reportSent(reviewer, { delivery: "fax", taskId, gateId, reference: "FAX-88" });
    await recordDetermination(reviewer, { taskId, outcome: "denied", evidence: "Letter of 20 November" });
    expect(await stateNow(taskId, { channel })).toBe("determined");
    expect(await cancelTask(channel, { taskId })).toMatchObject({
      ok: false,
      refusal: { type: "not-withdrawable", use: "prior_auth_void" },
    });
    expect(await foundByCode(reviewer, taskId)).toEqual(["determined"]);
    const requested = await sendMessage(channel, aVoid({ practiceId, taskId }));
    if (!requested.ok) throw new Error("The void was refused.");
    expect(await foundByCode(reviewer, taskId)).toEqual([]);
    const voidSeen = seenOn(requested.value);
    await releaseGate(reviewer, { taskId, seen: voidSeen });
    await startManualSubmission(reviewer, { taskId, gateId: voidSeen.gateId });
    await reportSent(reviewer, { delivery: "fax", taskId, gateId: voidSeen.gateId });
    expect(await stateNow(taskId, { channel })).toBe("voided");
    expect(await foundByCode(reviewer, taskId)).toEqual(["voided"]);
  });

  test("what could not be sent is held again, and what the payer refuses goes back to the agent", async () => {
    const { reviewer, channel, taskId, seen } = await aHeldTask(store);
    await releaseGate(reviewer, { taskId, seen });
    await startManualSubmission(reviewer, { taskId, gateId: seen.gateId });
    await reportNotSent(reviewer, { taskId, gateId: seen.gateId, reason: "The line was busy." });
    expect(await stateNow(taskId, { channel })).toBe("transmit-held");
    const view = await reviewTask(reviewer, { taskId });
    const gate = view.ok ? view.value.gate : undefined;
    if (!gate) throw new Error("The case has a gate again.");
    await releaseGate(reviewer, { taskId, seen: { gateId: gate.id, revision: gate.revision, digest: gate.digest } });
    await startManualSubmission(reviewer, { taskId, gateId: gate.id });
    await reportRefused(reviewer, { taskId, gateId: gate.id, reason: "Member not found." });
    expect(await stateNow(taskId, { channel })).toBe("needs-information");
  });
});

test("a decision is heard while a void waits, and after it was declined", async () => {
  const { practiceId, channel, reviewer, taskId } = await anAnsweredTask(store, {
    type: "accepted",
    reference: "REF-1",
  });
  const requested = await sendMessage(channel, aVoid({ practiceId, taskId }));
  if (!requested.ok) throw new Error("The void was refused.");
  await declineGate(reviewer, { taskId, seen: seenOn(requested.value), reason: "Still needed." });
  const sent = await inTransaction(store, (tx) => loadSentGate(tx, { taskId, practiceId }));
  expect(sent?.action).toBe("transmit");
  const again = await sendMessage(channel, aVoid({ practiceId, taskId }));
  expect(again.ok).toBe(true);
  const answer = { type: "match", answer: { type: "decided", determination: approved } } as const;
  await recordInquiry(theWorker(store), { taskId, response: { answer, bytes } });
  const view = await reviewTask(reviewer, { taskId });
  expect(view).toMatchObject({ ok: true, value: { state: "void-held", determinations: [{ outcome: "approved" }] } });
});

describe("a void", () => {
  async function aTransmittedTask() {
    return anAnsweredTask(store, { type: "accepted", reference: "REF-1" });
  }

  test("declined leaves the case as the payer has it", async () => {
    const { practiceId, channel, reviewer, taskId } = await aTransmittedTask();
    const requested = await sendMessage(channel, aVoid({ practiceId, taskId }));
    if (!requested.ok) throw new Error("The void was refused.");
    await declineGate(reviewer, { taskId, seen: seenOn(requested.value), reason: "Still needed." });
    expect(await stateNow(taskId, { channel })).toBe("transmitted");
  });

  test("is about what the payer has, also where the agent has since asked for something else", async () => {
    const { practiceId, channel, reviewer, taskId } = await aTransmittedTask();
    const procedures = [{ ...fullReview.procedures[0], code: "97110" }];
    await done(sendMessage(channel, anIntake({ practiceId, taskId, review: { ...fullReview, procedures } })));
    await done(sendMessage(channel, aVoid({ practiceId, taskId })));
    const view = await done(reviewTask(reviewer, { taskId }));
    expect(view).toMatchObject({
      revision: { number: 1 },
      gate: { action: "void", revision: 1 },
      requested: { revision: 1, lines: [{ code: fullReview.procedures[0]?.code }] },
    });
    const { id: gateId = "", revision = 0, digest = "" } = view.gate ?? {};
    await store.prisma.practice.update({ where: { id: practiceId }, data: { recallWindowS: 0 } });
    await done(releaseGate(reviewer, { taskId, seen: { gateId, revision, digest } }));
    expect(await claimTransmission(theWorker(store), { taskId })).toMatchObject({ ok: true, value: { gateId } });
  });

  test("needs the access of the channel that requested it, and not of the one that sent the case", async () => {
    const { practiceId, channel, reviewer, taskId } = await aTransmittedTask();
    const other = await aChannel(store, { practices: [practiceId], atoms: ["prior_auth_void", "tasks_get"] });
    await store.prisma.practice.update({ where: { id: practiceId }, data: { recallWindowS: 0 } });
    const seen = seenOn(await done(sendMessage(other, aVoid({ practiceId, taskId }))));
    await done(releaseGate(reviewer, { taskId, seen }));
    await store.prisma.channelKey.updateMany({
      where: { channelId: channel.actor.id },
      data: { revokedAt: new Date() },
    });
    const claim = await claimTransmission(theWorker(store), { taskId });
    expect(claim).toMatchObject({ ok: true, value: { gateId: seen.gateId } });
  });

  test("is held again where the channel that requested it lost its access since", async () => {
    const { practiceId, reviewer, taskId } = await aTransmittedTask();
    const other = await aChannel(store, { practices: [practiceId], atoms: ["prior_auth_void", "tasks_get"] });
    const seen = seenOn(await done(sendMessage(other, aVoid({ practiceId, taskId }))));
    await store.prisma.practice.update({ where: { id: practiceId }, data: { recallWindowS: 0 } });
    await done(releaseGate(reviewer, { taskId, seen }));
    await store.prisma.channelKey.updateMany({ where: { channelId: other.actor.id }, data: { revokedAt: new Date() } });
    expect(await claimTransmission(theWorker(store), { taskId })).toMatchObject({ ok: true, value: "held-again" });
    expect(await done(reviewTask(reviewer, { taskId }))).toMatchObject({ attention: "channel-revoked" });
  });

  test("gate is replaced when the payer decides, so that votes on another case do not count", async () => {
    const { practiceId, channel, reviewer, taskId } = await aTransmittedTask();
    const requested = await sendMessage(channel, aVoid({ practiceId, taskId }));
    if (!requested.ok) throw new Error("The void was refused.");
    const seen = seenOn(requested.value);
    await recordDetermination(reviewer, { taskId, outcome: "approved", evidence: "Portal" });
    expect(await releaseGate(reviewer, { taskId, seen })).toMatchObject({ ok: false, refusal: { type: "changed" } });
    expect(await stateNow(taskId, { channel })).toBe("void-held");
  });

  test("is refused for what the payer does not have", async () => {
    const { practiceId, channel, taskId } = await aHeldTask(store);
    const requested = await sendMessage(channel, aVoid({ practiceId, taskId }));
    expect(requested).toMatchObject({ ok: false, refusal: { type: "out-of-state", state: "transmit-held" } });
  });

  test("needs its own atom", async () => {
    const { practiceId, taskId } = await aTransmittedTask();
    const without = await aChannel(store, {
      practices: [practiceId],
      atoms: ["prior_auth_intake", "tasks_get", "tasks_cancel"],
    });
    expect(await sendMessage(without, aVoid({ practiceId, taskId }))).toEqual({
      ok: false,
      refusal: { type: "not-authorised" },
    });
  });
});
