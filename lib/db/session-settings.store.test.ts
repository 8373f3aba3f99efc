import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { keyPepper, receiptKey, sealingKey } from "#test/support/processes/pa";
import { freshDatabase, superuserUrl } from "#test/support/database/fresh-database";
import { openWholeStore } from "#test/support/database/whole-store";

test("a database that has other dates, another time zone and other transactions for others keeps and gives every instant as it is", async () => {
  const database = await freshDatabase();
  const superuser = new pg.Client({ connectionString: superuserUrl(database) });
  await superuser.connect();
  const name = new URL(database.appUrl).pathname.slice(1);
  for (const setting of [
    "DateStyle = 'German, DMY'",
    "TimeZone = 'America/New_York'",
    "default_transaction_isolation = 'repeatable read'",
  ])
    await superuser.query(`ALTER DATABASE "${name}" SET ${setting}`);
  await superuser.end();
  const store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 2 });
  onTestFinished(() => store.close());
  const at = new Date("2026-11-28T20:13:00.123Z");
  const { rows } = await store.pool.query<{ at: Date; isolation: string }>(
    "SELECT $1::timestamptz AS at, current_setting('transaction_isolation') AS isolation",
    [at],
  );
  expect(rows).toEqual([{ at, isolation: "read committed" }]);
  await store.prisma.readiness.upsert({ where: { id: 1 }, update: { probedAt: at }, create: { id: 1, probedAt: at } });
  expect(await store.prisma.readiness.findMany({ where: { probedAt: at } })).toEqual([{ id: 1, probedAt: at }]);
  const kept = await store.pool.query("SELECT asked_at AS at FROM readiness");
  expect(kept.rows).toEqual([{ at }]);
});
