import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { aHeldTask, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { anAnsweredTask, approved } from "#test/support/cases/sent-cases";
import { freshDatabase } from "#test/support/database/fresh-database";
import { openWholeStore } from "#test/support/database/whole-store";

const migration = "prisma/migrations/20261128131500_inquiries_that_had_ended/migration.sql";

// A database of this file's own, because the migration concerns every case.
const database = await freshDatabase();
const store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 8 });
afterAll(() => store.close());

test("the migration has payers asked again about what they have to decide, and about nothing else", async () => {
  const pended = await anAnsweredTask(store, { type: "accepted", reference: "REF-1" });
  const waiting = await anAnsweredTask(store, { type: "accepted", reference: "REF-2" });
  await anAnsweredTask(store, { type: "decided", determination: approved });
  await aHeldTask(store);
  await store.prisma.nextInquiry.delete({ where: { taskId: pended.taskId } });
  const before = await store.prisma.nextInquiry.findUniqueOrThrow({ where: { taskId: waiting.taskId } });
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(await readFile(migration, "utf8"));
  await owner.end();
  const rows = await store.prisma.nextInquiry.findMany();
  expect(new Set(rows.map(({ taskId }) => taskId))).toEqual(new Set([pended.taskId, waiting.taskId]));
  expect(rows).toContainEqual(before);
});
