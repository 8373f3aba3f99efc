import { afterAll, expect, test } from "vitest";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { showPractice } from "#lib/practice/list-practices";
import { done, entriesOf, operator } from "#test/support/people/admin";
import { aPerson, aPractice, aStore, theWorker } from "#test/support/cases/cases";
import { anAnsweredTask } from "#test/support/cases/sent-cases";
import { anUnmatchedPush } from "#test/support/payer/unmatched-push";
import { keepPush } from "#lib/payer/inbox/store/pushes";
import { readPayerAnswer } from "./read-payer-answer.ts";
import { recordInquiry } from "./record-inquiry.ts";
import { recordPush } from "#lib/payer/inbox/record-push";
import { reviewTask } from "#lib/task/review-task";
import { handleUnmatched, readUnmatched, unmatchedCount, unmatchedPushes } from "#lib/payer/inbox/unmatched-pushes";

const store = aStore();
const worker = theWorker(store);
afterAll(() => store.close());

const unknown = { type: "unknown", reason: "The payer's reply is not understood." } as const;
const notFound = { ok: false, refusal: { type: "not-found" } };

const answersOf = async (reviewer: Context<PersonActor>, taskId: string) => {
  const found = await reviewTask(reviewer, { taskId });
  if (!found.ok) throw new Error("The reviewer sees the case.");
  return found.value.answers;
};

/** People who may not read what a payer sent to a practice. */
const strangersTo = async (practiceId: string) => [
  await aPerson(store, { practices: [await aPractice(store)] }),
  await aPerson(store, { practices: [practiceId], roles: ["admin"] }),
  await aPerson(store, { practices: [practiceId], roles: ["auditor"] }),
];

test("what was not understood in answer to a submission, an inquiry or of itself is shown to a reviewer, byte for byte", async () => {
  const { reviewer, taskId, practiceId } = await anAnsweredTask(store, unknown);
  const inquired = Buffer.from('{"resourceType":"Bundle","odd":"\u00e9"}');
  await recordInquiry(worker, { taskId, response: { answer: unknown, bytes: inquired } });
  await recordInquiry(worker, { taskId, response: { answer: unknown, bytes: inquired } });
  const pushed = Buffer.from('{"resourceType":"Bundle","type":"history","entry":[]}');
  await keepPush(store, { taskId, practiceId, digest: "pushed", body: pushed });
  await recordPush(worker, { taskId });
  const answers = await answersOf(reviewer, taskId);
  expect(answers.map(({ kind, unread }) => [kind, unread])).toEqual([
    ["push", true],
    ["inquiry", true],
    ["answer", true],
  ]);
  const read = await Promise.all(answers.map(({ id: answerId }) => readPayerAnswer(reviewer, { taskId, answerId })));
  expect(read.map((one) => one.ok && Buffer.from(one.value).toString())).toEqual([
    pushed.toString(),
    inquired.toString(),
    "{}",
  ]);
});

test("a payer that answers inquiries differently each time fills a case no further than twenty", async () => {
  const { reviewer, taskId } = await anAnsweredTask(store, { type: "accepted" });
  for (let time = 0; time < 22; time++)
    await recordInquiry(worker, { taskId, response: { answer: unknown, bytes: Buffer.from(`{"time":${time}}`) } });
  expect((await answersOf(reviewer, taskId)).filter(({ unread }) => unread)).toHaveLength(20);
});

test("an answer as received is a reviewer's of its practice alone, and each day's first reading is on record", async () => {
  const { reviewer, taskId, practiceId } = await anAnsweredTask(store, unknown);
  const [answer] = await answersOf(reviewer, taskId);
  const answerId = answer?.id ?? "";
  for (const stranger of await strangersTo(practiceId))
    expect(await readPayerAnswer(stranger, { taskId, answerId })).toEqual(notFound);
  expect(await readPayerAnswer(reviewer, { taskId, answerId: "none" })).toEqual(notFound);
  await readPayerAnswer(reviewer, { taskId, answerId });
  await readPayerAnswer(reviewer, { taskId, answerId });
  const entries = await entriesOf({ store }, practiceId);
  expect(entries.filter(({ act }) => act === "case.answer-opened")).toEqual([
    { actor: `person:${reviewer.actor.id}`, act: "case.answer-opened", detail: { answer: answerId } },
  ]);
});

test("an unmatched notification is listed to the reviewers of its practice until one handles it, and all of it is on record", async () => {
  const { id, practiceId, body, reviewer } = await anUnmatchedPush(store);
  for (const stranger of await strangersTo(practiceId)) {
    expect(await unmatchedPushes(stranger)).toEqual([]);
    expect(await unmatchedCount(stranger)).toBe(0);
    expect(await readUnmatched(stranger, { id })).toEqual(notFound);
    expect(await handleUnmatched(stranger, { id })).toEqual(notFound);
    const denials = (await entriesOf({ store }, "people")).filter(
      ({ actor }) => actor === `person:${stranger.actor.id}`,
    );
    expect(denials.map(({ act, detail }) => [act, detail])).toEqual([
      ["person.denied", { requested: "notification", notification: id, practices: [practiceId] }],
      ["person.denied", { requested: "notification", notification: id, practices: [practiceId] }],
    ]);
  }
  expect(await unmatchedPushes(reviewer)).toMatchObject([{ id, size: body.length }]);
  expect(await unmatchedCount(reviewer)).toBe(1);
  const read = await readUnmatched(reviewer, { id });
  expect(read.ok && Buffer.from(read.value)).toEqual(body);
  const handled = await Promise.all([handleUnmatched(reviewer, { id }), handleUnmatched(reviewer, { id })]);
  expect(new Set(handled.map((one) => one.ok && one.value))).toEqual(new Set(["done", "nothing"]));
  expect(await unmatchedPushes(reviewer)).toEqual([]);
  expect(await unmatchedCount(reviewer)).toBe(0);
  const kept = await store.prisma.unmatchedPush.findUniqueOrThrow({ where: { id } });
  expect(kept).toMatchObject({ handledBy: reviewer.actor.id, handledAt: expect.any(Date) });
  const acts = (await entriesOf({ store }, practiceId)).map(({ act, detail }) => [act, detail]);
  expect(acts).toEqual([
    ["push.opened", { push: id }],
    ["push.handled", { push: id }],
  ]);
});

test("an administrator of the practice sees how many notifications match no case, until each is handled", async () => {
  const { id, practiceId, reviewer } = await anUnmatchedPush(store);
  const shown = () => done(showPractice({ actor: operator, store }, { practiceId }));
  expect((await shown()).unmatched).toBe(1);
  await done(handleUnmatched(reviewer, { id }));
  expect((await shown()).unmatched).toBe(0);
});
