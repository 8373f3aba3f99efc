import pg from "pg";
import { v7 as uuidv7 } from "uuid";
import { afterAll, expect, test, vi } from "vitest";
import { openTask as openLifecycle } from "#lib/task/model/lifecycle/decide";
import { verifyAudit } from "#lib/audit/store/audit-chain";
import { openWholeStore } from "#test/support/database/whole-store";
import { resolveRoute } from "#lib/practice/shared/resolved-route";
import { insertTask, type NewTask } from "./open-task.ts";
import { NothingDone } from "#lib/db/retry";
import { sendMessage } from "#lib/task/send-message";
import { aChannel, anIntake, aPractice, aStore, sealingKey } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";

const store = aStore();
const otherStore = aStore();
afterAll(() => Promise.all([store.close(), otherStore.close()]));

/** A task's rows without a gate; what is asked in one turn of the event loop shares a statement. */
function aNewTask(practiceId: string, changes: Partial<NewTask> = {}): NewTask {
  return {
    id: uuidv7(),
    practiceId,
    contextId: uuidv7(),
    payerId: "60054",
    connection: "60054",
    environment: "test",
    ...openLifecycle({ missing: ["/patient"] }),
    frozen: undefined,
    procedureCodes: ["72148"],
    patient: undefined,
    memberId: undefined,
    urgent: false,
    revision: { digest: "0", bytes: Buffer.from("{}") },
    message: { messageId: uuidv7(), contentDigest: "0", body: Buffer.from("{}") },
    at: new Date(),
    ...changes,
  };
}

/** A channel's calls as the edge makes them: what a send needs to know was read with the credential. */
async function aCaller(practiceId: string) {
  const channel = await aChannel(store, { practices: [practiceId] });
  const payerId = "60054";
  return { ...channel, prefetched: { practiceId, payerId, route: await resolveRoute(store, practiceId, payerId) } };
}

/** The transactions that made a practice's tasks. */
async function transactionsOf(practiceId: string): Promise<number> {
  const text = "SELECT count(DISTINCT xmin::text)::int AS made FROM task WHERE practice_id = $1";
  return (await store.pool.query<{ made: number }>(text, [practiceId])).rows[0]?.made ?? 0;
}

/** That these tasks and no others have their message, revision and audit entry, each once, on a chain that holds. */
async function expectWhole(practiceId: string, tasks: readonly string[]): Promise<void> {
  const where = { practiceId };
  const { prisma } = store;
  const ids = (rows: readonly { taskId: string | null }[]) => rows.map(({ taskId }) => String(taskId)).sort();
  const sorted = [...tasks].sort();
  expect((await prisma.task.findMany({ where })).map(({ id }) => id).sort()).toEqual(sorted);
  expect(ids(await prisma.message.findMany({ where }))).toEqual(sorted);
  expect(ids(await prisma.revision.findMany({ where }))).toEqual(sorted);
  expect(ids(await prisma.auditEntry.findMany({ where: { chain: practiceId } }))).toEqual(sorted);
  const [chain] = await verifyAudit(store, practiceId);
  expect(chain?.broken).toBeUndefined();
}

/** Keeps a practice's chain locked, so that what appends to it waits, until released. */
async function lockChain(practiceId: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: testDatabase.appUrl, options: "-c app.practices={*}" });
  await client.connect();
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('audit:' || $1, 0))", [practiceId]);
  return () => client.end();
}

/** The backends that wait for a lock while they make tasks, once there are this many. */
async function waitingBackends(count: number): Promise<readonly number[]> {
  const text = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%WITH candidate%'`;
  return vi.waitFor(
    async () => {
      const { rows } = await store.pool.query<{ pid: number }>(text);
      expect(rows).toHaveLength(count);
      return rows.map(({ pid }) => pid);
    },
    { timeout: 20_000, interval: 20 },
  );
}

test("tasks asked for at once over several practices and channels each have their rows and a chain that holds", async () => {
  const practices = await Promise.all(Array.from({ length: 4 }, () => aPractice(store)));
  const channels = await Promise.all(practices.map(() => aChannel(store, { practices })));
  const asks = channels.flatMap((channel) =>
    practices.slice(1).flatMap((practiceId) => Array.from({ length: 16 }, () => ({ channel, practiceId }))),
  );
  const sent = await Promise.all(
    asks.map(async ({ channel, practiceId }) => {
      const one = await sendMessage(channel, anIntake({ practiceId, messageId: uuidv7() }));
      return { practiceId, id: one.ok ? one.value.id : "" };
    }),
  );
  for (const practiceId of practices) {
    const own = sent.filter((one) => one.practiceId === practiceId);
    await expectWhole(
      practiceId,
      own.map(({ id }) => id),
    );
  }
  expect(await store.prisma.gate.count({ where: { practiceId: { in: practices } } })).toBe(asks.length);
});

test("a message that cannot be stored fails alone, and those beside it are stored once", async () => {
  const practiceId = await aPractice(store);
  const { actor } = await aChannel(store, { practices: [practiceId] });
  const good = Array.from({ length: 6 }, () => aNewTask(practiceId));
  // Neither passes the edge; the store must not rely on it.
  const unreadable = aNewTask(practiceId, { payerId: "a\0b" });
  const forbidden = aNewTask(practiceId, { environment: "nowhere" as "test" });
  const openings = [...good.slice(0, 3), unreadable, forbidden, ...good.slice(3)];
  const made = await Promise.allSettled(openings.map((opening) => insertTask(store, actor, opening)));
  const done = { status: "fulfilled", value: true };
  const failed = (code: string) => ({ status: "rejected", reason: { code } });
  expect(made).toMatchObject([done, done, done, failed("22021"), failed("23514"), done, done, done]);
  await expectWhole(
    practiceId,
    good.map(({ id }) => id),
  );
});

test("a case is never deleted and keeps its id, so that what came with it always has its case", async () => {
  const practiceId = await aPractice(store);
  const { actor } = await aCaller(practiceId);
  const opening = aNewTask(practiceId);
  expect(await insertTask(store, actor, opening)).toBe(true);
  const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  try {
    for (const sql of ["DELETE FROM task WHERE id = $1", "UPDATE task SET id = gen_random_uuid() WHERE id = $1"])
      await expect(owner.query(sql, [opening.id]), sql).rejects.toThrow("cases are never removed and keep their ids");
  } finally {
    await owner.end();
  }
  await expectWhole(practiceId, [opening.id]);
});

test("tasks asked for together are made in one transaction", async () => {
  const practiceId = await aPractice(store);
  const { actor } = await aChannel(store, { practices: [practiceId] });
  const openings = Array.from({ length: 12 }, () => aNewTask(practiceId));
  expect(await Promise.all(openings.map((opening) => insertTask(store, actor, opening)))).not.toContain(false);
  expect(await transactionsOf(practiceId)).toBe(1);
});

test("the same message many times in one statement makes one task, and every caller is told it", async () => {
  const practiceId = await aPractice(store);
  const channel = await aCaller(practiceId);
  const intake = anIntake({ practiceId, messageId: uuidv7() });
  const sent = await Promise.all(Array.from({ length: 20 }, () => sendMessage(channel, intake)));
  const ids = new Set(sent.map((one) => (one.ok ? one.value.id : one.refusal.type)));
  expect(ids.size).toBe(1);
  await expectWhole(practiceId, [...ids]);
});

test("the same messages in statements of two processes make each task once, and every caller is told it", async () => {
  const practiceId = await aPractice(store);
  const channel = await aCaller(practiceId);
  // A process that has to fetch the practice's key first parts its calls over more than one statement.
  await otherStore.keys.ready([practiceId]);
  const unlock = await lockChain(practiceId);
  const intakes = Array.from({ length: 30 }, () => anIntake({ practiceId, messageId: uuidv7() }));
  const here = Promise.all(intakes.map((intake) => sendMessage(channel, intake)));
  await waitingBackends(1);
  const others = [...intakes].reverse();
  const there = Promise.all(others.map((intake) => sendMessage({ ...channel, store: otherStore }, intake)));
  await waitingBackends(2);
  await unlock();
  const ids = (await here).map((one) => (one.ok ? one.value.id : one.refusal.type));
  expect((await there).map((one) => (one.ok ? one.value.id : one.refusal.type))).toEqual(ids.reverse());
  await expectWhole(practiceId, ids);
});

/** A transaction that takes message ids of a channel and gives them up at its end. */
async function aRival(earlier: NewTask, channelId: string) {
  const client = new pg.Client({ connectionString: testDatabase.appUrl, options: "-c app.practices={*}" });
  await client.connect();
  await client.query("BEGIN");
  const text = `INSERT INTO message (id, task_id, practice_id, channel_id, message_id, content_digest, body, created_at)
    VALUES (gen_random_uuid(), $1, $2, $3, $4, '0', '', now())`;
  const take = (messageId: string) => client.query(text, [earlier.id, earlier.practiceId, channelId, messageId]);
  return { take, end: () => client.end() };
}

const named = (practiceId: string) => (messageId: string) =>
  aNewTask(practiceId, { message: { messageId, contentDigest: "0", body: Buffer.from("{}") } });

test("statements that hold the same messages in opposite orders do not end in a deadlock", async () => {
  const practiceId = await aPractice(store);
  const { actor } = await aChannel(store, { practices: [practiceId] });
  const earlier = aNewTask(practiceId);
  await insertTask(store, actor, earlier);
  const rival = await aRival(earlier, actor.id);
  await rival.take("b");
  const upwards = ["a", "b", "c", "d"].map(named(practiceId));
  const here = Promise.all(upwards.map((opening) => insertTask(store, actor, opening)));
  await waitingBackends(1);
  const downwards = ["e", "c", "b", "a"].map(named(practiceId));
  const there = Promise.all(downwards.map((opening) => insertTask(otherStore, actor, opening)));
  await waitingBackends(2);
  await rival.end();
  // A deadlock would have rolled one of them back and asked its messages again, each in a transaction of its own.
  expect(await here).toEqual([true, true, true, true]);
  expect(await there).toEqual([true, false, false, false]);
  expect(await transactionsOf(practiceId)).toBe(3);
});

test("a deadlock with another transaction loses no message", async () => {
  const practiceId = await aPractice(store);
  const { actor } = await aChannel(store, { practices: [practiceId] });
  const earlier = aNewTask(practiceId);
  await insertTask(store, actor, earlier);
  const rival = await aRival(earlier, actor.id);
  await rival.take("b");
  const openings = ["a", "b"].map(named(practiceId));
  const made = Promise.all(openings.map((opening) => insertTask(store, actor, opening)));
  await waitingBackends(1);
  // Whichever of the two Postgres ends.
  await rival.take("a").catch(() => {});
  await rival.end();
  expect(await made).toEqual([true, true]);
  await expectWhole(
    practiceId,
    [earlier, ...openings].map(({ id }) => id),
  );
});

test("a connection lost within a statement loses none of its messages: each is asked for again and makes one task", async () => {
  const practiceId = await aPractice(store);
  const channel = await aCaller(practiceId);
  const unlock = await lockChain(practiceId);
  const intakes = Array.from({ length: 8 }, () => anIntake({ practiceId, messageId: uuidv7() }));
  const sent = Promise.all(intakes.map((intake) => sendMessage(channel, intake)));
  const [pid] = await waitingBackends(1);
  await store.pool.query("SELECT pg_terminate_backend($1)", [pid]);
  await unlock();
  const outcomes = (await sent).map((one) => (one.ok ? one.value.id : one.refusal.type));
  expect(new Set(outcomes).size).toBe(intakes.length);
  await expectWhole(practiceId, outcomes);
});

test("a statement cut short, as at its timeout, fails its own callers and no others", async () => {
  const [slow, fast] = [await aPractice(store), await aPractice(store)];
  const { actor } = await aChannel(store, { practices: [slow, fast] });
  const unlock = await lockChain(slow);
  const cut = Promise.allSettled([1, 2, 3].map(() => insertTask(store, actor, aNewTask(slow))));
  const [pid] = await waitingBackends(1);
  const others = [1, 2, 3].map(() => aNewTask(fast));
  await Promise.all(others.map((opening) => insertTask(store, actor, opening)));
  await store.pool.query("SELECT pg_cancel_backend($1)", [pid]);
  const failed = { status: "rejected", reason: { code: "57014" } };
  expect(await cut).toMatchObject([failed, failed, failed]);
  await unlock();
  await expectWhole(slow, []);
  await expectWhole(
    fast,
    others.map(({ id }) => id),
  );
});

test("a chain somebody keeps locked fails the tasks of its practice, which are then not made, and no others", async () => {
  const [locked, free] = [await aPractice(store), await aPractice(store)];
  const { actor } = await aChannel(store, { practices: [locked, free] });
  const unlock = await lockChain(locked);
  const url = `${testDatabase.appUrl}?lock_timeout=1000`;
  const hasty = openWholeStore({ url, sealingKey, connectionsMax: 4 });
  const openings = [aNewTask(locked), aNewTask(free), aNewTask(free)] as const;
  const made = await Promise.allSettled(openings.map((opening) => insertTask(hasty, actor, opening)));
  expect(made).toMatchObject([{ status: "rejected" }, { value: true }, { value: true }]);
  expect(made[0]).toHaveProperty("reason", expect.any(NothingDone));
  await Promise.all([unlock(), hasty.close()]);
  await expectWhole(locked, []);
  await expectWhole(free, [openings[1].id, openings[2].id]);
});

test("procedure codes come back as they were, whatever stands in them, from a lone task and from many", async () => {
  const practiceId = await aPractice(store);
  const { actor } = await aChannel(store, { practices: [practiceId] });
  const procedureCodes = ['a"b', "c\\d", "{e,f}", "NULL", "g h", "", "é’"];
  const openings = Array.from({ length: 3 }, () => aNewTask(practiceId, { procedureCodes }));
  await insertTask(store, actor, aNewTask(practiceId, { procedureCodes }));
  await Promise.all(openings.map((opening) => insertTask(store, actor, opening)));
  const tasks = await store.prisma.task.findMany({ where: { practiceId } });
  expect(tasks.map((task) => task.procedureCodes)).toEqual([1, 2, 3, 4].map(() => procedureCodes));
});
