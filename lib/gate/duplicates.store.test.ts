import { afterAll, describe, expect, test } from "vitest";
import {
  aChannel,
  aHeldTask,
  anIntake,
  aPractice,
  aStore,
  fullReview,
  seenOn,
  theWorker,
} from "#test/support/cases/cases";
import { inDays } from "#test/support/agents/reviews";
import { approved, bytes } from "#test/support/cases/sent-cases";
import { declineGate } from "./decline-gate.ts";
import { getTask } from "#lib/task/get-task";
import { recallRelease } from "./recall-release.ts";
import { recordAnswer } from "#lib/submission/record-answer";
import { releaseGate } from "./release-gate.ts";
import { reviewTask } from "#lib/task/review-task";
import { sendMessage } from "#lib/task/send-message";
import { claimTransmission, startTransmission } from "#lib/submission/transmission";

const store = aStore();
const worker = theWorker(store);
afterAll(() => store.close());

type HeldTask = Awaited<ReturnType<typeof aHeldTask>>;
const routed = { routed: true, review: fullReview, recallWindowS: 600 } as const;

/** The next request of the same member in the same practice, sent by another channel. */
async function andAnother({ practiceId }: HeldTask, review: object = fullReview) {
  const channel = await aChannel(store, { practices: [practiceId] });
  const sent = await sendMessage(channel, anIntake({ practiceId, review }));
  if (!sent.ok) throw new Error(`The intake was refused: ${sent.refusal.type}`);
  return { channel, taskId: sent.value.id, seen: seenOn(sent.value) };
}

async function look({ reviewer }: Pick<HeldTask, "reviewer">, taskId: string) {
  const view = await reviewTask(reviewer, { taskId });
  if (!view.ok) throw new Error(`The case is not shown: ${view.refusal.type}`);
  const { checks, duplicates, can } = view.value;
  return { types: checks.map(({ type }) => type).filter((type) => type !== "no-attachment"), duplicates, can };
}

async function released(held: HeldTask) {
  const answer = await releaseGate(held.reviewer, held);
  if (!answer.ok) throw new Error(`The release was refused: ${answer.refusal.type}`);
}

async function decided(held: HeldTask, answer: Parameters<typeof recordAnswer>[1]["response"]["answer"]) {
  await store.prisma.practice.update({ where: { id: held.practiceId }, data: { recallWindowS: 0 } });
  await released(held);
  const claim = await claimTransmission(worker, held);
  if (!claim.ok || claim.value === "held-again") throw new Error("The release was not claimed.");
  await startTransmission(worker, claim.value);
  await recordAnswer(worker, { taskId: held.taskId, attempt: claim.value.attempt, response: { answer, bytes } });
}

test("the same request twice is shown on both cases, whoever sent it, and either may be released", async () => {
  const one = await aHeldTask(store, routed);
  const two = await andAnother(one);
  expect(await look(one, one.taskId)).toMatchObject({
    types: ["same-request-open"],
    duplicates: [{ taskId: two.taskId, state: "transmit-held", payer: { same: true }, lines: [{ same: true }] }],
  });
  expect((await look(one, two.taskId)).duplicates).toMatchObject([{ taskId: one.taskId, channel: "Intake agent" }]);
  expect(await releaseGate(one.reviewer, two)).toMatchObject({ ok: true });
});

test("a dozen others are compared and those beyond are named, though every one is checked", async () => {
  const { practiceId, channel, reviewer } = await aHeldTask(store, { review: fullReview });
  const made: string[] = [];
  for (let day = 10; day < 24; day += 1) {
    const review = { ...fullReview, fromDate: `2099-01-${day}`, toDate: `2099-01-${day}` };
    const sent = await sendMessage(channel, anIntake({ practiceId, review }));
    if (sent.ok) made.push(sent.value.id);
  }
  const view = await reviewTask(reviewer, { taskId: made.at(-1) ?? "" });
  if (!view.ok) throw new Error(`The case is not shown: ${view.refusal.type}`);
  const { checks, duplicates, moreDuplicates } = view.value;
  expect([duplicates.length, moreDuplicates.length]).toEqual([12, 1]);
  const named = [...duplicates, ...moreDuplicates].map(({ taskId }) => taskId);
  expect(named).toEqual(checks.flatMap(({ other }) => other ?? []));
  expect(new Set(named)).toEqual(new Set(made.slice(0, -1)));
});

test("once one is released the other is blocked, until the first is recalled and declined", async () => {
  const one = await aHeldTask(store, routed);
  const two = await andAnother(one);
  await released(one);
  expect(await releaseGate(one.reviewer, two)).toMatchObject({
    refusal: { type: "blocked", checks: [{ type: "exact-duplicate", other: one.taskId }] },
  });
  expect(await look(one, two.taskId)).toMatchObject({
    types: ["exact-duplicate"],
    can: ["decline", "request-information", "edit"],
  });
  await recallRelease(one.reviewer, { taskId: one.taskId, gateId: one.seen.gateId });
  expect((await look(one, two.taskId)).types).toEqual(["same-request-open"]);
  const again = await getTask(one.channel, { taskId: one.taskId, historyLength: 0 });
  if (!again.ok) throw new Error(again.refusal.type);
  await declineGate(one.reviewer, { taskId: one.taskId, seen: seenOn(again.value), reason: "Asked twice." });
  expect((await look(one, two.taskId)).types).toEqual([]);
  expect(await releaseGate(one.reviewer, two)).toMatchObject({ ok: true });
});

test("of two equal requests released at once exactly one is, and the other is told which, 20 times", async () => {
  const trials = Array.from({ length: 20 }, async () => {
    const one = await aHeldTask(store, routed);
    const two = await andAnother(one);
    const answers = await Promise.all([releaseGate(one.reviewer, one), releaseGate(one.reviewer, two)]);
    const [winner, loser] = answers[0].ok ? [one, answers[1]] : [two, answers[0]];
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(loser).toMatchObject({ refusal: { type: "blocked", checks: [{ other: winner.taskId }] } });
  });
  await Promise.all(trials);
});

test("of ten equal requests released at once exactly one is", async () => {
  const one = await aHeldTask(store, routed);
  const more = await Promise.all(Array.from({ length: 9 }, () => andAnother(one)));
  const answers = await Promise.all([one, ...more].map((held) => releaseGate(one.reviewer, held)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await store.prisma.transmission.count({ where: { practiceId: one.practiceId } })).toBe(1);
});

describe("what the payer said of the first", () => {
  test("approved blocks the same, and warns of the same code for other days while it is valid", async () => {
    const one = await aHeldTask(store, routed);
    await decided(one, { type: "decided", determination: { ...approved, validTo: "2099-12-31" } });
    const same = await andAnother(one);
    const later = await andAnother(one, { ...fullReview, fromDate: inDays(200), toDate: inDays(201) });
    expect((await look(one, same.taskId)).types).toEqual(["exact-duplicate"]);
    expect(await look(one, later.taskId)).toMatchObject({
      types: ["existing-approval"],
      duplicates: [{ taskId: one.taskId, outcome: "approved", validTo: "2099-12-31", lines: [{ same: false }] }],
    });
  });

  test("denied blocks nothing: the next request may convince", async () => {
    const one = await aHeldTask(store, routed);
    await decided(one, { type: "decided", determination: { ...approved, outcome: "denied" } });
    const two = await andAnother(one);
    expect((await look(one, two.taskId)).types).toEqual(["near-duplicate"]);
    expect(await releaseGate(one.reviewer, two)).toMatchObject({ ok: true });
  });
});

describe("a case whose update to another service was not released", () => {
  const otherService = { ...fullReview, procedures: [{ ...fullReview.procedures[0], code: "97110" }] };

  async function amended() {
    const one = await aHeldTask(store, routed);
    await decided(one, { type: "accepted", reference: "REF-1" });
    const update = await sendMessage(one.channel, anIntake({ ...one, review: otherService }));
    expect(update).toMatchObject({ ok: true, value: { task: { stage: { kind: "held" } } } });
    return one;
  }

  test("blocks a second request for the service that its payer has", async () => {
    const one = await amended();
    const two = await andAnother(one);
    expect(await look(one, two.taskId)).toMatchObject({
      types: ["exact-duplicate"],
      duplicates: [{ taskId: one.taskId, lines: [{ code: fullReview.procedures[0]?.code, same: true }] }],
    });
    expect(await releaseGate(one.reviewer, two)).toMatchObject({
      refusal: { type: "blocked", checks: [{ type: "exact-duplicate", other: one.taskId }] },
    });
  });

  test("warns of a request for the other service, which has not left, and does not block it", async () => {
    const one = await amended();
    const two = await andAnother(one, otherService);
    expect(await look(one, two.taskId)).toMatchObject({
      types: ["same-request-open"],
      duplicates: [{ taskId: one.taskId, lines: [{ code: "97110", same: true }] }],
    });
  });

  test("is not named by a request for neither", async () => {
    const one = await amended();
    const neither = { ...fullReview, procedures: [{ ...fullReview.procedures[0], code: "97530" }] };
    const two = await andAnother(one, neither);
    expect(await look(one, two.taskId)).toMatchObject({ types: [], duplicates: [] });
  });
});

test.each([
  ["another code", { ...fullReview, procedures: [{ ...fullReview.procedures[0], code: "97110" }] }, []],
  ["another member", { ...fullReview, subscriber: { ...fullReview.subscriber, memberId: "HM9" } }, []],
  ["the member id written otherwise", { ...fullReview, subscriber: { memberId: "hm-4471029" } }, ["same-request-open"]],
  [
    "another quantity",
    { ...fullReview, procedures: [{ ...fullReview.procedures[0], quantity: 3 }] },
    ["near-duplicate"],
  ],
])("a request with %s is compared as such", async (_, review, types) => {
  const one = await aHeldTask(store, { review: fullReview });
  const two = await andAnother(one, review);
  expect((await look(one, two.taskId)).types.filter((type) => type !== "payer-not-configured")).toEqual(types);
});

test("nobody learns of another practice's case, even of the same member and sent by the same channel", async () => {
  const one = await aHeldTask(store, routed);
  await released(one);
  const elsewhere = await aPractice(store);
  const channel = await aChannel(store, { practices: [one.practiceId, elsewhere] });
  const sent = await sendMessage(channel, anIntake({ practiceId: elsewhere, review: fullReview }));
  if (!sent.ok) throw new Error(sent.refusal.type);
  const reviewer = { store, actor: { ...one.reviewer.actor, practices: [elsewhere] } };
  await store.prisma.personRole.create({
    data: { role: "reviewer", personId: one.reviewer.actor.id, practiceId: elsewhere },
  });
  expect(await look({ reviewer }, sent.value.id)).toMatchObject({ types: ["payer-not-configured"], duplicates: [] });
  expect(await releaseGate(reviewer, { taskId: sent.value.id, seen: seenOn(sent.value) })).toMatchObject({ ok: true });
});

test("the agent of a blocked case sees a gate that is open, and nothing of the other case", async () => {
  const one = await aHeldTask(store, routed);
  const two = await andAnother(one);
  await released(one);
  const before = await getTask(two.channel, { taskId: two.taskId, historyLength: 5 });
  await releaseGate(one.reviewer, two);
  const after = await getTask(two.channel, { taskId: two.taskId, historyLength: 5 });
  expect(after).toEqual(before);
  expect(JSON.stringify(after)).not.toContain(one.taskId);
});
