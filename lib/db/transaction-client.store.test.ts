import { afterAll, expect, test } from "vitest";
import { aPractice, aStore } from "#test/support/cases/cases";
import { inTransaction, query, type Tx } from "./db.ts";
import { forPractices } from "./for-practices.ts";
import { clientOf } from "./transaction-client.ts";

const store = aStore();
afterAll(() => store.close());

const rename = (practiceId: string) => ({
  text: "UPDATE practice SET name = 'Renamed' WHERE id = $1 RETURNING name",
  values: [practiceId],
});

test("a statement beside Prisma is of the same transaction and its practices, and is undone with it", async () => {
  const practiceId = await aPractice(store);
  const { name } = await store.prisma.practice.findUniqueOrThrow({ where: { id: practiceId } });
  const undone = inTransaction(forPractices(store, [practiceId]), async (tx) => {
    expect(clientOf(tx)).toBeDefined();
    expect(await query(tx, rename(practiceId))).toEqual([{ name: "Renamed" }]);
    expect(await tx.practice.findUniqueOrThrow({ where: { id: practiceId } })).toMatchObject({ name: "Renamed" });
    const [scope] = await query<{ practices: string }>(tx, {
      text: "SELECT current_setting('app.practices') AS practices",
      values: [],
    });
    expect(scope?.practices).toContain(practiceId);
    throw new Error("to be undone");
  });
  await expect(undone).rejects.toThrow("to be undone");
  expect(await store.prisma.practice.findUniqueOrThrow({ where: { id: practiceId } })).toMatchObject({ name });
});

test.each(["kept", "undone"] as const)("whoever asks over a transaction that is %s is refused", async (end) => {
  const practiceId = await aPractice(store);
  const over: Tx[] = [];
  const run = inTransaction(forPractices(store, [practiceId]), async (tx) => {
    over.push(tx);
    await query(tx, { text: "SELECT 1 AS one", values: [] });
    if (end === "undone") throw new Error("to be undone");
  });
  await run.catch(() => undefined);
  const [tx] = over;
  if (!tx) throw new Error("The transaction began.");
  expect(clientOf(tx)).toBe(undefined);
  await expect(query(tx, rename(practiceId))).rejects.toThrow(/transaction/i);
});
