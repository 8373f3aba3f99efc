import { afterAll, expect, test } from "vitest";
import { dayIn } from "#lib/platform/zoned-time";
import type { Determination } from "#lib/task/model/determination";
import { sendMessage } from "#lib/task/send-message";
import { done, entriesOf } from "#test/support/people/admin";
import { aPerson, aPractice, aStore, anIntake, fullReview } from "#test/support/cases/cases";
import { anAnsweredTask, approved } from "#test/support/cases/sent-cases";
import { listQueue } from "./list-queue.ts";
import { openCase } from "./open-case.ts";
import { recordUnitsUsed } from "./record-units-used.ts";

const store = aStore();
afterAll(() => store.close());

const visits = (authorized: number): Determination => ({
  ...approved,
  lines: [
    { sequence: 1, action: "A1", authorized: { quantity: authorized, unit: "VS" }, reasons: [] },
    { sequence: 2, action: "A3", requested: { quantity: 4, unit: "VS" }, reasons: ["0F"] },
  ],
});

async function anApproval(determination: Determination = visits(12)) {
  const of = await anAnsweredTask(store, { type: "decided", determination });
  const { taskId } = of;
  const row = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
  const determinationId = row.determinationId ?? "";
  const use = (used: number, by = of.reviewer, sequence = 1) =>
    recordUnitsUsed(by, { taskId, determinationId, uses: [{ sequence, used }] });
  const ending = async () =>
    (await listQueue(of.reviewer, { view: "ending", sort: "due", filters: {} })).rows.map((one) => one.taskId);
  return { ...of, determinationId, use, ending };
}

test("an approval whose units are nearly used is in the view of those that end, until a renewal is under way", async () => {
  const { use, ending, taskId, practiceId, channel } = await anApproval();
  expect(await use(9)).toEqual({ ok: true, value: "done" });
  expect(await ending()).toEqual([]);
  await done(use(10));
  expect(await ending()).toEqual([taskId]);
  const review = { ...fullReview, certificationTypeCode: "R" };
  await done(sendMessage(channel, anIntake({ practiceId, earlierTaskId: taskId, review })));
  expect(await ending()).toEqual([]);
});

test("an approval that ends soon and is nearly used up is listed once", async () => {
  const validTo = dayIn("UTC", new Date(Date.now() + 5 * 24 * 60 * 60 * 1000));
  const { use, ending, taskId } = await anApproval({ ...visits(12), validTo });
  await done(use(12));
  expect(await ending()).toEqual([taskId]);
});

test("the latest record counts and is shown; the audit log has its share and no more", async () => {
  const { use, reviewer, taskId, practiceId, determinationId } = await anApproval();
  for (const used of [3, 6]) await done(use(used));
  const page = await done(openCase(reviewer, { taskId }));
  expect(page.desk.unitsUsed).toMatchObject({ determinationId, uses: [{ sequence: 1, used: 6 }] });
  const entries = (await entriesOf({ store }, practiceId)).filter(({ act }) => act === "case.units-recorded");
  expect(entries.map(({ detail }) => detail)).toEqual([
    { determination: determinationId, percent: 25 },
    { determination: determinationId, percent: 50 },
  ]);
});

test.each([
  ["less than nothing", -1, 1],
  ["no number", Number.NaN, 1],
  ["a line that was not authorized", 1, 2],
  ["a line that is none", 1, 3],
])("%s is refused", async (_, used, sequence) => {
  const { use, reviewer } = await anApproval();
  expect(await use(used, reviewer, sequence)).toMatchObject({
    refusal: { type: "invalid", issues: [{ path: `used-${sequence}` }] },
  });
});

test("nobody else's reviewer records anything, nor does an administrator, nor anybody of another determination", async () => {
  const { use, reviewer, taskId, practiceId } = await anApproval();
  const strangers = [
    await aPerson(store, { practices: [await aPractice(store)] }),
    await aPerson(store, { practices: [practiceId], roles: ["admin"] }),
  ];
  for (const stranger of strangers) expect(await use(3, stranger)).toMatchObject({ refusal: { type: "not-found" } });
  const stale = { taskId, determinationId: taskId, uses: [{ sequence: 1, used: 3 }] };
  expect(await recordUnitsUsed(reviewer, stale)).toMatchObject({ refusal: { type: "not-found" } });
  expect(await store.prisma.unitsUsed.count({ where: { taskId } })).toBe(0);
});
