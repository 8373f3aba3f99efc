import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { loadTask } from "#lib/task/store/load-task";
import { aHeldTask, aPractice, aStore, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { losingProxy, type LosingProxy } from "#test/support/database/losing-proxy";
import { notedTrips } from "#test/support/database/noted-trips";
import { openWholeStore } from "#test/support/database/whole-store";
import { inTransaction, query, type Store, type Tx } from "./db.ts";
import { forPractices } from "./for-practices.ts";
import { lockedByOne } from "./shared-transaction.ts";
import { forMany } from "./statement.ts";

const store = aStore();
let proxy: LosingProxy;
/** The same database over connections that get lost. */
let shaky: Store;
beforeAll(async () => {
  proxy = await losingProxy(testDatabase.appUrl);
  shaky = openWholeStore({ url: proxy.url, sealingKey, receiptKey, keyPepper, connectionsMax: 4 });
});
afterAll(async () => {
  await Promise.all([store.close(), shaky.close()]);
  proxy.close();
});

const trips = notedTrips(store);
beforeEach(() => void (trips.length = 0));

const shared = <Value>(id: string, run: (tx: Tx) => Promise<Value>, over: Store = store) =>
  inTransaction(forPractices(over, [id]), run, { isShared: true });

const nameText = "SELECT name FROM practice WHERE id = $1";
const manyNames = forMany("name-of", nameText, { types: ["text"] });
const reading = (id: string) => ({ name: "name-of", text: nameText, values: [id], many: manyNames });

const rename = (id: string, name: string, more: { readonly isLast?: boolean } = { isLast: true }) => ({
  text: "UPDATE practice SET name = $2 WHERE id = $1 RETURNING name",
  values: [id, name],
  ...more,
});

/** Reads what the practice is called, and then calls it otherwise. */
const renaming = (id: string) => async (tx: Tx) => {
  const [before] = await query<{ name: string }>(tx, reading(id));
  const [after] = await query<{ name: string }>(tx, rename(id, `${before?.name ?? ""}, renamed`));
  return after?.name;
};

const somePractices = (count: number) => Promise.all(Array.from({ length: count }, () => aPractice(store)));
const nameOf = async (id: string) => (await store.prisma.practice.findUnique({ where: { id } }))?.name;
const renamedTimes = async (id: string) => (await nameOf(id))?.split(", renamed").length;
const begun = () => trips.flat().filter((text) => text === "BEGIN").length;

test("what is read of one kind is one statement, in the order of who asked, and all is committed in one round trip", async () => {
  const ids = await somePractices(5);
  trips.length = 0;
  const names = await Promise.all(ids.map((id) => shared(id, renaming(id))));
  expect(names).toEqual(await Promise.all(ids.map(nameOf)));
  const writing = rename("", "").text;
  const [bounding, locking] = ["statement_timeout", "pg_advisory_xact_lock"].map((part) =>
    expect.stringContaining(part),
  );
  expect(trips.map((trip) => trip.slice(-8))).toEqual([
    ["BEGIN", expect.stringContaining("lock_timeout"), manyNames.text],
    [bounding, locking, writing, writing, writing, writing, writing, "COMMIT"],
  ]);
});

test("each is given its own rows, also where there are none", async () => {
  const [one = "", other = ""] = await somePractices(2);
  await shared(other, renaming(other));
  const answers = [one, "nobody", other].map((id) => shared(one, (tx) => query<{ name: string }>(tx, reading(id))));
  const rows = (await Promise.all(answers)).map((found) => found.map(({ name }) => name));
  expect(rows).toEqual([[await nameOf(one)], [], [await nameOf(other)]]);
});

test("one that fails by itself fails alone, and one that refuses writes nothing: the others are kept together", async () => {
  const [own = "", ...ids] = await somePractices(4);
  const failing = shared(own, async (tx) => {
    await query(tx, reading(own));
    throw new Error("of its own");
  });
  const refusing = shared(own, async (tx) => (await query(tx, reading(own))).length);
  const others = ids.map((id) => shared(id, renaming(id)));
  await expect(failing).rejects.toThrow("of its own");
  expect(await refusing).toBe(1);
  await Promise.all(others);
  expect(await Promise.all(ids.map(renamedTimes))).toEqual([2, 2, 2]);
  expect(await renamedTimes(own)).toBe(1);
  expect(begun()).toBe(1);
});

test("where a statement fails, each runs alone: only whose statement it was fails, and nothing is done twice", async () => {
  const [own = "", ...ids] = await somePractices(4);
  const failing = shared(own, (tx) => query(tx, { text: "SELECT 1 / $1::int AS n", values: [0] }));
  const others = ids.map((id) => shared(id, renaming(id)));
  await expect(failing).rejects.toThrow("division by zero");
  await Promise.all(others);
  expect(await Promise.all(ids.map(renamedTimes))).toEqual([2, 2, 2]);
  expect(begun()).toBe(5);
});

test("what writes more than its last statement, or asks Prisma, runs alone and once, while the others share", async () => {
  const [more = "", prisma = "", ...ids] = await somePractices(4);
  const twice = shared(more, async (tx) => {
    await query(tx, rename(more, "first", {}));
    return query(tx, rename(more, "second"));
  });
  const asking = shared(prisma, (tx) => tx.practice.update({ where: { id: prisma }, data: { name: "by Prisma" } }));
  await Promise.all([twice, asking, ...ids.map((id) => shared(id, renaming(id)))]);
  expect([await nameOf(more), await nameOf(prisma)]).toEqual(["second", "by Prisma"]);
  expect(await Promise.all(ids.map(renamedTimes))).toEqual([2, 2]);
});

test("what is kept is not done again where its change asks for more behind it", async () => {
  const [own = "", other = ""] = await somePractices(2);
  let runs = 0;
  const going = shared(own, async (tx) => {
    runs += 1;
    await renaming(own)(tx);
    return tx.practice.findMany();
  });
  const beside = shared(other, renaming(other));
  await expect(going).rejects.toThrow("The transaction has ended.");
  await beside;
  expect({ runs, times: await renamedTimes(own) }).toEqual({ runs: 1, times: 2 });
});

test("of two that lock the same the second goes alone, behind the first", async () => {
  const id = await aPractice(store);
  const locking = (tx: Tx) => {
    lockedByOne(tx, ["number"]);
    return renaming(id)(tx);
  };
  const [one, other] = await Promise.all([shared(id, locking), shared(id, locking)]);
  expect(other).toBe(`${one ?? ""}, renamed`);
  expect(begun()).toBe(2);
});

test("a practice of which somebody keeps a lock holds the others up for a moment once, and then no more", async () => {
  const [stuck = "", ...ids] = await somePractices(4);
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const keeping = inTransaction(forPractices(store, [stuck]), async (tx) => {
    await query(tx, { text: "SELECT FROM practice WHERE id = $1 FOR UPDATE", values: [stuck] });
    lock();
    await freed;
  });
  await locked;
  const waiting = shared(stuck, renaming(stuck));
  await Promise.all(ids.map((id) => shared(id, renaming(id))));
  trips.length = 0;
  const again = shared(stuck, renaming(stuck));
  await Promise.all(ids.map((id) => inTransaction(forPractices(store, [id]), renaming(id), { isPlain: true })));
  expect(trips.flat().filter((text) => text.includes("lock_timeout"))).toEqual([]);
  free();
  await Promise.all([keeping, waiting, again]);
  expect(await Promise.all(ids.map(renamedTimes))).toEqual([3, 3, 3]);
  expect(await renamedTimes(stuck)).toBeGreaterThan(1);
});

test("while somebody keeps one chain locked, those that share keep no other locked, and all are done without it", async () => {
  const ids = (await somePractices(4)).toSorted();
  const [stuck = "", ...others] = ids.toReversed();
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const lockingChain = (id: string) => ({
    text: "SELECT pg_advisory_xact_lock(hashtextextended('audit:' || $1, 0))::text",
    values: [id],
  });
  const keeping = inTransaction(forPractices(store, [stuck]), async (tx) => {
    await query(tx, lockingChain(stuck));
    lock();
    await freed;
  });
  await locked;
  await Promise.all(ids.map((id) => shared(id, renaming(id))));
  expect(await Promise.all(ids.map(renamedTimes))).toEqual([2, 2, 2, 2]);
  await Promise.all(others.map((id) => inTransaction(forPractices(store, [id]), (tx) => query(tx, lockingChain(id)))));
  free();
  await keeping;
});

test("what certainly was not done, because another connection was lost before, is done again", async () => {
  const [own = "", other = ""] = await somePractices(2);
  let runs = 0;
  const losing = shared(own, async (tx) => {
    runs += 1;
    if (runs === 1) throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    return renaming(own)(tx);
  });
  await Promise.all([losing, shared(other, renaming(other))]);
  expect(await Promise.all([own, other].map(renamedTimes))).toEqual([2, 2]);
});

test("a task is found for the practice of who asks alone, whoever shares", async () => {
  const [one, other] = [await aHeldTask(store), await aHeldTask(store)];
  const finding = (id: string, taskId: string) => shared(id, (tx) => loadTask(tx, { taskId, practices: "every" }));
  const found = await Promise.all([
    finding(one.practiceId, one.taskId),
    finding(one.practiceId, other.taskId),
    finding(other.practiceId, other.taskId),
  ]);
  expect(found.map((row) => row?.id)).toEqual([one.taskId, undefined, other.taskId]);
  expect(begun()).toBe(1);
});

test("one that is lost during its commit is in doubt for all that wrote in it, and nothing of it is done twice", async () => {
  const ids = await somePractices(3);
  await Promise.all(ids.map((id) => shared(id, renaming(id), shaky)));
  let runs = 0;
  const lost = ids.map((id) =>
    shared(
      id,
      async (tx) => {
        runs += 1;
        await query(tx, reading(id));
        proxy.loseAnswerTo("COMMIT");
        return query(tx, rename(id, "kept"));
      },
      shaky,
    ),
  );
  const ends = await Promise.allSettled(lost);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect({ runs, names: await Promise.all(ids.map(nameOf)) }).toEqual({ runs: 3, names: ["kept", "kept", "kept"] });
});
