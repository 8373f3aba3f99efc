import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aHeldTask, aPractice, aStore, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { losingProxy, type LosingProxy } from "#test/support/database/losing-proxy";
import { notedTrips } from "#test/support/database/noted-trips";
import { openWholeStore } from "#test/support/database/whole-store";
import { inTransaction, query, type Store, type Tx, unscoped } from "./db.ts";
import { forPractices } from "./for-practices.ts";
import { isUnavailable } from "./unavailable.ts";

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

const plainly = <Value>(over: Store, run: (tx: Tx) => Promise<Value>) => inTransaction(over, run, { isPlain: true });

const rename = (id: string, name: string, more: { readonly isLast?: boolean } = {}) => ({
  text: "UPDATE practice SET name = $2 WHERE id = $1 RETURNING name",
  values: [id, name],
  ...more,
});

/** Asks Prisma. */
const anything = async (tx: Tx) => tx.practice.findMany();

const nameOf = async (id: string) => (await store.prisma.practice.findUnique({ where: { id } }))?.name;

test("it sees its practices and no other, and is undone whole where it fails", async () => {
  const [own, other] = [await aHeldTask(store), await aHeldTask(store)];
  const before = await nameOf(own.practiceId);
  const over = forPractices(store, [own.practiceId]);
  const undone = plainly(over, async (tx) => {
    expect(await query(tx, rename(own.practiceId, "Renamed"))).toEqual([{ name: "Renamed" }]);
    const reading = { text: "SELECT id FROM task WHERE id = ANY ($1::uuid[])", values: [[own.taskId, other.taskId]] };
    expect(await query(tx, reading)).toEqual([{ id: own.taskId }]);
    throw new Error("to be undone");
  });
  await expect(undone).rejects.toThrow("to be undone");
  expect(await nameOf(own.practiceId)).toBe(before);
  expect(await plainly(over, (tx) => query(tx, rename(own.practiceId, "Kept")))).toEqual([{ name: "Kept" }]);
  expect(await nameOf(own.practiceId)).toBe("Kept");
});

test("it begins in one round trip with the statements that are asked for first, and is committed in one with the last", async () => {
  const id = await aPractice(store);
  const reading = (n: number) => ({ name: `reading-${n}`, text: `SELECT ${n} AS n`, values: [] });
  const over = forPractices(store, [id]);
  trips.length = 0;
  const read = await plainly(over, async (tx) => {
    const [one, two] = await Promise.all([query(tx, reading(1)), query(tx, reading(2))]);
    const three = await query(tx, reading(3));
    return [one, two, three, await query(tx, rename(id, "Last", { isLast: true }))];
  });
  expect(read).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }], [{ name: "Last" }]]);
  const saying = "SELECT set_config('app.practices', $1, true)";
  expect(trips).toEqual([
    ["BEGIN", saying, "SELECT 1 AS n", "SELECT 2 AS n"],
    ["SELECT 3 AS n"],
    [rename(id, "").text, "COMMIT"],
  ]);
  expect(await nameOf(id)).toBe("Last");
});

test("what asks anything of Prisma is undone, and runs again in a transaction of Prisma's", async () => {
  const id = await aPractice(store);
  let runs = 0;
  await plainly(forPractices(store, [id]), async (tx) => {
    runs += 1;
    await query(tx, rename(id, `run ${runs}`));
    expect(await tx.practice.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: `run ${runs}` });
  });
  expect({ runs, name: await nameOf(id) }).toEqual({ runs: 2, name: "run 2" });
});

test("of statements that go together none is carried out behind one that fails, nor is any kept", async () => {
  const id = await aPractice(store);
  const before = await nameOf(id);
  const failing = { text: "SELECT 1 / $1::int AS n", values: [0] };
  const over = forPractices(store, [id]);
  for (let round = 0; round < 3; round += 1) {
    const answers: Promise<unknown>[] = [];
    const failed = plainly(over, async (tx) => {
      answers.push(
        query(tx, rename(id, "before")),
        query(tx, failing),
        query(tx, rename(id, "behind", { isLast: true })),
      );
      return Promise.all(answers);
    });
    await expect(failed).rejects.toThrow("division by zero");
    const ends = await Promise.allSettled(answers);
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await nameOf(id)).toBe(before);
  }
  await plainly(over, (tx) => query(tx, rename(id, "still works")));
  expect(await nameOf(id)).toBe("still works");
});

test("whoever goes on after a failed statement as if it had not failed keeps nothing, and hears so", async () => {
  const id = await aPractice(store);
  const before = await nameOf(id);
  const going = plainly(forPractices(store, [id]), async (tx) => {
    await query(tx, rename(id, "before"));
    await query(tx, { text: "SELECT 1 / $1::int AS n", values: [0] }).catch(() => undefined);
  });
  await expect(going).rejects.toThrow("A statement failed");
  expect(await nameOf(id)).toBe(before);
});

test("one that takes too long is undone as an outage, so that what it was for is tried again later", async () => {
  const id = await aPractice(store);
  const before = await nameOf(id);
  const late = inTransaction(
    forPractices(store, [id]),
    async (tx) => {
      await query(tx, rename(id, "before"));
      await query(tx, { text: "SELECT pg_sleep(0.05)", values: [] });
      return query(tx, rename(id, "late", { isLast: true }));
    },
    { isPlain: true, longestMs: 40 },
  );
  const failure: unknown = await late.catch((error: unknown) => error);
  expect({ failure, isOutage: isUnavailable(failure) }).toMatchObject({ failure: expect.any(Error), isOutage: true });
  expect(await nameOf(id)).toBe(before);
});

test("a value that cannot be written fails with the whole transaction, and its connection is given up", async () => {
  const id = await aPractice(store);
  const before = await nameOf(id);
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const over = forPractices(store, [id]);
  const failed = plainly(over, async (tx) => {
    const named = query(tx, rename(id, "before"));
    return Promise.all([named, query(tx, { text: "SELECT $1::jsonb AS n", values: [circular] })]);
  });
  await expect(failed).rejects.toThrow("circular");
  expect(await nameOf(id)).toBe(before);
  await plainly(over, (tx) => query(tx, rename(id, "after")));
  expect(await nameOf(id)).toBe("after");
});

test.each(["kept", "kept with its last statement", "undone"])(
  "whoever asks over one that is %s is refused",
  async (end) => {
    const id = await aPractice(store);
    const over: Tx[] = [];
    const run = plainly(forPractices(store, [id]), async (tx) => {
      over.push(tx);
      await query(tx, rename(id, "named", { isLast: end === "kept with its last statement" }));
      if (end === "undone") throw new Error("to be undone");
      if (end === "kept") return;
      await expect(query(tx, rename(id, "late"))).rejects.toThrow("The transaction has ended.");
    });
    await run.catch(() => undefined);
    const [tx] = over;
    if (!tx) throw new Error("The transaction began.");
    await expect(query(tx, rename(id, "late"))).rejects.toThrow("The transaction has ended.");
    expect(await nameOf(id)).not.toBe("late");
  },
);

describe("of which the connection is the only one", () => {
  const single = openWholeStore({ url: testDatabase.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 1 });
  afterAll(() => single.close());

  const failing = { text: "SELECT 1 / $1::int AS n", values: [0] };

  test.each<readonly [string, (tx: Tx, id: string) => Promise<unknown>]>([
    [
      "fails before its first statement is sent",
      async (tx, id) => {
        query(tx, rename(id, "unsent")).catch(() => undefined);
        throw new Error("to be undone");
      },
    ],
    [
      "ends before its first statement is sent",
      async (tx, id) => void query(tx, rename(id, "x")).catch(() => undefined),
    ],
    [
      "needs Prisma while a statement waits to be sent",
      async (tx, id) => Promise.all([query(tx, rename(id, "unsent")), anything(tx)]),
    ],
    [
      "fails while a statement is under way",
      async (tx, id) => {
        query(tx, rename(id, "under way")).catch(() => undefined);
        await new Promise(setImmediate);
        throw new Error("to be undone");
      },
    ],
    [
      "passes its last statement's failure over",
      (tx) => query(tx, { ...failing, isLast: true }).catch(() => undefined),
    ],
    ["has a statement that takes too long", (tx) => query(tx, { text: "SELECT pg_sleep(9)", values: [] })],
  ])("one that %s gives it back outside of any transaction, with no practice", async (_, run) => {
    const id = await aPractice(store);
    await plainly(forPractices(single, [id]), (tx) => run(tx, id)).catch(() => undefined);
    await new Promise(setImmediate);
    const { rows } = await unscoped(single).pool.query(
      `SELECT now() = statement_timestamp() AS "isAlone", coalesce(current_setting('app.practices', true), '') AS practices`,
    );
    expect(rows).toEqual([{ isAlone: true, practices: "" }]);
  });

  test("whoever passes the failure of the last statement over hears that nothing is kept", async () => {
    const id = await aPractice(store);
    const over = forPractices(single, [id]);
    const passing = plainly(over, (tx) => query(tx, { ...failing, isLast: true }).catch(() => undefined));
    await expect(passing).rejects.toThrow("division by zero");
  });

  test("one that nobody waits for at its end is over only once it is kept", async () => {
    const id = await aPractice(store);
    await plainly(forPractices(single, [id]), async (tx) => {
      await query(tx, { text: "SELECT 1 AS one", values: [] });
      void query(tx, rename(id, "kept", { isLast: true }));
      await new Promise<void>((resolve) => process.nextTick(resolve));
    });
    expect(await nameOf(id)).toBe("kept");
  });

  test.each<readonly [string, (tx: Tx) => Promise<unknown>, string]>([
    ["Prisma is asked", anything, "The transaction has ended."],
    ["something else is refused", async () => Promise.reject(new Error("refused")), "refused"],
    [
      "another connection loses a race",
      async () => Promise.reject(Object.assign(new Error("deadlock detected"), { severity: "ERROR", code: "40P01" })),
      "lost before it said whether this was done",
    ],
  ])("what is kept is not done again where %s behind it", async (_, more, message) => {
    const id = await aPractice(store);
    let runs = 0;
    const done = plainly(forPractices(single, [id]), async (tx) => {
      runs += 1;
      await query(tx, rename(id, `run ${runs}`, { isLast: true }));
      await more(tx);
    });
    await expect(done).rejects.toThrow(message);
    expect({ runs, name: await nameOf(id) }).toEqual({ runs: 1, name: "run 1" });
  });
});

describe("over connections that get lost", () => {
  test("one whose first statements never arrived is done again, whole", async () => {
    const id = await aPractice(store);
    let tries = 0;
    proxy.loseStatement("BEGIN");
    await plainly(forPractices(shaky, [id]), (tx) => {
      tries += 1;
      return query(tx, rename(id, `try ${tries}`));
    });
    expect({ tries, name: await nameOf(id) }).toEqual({ tries: 2, name: "try 2" });
  });

  test.each([true, false])(
    "one that was lost during its commit is not taken for undone, and is not done twice: with its last statement %s",
    async (isLast) => {
      const id = await aPractice(store);
      let tries = 0;
      proxy.loseAnswerTo("COMMIT");
      const done = plainly(forPractices(shaky, [id]), async (tx) => {
        tries += 1;
        await query(tx, { text: "SELECT 1 AS one", values: [] });
        return query(tx, rename(id, `try ${tries}`, { isLast }));
      });
      await expect(done).rejects.toThrow("lost before it said whether this was done");
      expect({ tries, name: await nameOf(id) }).toEqual({ tries: 1, name: "try 1" });
    },
  );
});
