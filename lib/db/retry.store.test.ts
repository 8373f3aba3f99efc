import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { releaseGate } from "#lib/gate/release-gate";
import { sendMessage } from "#lib/task/send-message";
import {
  actsOf,
  aHeldTask,
  anIntake,
  aPractice,
  aStore,
  keyPepper,
  receiptKey,
  sealingKey,
} from "#test/support/cases/cases";
import { superuserUrl, testDatabase } from "#test/support/database/fresh-database";
import { aPdf, aReceivedFile } from "#test/support/agents/files";
import { losingProxy, type LosingProxy } from "#test/support/database/losing-proxy";
import { inTransaction, type Store, type Tx, unscoped } from "./db.ts";
import { openWholeStore } from "#test/support/database/whole-store";
import { onlyReads } from "./retry.ts";
import { isUnavailable } from "./unavailable.ts";
import { forPractices } from "./for-practices.ts";

const store = aStore();
const superuser = new pg.Pool({ connectionString: superuserUrl(testDatabase), max: 1 });
let proxy: LosingProxy;
/** The same database over connections that get lost. */
let shaky: Store;
beforeAll(async () => {
  proxy = await losingProxy(testDatabase.appUrl);
  shaky = openWholeStore({ url: proxy.url, sealingKey, receiptKey, keyPepper, connectionsMax: 4 });
});
afterAll(async () => {
  await Promise.all([store.close(), shaky.close(), superuser.end()]);
  proxy.close();
});

const nameIt = (tx: Tx, id: string, name: string) => tx.practice.update({ where: { id }, data: { name } });
const nameOf = async (id: string) => (await store.prisma.practice.findUnique({ where: { id } }))?.name;

/** Resolves for all once it was called so often; for those after, at once. */
function meeting(count: number): () => Promise<void> {
  let come = 0;
  let meet = () => undefined as void;
  const met = new Promise<void>((resolve) => (meet = resolve));
  return () => {
    come += 1;
    if (come === count) meet();
    return met;
  };
}

const failureOf = (answer: Promise<unknown>) =>
  answer.then(
    () => "none",
    ({ message }: Error) => message,
  );

async function endConnectionOf(tx: Tx): Promise<void> {
  const [row] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  await superuser.query("SELECT pg_terminate_backend($1)", [row?.pid]);
}

describe("a transaction that is certain to have done nothing is done again, whole", () => {
  test("two that lock each other up both go through, five times of five", async () => {
    const rounds = Array.from({ length: 5 }, async () => {
      const [one, other] = [await aPractice(store), await aPractice(store)];
      const both = meeting(2);
      const nameBoth = (first: string, second: string, name: string) =>
        inTransaction(store, async (tx) => {
          await nameIt(tx, first, name);
          await both();
          await nameIt(tx, second, name);
        });
      await Promise.all([nameBoth(one, other, "left"), nameBoth(other, one, "right")]);
      expect(await nameOf(one)).toBe(await nameOf(other));
    });
    await Promise.all(rounds);
  });

  test("one that did not get its lock in time gets it once it is free", async () => {
    const id = await aPractice(store);
    const holder = await unscoped(store).pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM practice WHERE id = $1 FOR UPDATE", [id]);
    let tries = 0;
    const named = inTransaction(store, async (tx) => {
      tries += 1;
      if (tries === 3) await holder.query("COMMIT");
      await tx.$executeRaw`SET LOCAL lock_timeout = '10ms'`;
      await nameIt(tx, id, "Elm Street");
    });
    await named.finally(() => holder.release());
    expect({ tries, name: await nameOf(id) }).toEqual({ tries: 3, name: "Elm Street" });
  });

  test.each(["before a statement", "before the commit"])("one whose connection was ended %s", async (when) => {
    const id = await aPractice(store);
    let tries = 0;
    await inTransaction(store, async (tx) => {
      tries += 1;
      if (when === "before the commit") await nameIt(tx, id, `try ${tries}`);
      if (tries === 1) await endConnectionOf(tx);
      // Where it ended before the commit, the transaction itself had heard of that.
      if (when === "before a statement") await nameIt(tx, id, `try ${tries}`);
      else if (tries === 1) await expect.poll(() => failureOf(tx.practice.count())).toContain("not queryable");
    });
    expect(await nameOf(id)).toBe("try 2");
  });

  test("one whose statement never arrived, and a statement alone that only reads", async () => {
    const id = await aPractice(store);
    proxy.loseStatement("BEGIN");
    await inTransaction(shaky, (tx) => nameIt(tx, id, "named once"));
    proxy.loseAnswerTo("SELECT 'read', name");
    const { rows } = await shaky.pool.query("SELECT 'read', name FROM practice WHERE id = $1", [id]);
    expect(rows).toMatchObject([{ name: "named once" }]);
    const narrow = forPractices(shaky, [id]);
    proxy.loseAnswerTo("say-practices");
    expect(await narrow.prisma.practice.findMany({ where: { id }, select: { name: true } })).toEqual([
      { name: "named once" },
    ]);
    proxy.loseAnswerTo("COMMIT");
    expect(await narrow.prisma.practice.findUnique({ where: { id }, select: { name: true } })).toBeTruthy();
    expect(proxy.lost()).toBe(4);
  });
});

test("where the connection goes during a commit, nobody is told that nothing was done, and nothing is done twice", async () => {
  const id = await aPractice(store);
  let tries = 0;
  proxy.loseAnswerTo("COMMIT");
  const counted = inTransaction(shaky, (tx) => {
    tries += 1;
    return nameIt(tx, id, `try ${tries}`);
  });
  await expect(counted).rejects.toThrow("lost before it said whether this was done");
  expect({ tries, name: await nameOf(id) }).toEqual({ tries: 1, name: "try 1" });
});

test("while a pooler lets everybody in and refuses what they ask, all are told so at once and few connections are tried, and they are served once it can ask", async () => {
  const ways = [
    () => shaky.pool.query("SELECT 1"),
    () => shaky.prisma.practice.count(),
    () => inTransaction(shaky, (tx) => tx.practice.count()),
    () => shaky.keys.reload(),
  ];
  const failures = async () => {
    const answers = await Promise.allSettled(ways.map((ask) => ask()));
    return answers.map((answer) => answer.status === "rejected" && isUnavailable(answer.reason));
  };
  const none = ways.map(() => false);
  expect(await failures()).toEqual(none);
  proxy.refuseStatements();
  try {
    const began = performance.now();
    expect(await failures()).toEqual(ways.map(() => true));
    expect(performance.now() - began).toBeLessThan(6_000);
    const [before, from] = [proxy.made(), performance.now()];
    let slowestMs = 0;
    const ask = async () => {
      const at = performance.now();
      expect(await failures()).toEqual(ways.map(() => true));
      slowestMs = Math.max(slowestMs, performance.now() - at);
      return proxy.made() - before;
    };
    await expect.poll(ask, { interval: 5, timeout: 10_000 }).toBeGreaterThan(6);
    // Every 250 ms one, however many ask; each caller by itself would try six times as often.
    expect(performance.now() - from).toBeGreaterThan(1_000);
    expect(slowestMs).toBeLessThan(500);
  } finally {
    proxy.acceptStatements();
  }
  await expect.poll(failures, { interval: 5 }).toEqual(none);
}, 30_000);

test.each(["BEGIN", "BEGIN; SELECT 1 / 0"])(
  "a connection that is given back after %s, and before the end of its transaction, is given to nobody else",
  async (begin) => {
    const single = openWholeStore({ url: testDatabase.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 1 });
    const { pool } = unscoped(single);
    const client = await pool.connect();
    await client.query(begin).catch(() => undefined);
    await client.query("SET LOCAL app.practices = '{*}'").catch(() => undefined);
    client.release();
    const { rows } = await pool.query(
      `SELECT now() = statement_timestamp() AS "isAlone", coalesce(current_setting('app.practices', true), '') AS practices`,
    );
    expect(rows).toEqual([{ isAlone: true, practices: "" }]);
    await single.close();
  },
);

test("a SELECT that writes, by whatever function of ours, is not taken for one that only reads", async () => {
  const { rows } = await store.pool.query<{ name: string }>(
    `SELECT p.proname AS name FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.provolatile = 'v'
        AND p.prorettype <> 'trigger'::regtype`,
  );
  expect(rows.length).toBeGreaterThan(3);
  for (const { name } of rows) expect(onlyReads(`SELECT ${name}($1)`), name).toBe(false);
  expect(onlyReads("SELECT id FROM task WHERE id = $1")).toBe(true);
});

describe("a message whose answer was lost on the way from the database", () => {
  const countsOf = async (taskId: string) => ({
    acts: await actsOf(store, taskId),
    revisions: await store.prisma.revision.count({ where: { taskId } }),
    messages: await store.prisma.message.count({ where: { taskId } }),
  });
  const overShaky = <Ctx extends { actor: unknown }>(ctx: Ctx) => ({ ...ctx, store: shaky });
  const files = [aReceivedFile(aPdf("notes"), "application/pdf", "notes.pdf")];

  test.each([
    { what: "with an id", messageId: "m-1", files: [], at: "open-task" },
    { what: "without an id", messageId: undefined, files: [], at: "open-task" },
    { what: "with files", messageId: "m-2", files, at: "COMMIT" },
    { what: "with files and without an id", messageId: undefined, files, at: "COMMIT" },
  ])("opens one task, and its sender is told of it: $what", async ({ at, messageId, files: brought }) => {
    const { practiceId, channel } = await aHeldTask(store);
    proxy.loseAnswerTo(at);
    const sent = await sendMessage(
      overShaky(channel),
      anIntake({ practiceId, files: brought, ...(messageId && { messageId }) }),
    );
    const opened = await store.prisma.task.findMany({ where: { practiceId }, orderBy: { id: "asc" } });
    expect(opened).toHaveLength(2);
    expect(sent).toMatchObject({ ok: true, value: { id: opened[1]?.id } });
    expect(await countsOf(opened[1]?.id ?? "")).toEqual({ acts: ["task.opened"], revisions: 1, messages: 1 });
  });

  test.each(["m-3", undefined])("amends its task once: id %s", async (messageId) => {
    const { practiceId, channel, taskId } = await aHeldTask(store);
    proxy.loseAnswerTo("COMMIT");
    const sent = await sendMessage(
      overShaky(channel),
      anIntake({ practiceId, taskId, note: "More.", ...(messageId && { messageId }) }),
    );
    expect(sent).toMatchObject({ ok: true, value: { id: taskId, task: { revision: 2 } } });
    expect(await countsOf(taskId)).toMatchObject({ acts: ["task.opened", "task.amended"], revisions: 2 });
  });

  test("amends its task once too where the lost commit was never kept", async () => {
    const { practiceId, channel, taskId } = await aHeldTask(store);
    proxy.loseStatement("COMMIT");
    const sent = await sendMessage(overShaky(channel), anIntake({ practiceId, taskId, messageId: "m-4" }));
    expect(sent).toMatchObject({ ok: true, value: { task: { revision: 2 } } });
    expect(await countsOf(taskId)).toMatchObject({ acts: ["task.opened", "task.amended"], revisions: 2 });
  });

  test.each([crypto.randomUUID(), undefined])(
    "and what a person decided is answered as decided, once, with one receipt: key %s",
    async (key) => {
      const { reviewer, taskId, seen } = await aHeldTask(store, { recallWindowS: 600 });
      proxy.loseAnswerTo("COMMIT");
      const released = await releaseGate(overShaky(reviewer), { taskId, seen, key });
      expect(released).toMatchObject({
        ok: true,
        value: { state: "transmit-released", claimableAt: expect.any(Date) as Date },
      });
      expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.released"]);
      expect(await store.prisma.decisionReceipt.count({ where: { taskId } })).toBe(1);
      if (key !== undefined) expect(await releaseGate(reviewer, { taskId, seen, key })).toEqual(released);
    },
  );
});
