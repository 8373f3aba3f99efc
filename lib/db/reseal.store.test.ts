import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { resealPractices, rotatePracticeKey, wrapKeys } from "#lib/practice/turn-keys";
import { stateOf } from "#lib/task/model/task";
import { releaseGate } from "#lib/gate/release-gate";
import { aHeldTask, aPractice, fullReview, keyPepper, receiptKey } from "#test/support/cases/cases";
import { dropClone, freshDatabase, type TestDatabase } from "#test/support/database/fresh-database";
import { type Store } from "./db.ts";
import { openWholeStore } from "#test/support/database/whole-store";
import { createKeyRing } from "#lib/platform/key-ring";
import { loadTask } from "#lib/task/store/load-task";
import { rowToTask } from "#lib/task/store/task-rows";
import { sealedColumns } from "./sealed-columns.ts";

const [first, second] = [randomBytes(32), randomBytes(32)];
let database: TestDatabase;
let store: Store;
const owner = () => new pg.Client({ connectionString: database.ownerUrl });

beforeAll(async () => {
  database = await freshDatabase();
  store = storeWith(first);
});
afterAll(async () => {
  await store.close();
  await dropClone(database);
});

function storeWith(...keys: readonly Uint8Array[]): Store {
  return openWholeStore({
    url: database.appUrl,
    sealingKey: createKeyRing(keys),
    receiptKey,
    keyPepper,
    connectionsMax: 6,
  });
}

const operator = (over: Store) => ({ actor: { kind: "operator" }, store: over }) as const;

/** How many values of each practice begin with the head of which key; one that was compressed counts as one that was not. */
async function versionsOf(practiceId: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { table, column } of sealedColumns) {
    const { rows } = await store.pool.query<{ head: string; count: number }>(
      `SELECT regexp_replace(encode(substring(${column} FROM 1 FOR 5), 'hex'), '^0[34]', '02') AS head, count(*)::int FROM ${table}
        WHERE practice_id = $1 AND ${column} IS NOT NULL GROUP BY 1`,
      [practiceId],
    );
    for (const { head, count } of rows) counts[head] = (counts[head] ?? 0) + count;
  }
  return counts;
}

const readable = async (held: { taskId: string; practiceId: string }) => {
  const row = await loadTask(store, { taskId: held.taskId, practices: [held.practiceId] });
  return row && stateOf(rowToTask(store, row));
};

test("after a rotation old values open, new ones are sealed anew, equal members stay equal, and resealing leaves no old one", async () => {
  const held = await aHeldTask(store, { review: fullReview });
  const { practiceId, seen, taskId } = held;
  const hash = store.sealer.memberHash("W1", practiceId);
  expect(Object.keys(await versionsOf(practiceId))).toEqual(["0200000001"]);
  expect(await rotatePracticeKey(operator(store), { practiceId, inSeconds: -60 })).toMatchObject({
    value: { version: 2 },
  });
  await store.keys.reload();
  const { calls } = await store.prisma.gate.findUniqueOrThrow({ where: { id: seen.gateId } });
  expect(await releaseGate(held.reviewer, { taskId, seen })).toMatchObject({ ok: true });
  expect(store.sealer.memberHash("W1", practiceId)).toEqual(hash);
  expect(await resealPractices(operator(store), { practiceId })).toMatchObject({ ok: true });
  expect(Object.keys(await versionsOf(practiceId))).toEqual(["0200000002"]);
  expect(await resealPractices(operator(store), { practiceId })).toMatchObject({ value: { resealed: 0 } });
  const after = await store.prisma.gate.findUniqueOrThrow({ where: { id: seen.gateId } });
  const place = { table: "gate", column: "calls", row: seen.gateId, practiceId };
  expect(store.sealer.open(after.calls, place)).toEqual(store.sealer.open(calls, place));
});

test("a value that does not open stops no other from being sealed anew, and is named", async () => {
  const [damaged, sound] = [await aHeldTask(store), await aHeldTask(store)];
  for (const { practiceId } of [damaged, sound])
    await rotatePracticeKey(operator(store), { practiceId, inSeconds: -60 });
  await store.keys.reload();
  const where = { taskId_number: { taskId: damaged.taskId, number: 1 } };
  const { serviceReview } = await store.prisma.revision.findUniqueOrThrow({ where });
  await store.prisma.revision.update({ where, data: { serviceReview: serviceReview.toReversed() } });
  const row = `${damaged.taskId}/1`;
  expect(await resealPractices(operator(store), {})).toMatchObject({
    value: { unopened: [{ practiceId: damaged.practiceId, column: "revision.service_review", row }] },
  });
  expect(Object.keys(await versionsOf(sound.practiceId))).toEqual(["0200000002"]);
  await store.prisma.revision.update({ where, data: { serviceReview } });
  expect(await resealPractices(operator(store), {})).toMatchObject({ value: { resealed: 1, unopened: [] } });
});

test("right after a rotation nothing is sealed anew, and the refusal says from when on it can be", async () => {
  const { practiceId } = await aHeldTask(store, { review: fullReview });
  const resealed = () => resealPractices(operator(store), { practiceId });
  expect(await resealed()).toMatchObject({ value: { resealed: 0 } });
  await rotatePracticeKey(operator(store), { practiceId });
  expect(await resealed()).toEqual({
    ok: false,
    refusal: { type: "key-too-new", practiceId, until: expect.any(Date) },
  });
  const past = (s: number) =>
    store.prisma.practiceKey.updateMany({
      where: { practiceId, use: "seal", version: 2 },
      data: { activeAt: new Date(Date.now() - s * 1_000) },
    });
  await past(20);
  expect(await resealed()).toMatchObject({ refusal: { type: "key-too-new" } });
  await past(40);
  expect(await resealed()).toMatchObject({ ok: true });
  expect(Object.keys(await versionsOf(practiceId))).toEqual(["0200000002"]);
});

test("a resealing killed half way is run again to its end, beside cases that are worked on", async () => {
  const held = await Promise.all(Array.from({ length: 6 }, () => aHeldTask(store, { review: fullReview })));
  for (const { practiceId } of held) await rotatePracticeKey(operator(store), { practiceId, inSeconds: -60 });
  await store.keys.reload();
  // It comes as far as the gates, and is killed there.
  const locker = owner();
  await locker.connect();
  onTestFinished(() => locker.end());
  await locker.query("BEGIN; LOCK TABLE gate IN ACCESS EXCLUSIVE MODE");
  const env = { APP_DATABASE_URL: database.appUrl, SEALING_KEY: first.toString("base64"), PATH: process.env.PATH };
  const child = spawn(process.execPath, ["lib/cli/main.ts", "key", "reseal"], {
    env: { ...env, NODE_ENV: "production" },
    stdio: "ignore",
  });
  const waits =
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%gate t%' AND datname = current_database()";
  await expect.poll(async () => (await store.pool.query<{ n: number }>(waits)).rows[0]?.n, { timeout: 30_000 }).toBe(1);
  child.kill("SIGKILL");
  await once(child, "exit");
  await locker.query("ROLLBACK");
  const half = await versionsOf(held[0]?.practiceId ?? "");
  expect(Object.keys(half).sort()).toEqual(["0200000001", "0200000002"]);

  const [again, ...released] = await Promise.all([
    resealPractices(operator(store), {}),
    ...held.slice(0, 3).map(({ reviewer, taskId, seen }) => releaseGate(reviewer, { taskId, seen })),
  ]);
  expect([again, ...released].map(({ ok }) => ok)).toEqual([true, true, true, true]);
  for (const one of held) {
    expect(Object.keys(await versionsOf(one.practiceId))).toEqual(["0200000002"]);
    expect(await readable(one)).toMatch(/^transmit-/);
  }
});

test("the ring turns without a stop: both keys open, then the old one may go", async () => {
  const practiceId = await aPractice(store);
  const both = storeWith(second, first);
  onTestFinished(() => both.close());
  const turned = await wrapKeys(operator(both));
  expect(turned).toMatchObject({ ok: true, value: { ringKey: createKeyRing([second])[0].id } });
  expect(await wrapKeys(operator(both))).toMatchObject({ value: { wrapped: 0 } });
  const next = storeWith(second);
  onTestFinished(() => next.close());
  await next.keys.ready([practiceId]);
  const place = { table: "task", column: "patient", row: "r1", practiceId };
  const sealed = store.sealer.seal(Buffer.from("Okafor"), place);
  expect(Buffer.from(next.sealer.open(sealed, place)).toString()).toBe("Okafor");
  const old = storeWith(first);
  onTestFinished(() => old.close());
  await expect(old.keys.prove()).rejects.toThrow("not this database's");
});

test("what the application may not change, it may only seal anew, and under a practice's key", async () => {
  const reseal = (column: string, fresh: Buffer) =>
    store.pool.query("SELECT reseal_fixed($1, $2, $3, $4)", [column, [crypto.randomUUID()], [Buffer.of(2)], [fresh]]);
  await expect(reseal("audit_entry.detail", Buffer.of(2))).rejects.toThrow("no such column");
  await expect(reseal("case_note.text", Buffer.from("plain"))).rejects.toThrow("not a value under a practice key");
  await expect(store.pool.query("UPDATE case_note SET text = text")).rejects.toThrow("permission denied");
});
