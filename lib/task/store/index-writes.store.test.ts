import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unscoped } from "#lib/db/db";
import { claimDuePolls } from "#lib/submission/shared/work";
import { pollDelaysMs } from "#lib/submission/polling";
import { aHeldTask, aStore } from "#test/support/cases";
import { superuserUrl, testDatabase } from "#test/support/database";

const store = aStore();
const superuser = new pg.Client({ connectionString: superuserUrl(testDatabase) });
beforeAll(() => superuser.connect());
afterAll(() => Promise.all([store.close(), superuser.end()]));

/** How many of the updates of this table in a transaction wrote no index. */
async function updatesWithoutIndex(taskId: string, columns: string): Promise<number> {
  const counted = async () => {
    const sql = "SELECT pg_stat_get_xact_tuples_hot_updated('task'::regclass) AS hot";
    return Number((await superuser.query<{ hot: string }>(sql)).rows[0]?.hot);
  };
  await superuser.query("BEGIN");
  try {
    const before = await counted();
    await superuser.query(`UPDATE task SET ${columns} WHERE id = $1`, [taskId]);
    return (await counted()) - before;
  } finally {
    await superuser.query("ROLLBACK");
  }
}

test("a step of a task that lists do not show writes no index of it", async () => {
  const { taskId } = await aHeldTask(store);
  const step = "version = version + 1, changed_at = clock_timestamp()";
  expect(await updatesWithoutIndex(taskId, step)).toBe(1);
  expect(await updatesWithoutIndex(taskId, `${step}, has_webhook = true, remark = '\\x02', stage = 'released'`)).toBe(
    1,
  );
  expect(await updatesWithoutIndex(taskId, `${step}, state = 'transmitted'`)).toBe(0);
});

test("the last change of a case that is over is when it closed, whoever wrote it; an open one has none", async () => {
  const { taskId } = await aHeldTask(store);
  const closedAt = async (columns: string) => {
    await superuser.query(`UPDATE task SET ${columns} WHERE id = $1`, [taskId]);
    const { changedAt, closedAt: closed } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
    return closed === null ? null : closed.getTime() - changedAt.getTime();
  };
  expect(await closedAt("changed_at = clock_timestamp()")).toBe(null);
  expect(await closedAt("state = 'declined'")).toBe(0);
  expect(await closedAt("changed_at = clock_timestamp()")).toBe(0);
  expect(await closedAt("state = 'transmit-held'")).toBe(null);
});

test("what the previous release writes of inquiries is what a worker of this one goes by", async () => {
  const { taskId } = await aHeldTask(store);
  const next = () => store.prisma.nextInquiry.findUnique({ where: { taskId } });
  await store.prisma.task.update({ where: { id: taskId }, data: { pollAt: new Date(Date.now() - 1_000), polls: 2 } });
  expect(await next()).toMatchObject({ inquiries: 2 });
  const none = { hosts: new Map(), otherHosts: 8, inHand: new Map(), eachPractice: 8 };
  const claimed = await claimDuePolls(unscoped(store), { ...none, most: 8, delaysMs: pollDelaysMs });
  expect(claimed.map((one) => one.taskId)).toEqual([taskId]);
  expect(await next()).toMatchObject({ inquiries: 3 });
  await store.prisma.task.update({ where: { id: taskId }, data: { pollAt: null, polls: 0 } });
  expect(await next()).toBe(null);
});
