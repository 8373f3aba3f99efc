import { afterAll, expect, test } from "vitest";
import { dayIn } from "#lib/platform/zoned-time";
import { recordDetermination } from "#lib/submission/record-payer-answer";
import { cancelTask } from "#lib/task/cancel-task";
import { sendMessage } from "#lib/task/send-message";
import { done } from "#test/support/people/admin";
import { aStore, anIntake, fullReview } from "#test/support/cases/cases";
import { anAnsweredTask, approved, denied } from "#test/support/cases/sent-cases";
import { aWiredCase } from "#test/support/cases/wired-case";
import { listQueue } from "./list-queue.ts";

const store = aStore();
afterAll(() => store.close());

const dayMs = 24 * 60 * 60 * 1000;
const inDays = (days: number) => dayIn("UTC", new Date(Date.now() + days * dayMs));

type AnsweredTask = Awaited<ReturnType<typeof anAnsweredTask>>;

const ending = async ({ reviewer }: Pick<AnsweredTask, "reviewer">) =>
  (await listQueue(reviewer, { view: "ending", sort: "due", filters: {} })).rows.map(({ taskId }) => taskId);

test("an approval that ends soon is in its view until a renewal is under way", async () => {
  const of = await anAnsweredTask(store, { type: "decided", determination: { ...approved, validTo: inDays(5) } });
  expect(await ending(of)).toEqual([of.taskId]);
  const review = { ...fullReview, certificationTypeCode: "R" };
  const renewal = anIntake({ practiceId: of.practiceId, earlierTaskId: of.taskId, review });
  const { id } = await done(sendMessage(of.channel, renewal));
  expect(await ending(of)).toEqual([]);
  await done(cancelTask(of.channel, { taskId: id }));
  expect(await ending(of)).toEqual([of.taskId]);
});

test("an approval that ends soon is in its view again once its renewal was denied", async () => {
  const of = await aWiredCase(store, { memberId: "HM1-PEND" });
  await of.leaves();
  const letter = { validTo: inDays(5), authorizationNumber: "AUTH-1", evidence: "Letter" };
  await done(recordDetermination(of.reviewer, { taskId: of.taskId, outcome: "approved", ...letter }));
  const review = { ...of.review, certificationTypeCode: "R", fromDate: inDays(150), toDate: inDays(240) };
  const { id } = await of.tell(anIntake({ practiceId: of.practiceId, earlierTaskId: of.taskId, review }));
  await of.caseOf(id).leaves();
  expect(await ending(of)).toEqual([]);
  await done(recordDetermination(of.reviewer, { taskId: id, outcome: "denied", reasons: ["0F"], evidence: "Letter" }));
  expect(await ending(of)).toEqual([of.taskId]);
});

test.each([
  ["ends later", { ...approved, validTo: inDays(40) }],
  ["ended long ago", { ...approved, validTo: inDays(-20) }],
  ["has no end", approved],
  ["is a denial", { ...denied, validTo: inDays(5) }],
])("a determination that %s is not", async (_, determination) => {
  expect(await ending(await anAnsweredTask(store, { type: "decided", determination }))).toEqual([]);
});

test.each(["Etc/GMT+12", "Pacific/Kiritimati"])("it ends with the day of its practice, in %s", async (timeZone) => {
  const day = (days: number) => dayIn(timeZone, new Date(Date.now() + days * dayMs));
  const isListedWhere = async (days: number) => {
    const of = await anAnsweredTask(store, { type: "decided", determination: { ...approved, validTo: day(days) } });
    await store.prisma.practice.update({ where: { id: of.practiceId }, data: { timeZone } });
    return (await ending(of)).length > 0;
  };
  const listed = [await isListedWhere(-1), await isListedWhere(0), await isListedWhere(13), await isListedWhere(14)];
  expect(listed).toEqual([false, true, true, false]);
});

test("without a last day of the whole, that of the last line counts", async () => {
  const lines = [
    { sequence: 1, action: "A1", authorized: { to: inDays(2) }, reasons: [] },
    { sequence: 2, action: "A1", authorized: { to: inDays(6) }, reasons: [] },
  ] as const;
  const of = await anAnsweredTask(store, { type: "decided", determination: { ...approved, lines } });
  expect(await ending(of)).toEqual([of.taskId]);
  const { validTo } = await store.prisma.determination.findFirstOrThrow({ where: { taskId: of.taskId } });
  expect(validTo?.toISOString().slice(0, 10)).toBe(inDays(6));
});
