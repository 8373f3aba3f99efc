import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { addMinutes } from "#lib/channel/store/call-records";
import { unscoped } from "#lib/db/db";
import { keepPartitions } from "#lib/db/keep-partitions";
import { readFigures } from "#lib/submission/store/figures";
import { keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { freshDatabase } from "#test/support/database/fresh-database";
import { openWholeStore } from "#test/support/database/whole-store";
import { migrate } from "./migrate.ts";

const dayMs = 86_400_000;
const channelId = "0193b3c5-0000-7000-8000-000000000001";
const migration = "20261125184200_call_minutes_by_month";

async function aDatabase() {
  const database = await freshDatabase();
  const store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 4 });
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  onTestFinished(async () => {
    await Promise.all([store.close(), owner.end()]);
  });
  const calls = async () =>
    Number(
      (await owner.query<{ sum: string }>("SELECT coalesce(sum(calls), 0) AS sum FROM channel_minute")).rows[0]?.sum,
    );
  const monthOf = (months: number) =>
    `to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + interval '${months} months', 'YYYY-MM-DD')`;
  const attach = (name: string, from: number, to: number) =>
    owner.query(`DO $$ BEGIN EXECUTE format(
      'CREATE TABLE ${name} PARTITION OF channel_minute FOR VALUES FROM (%L) TO (%L)',
      ${monthOf(from)} || ' 00:00:00+00', ${monthOf(to)} || ' 00:00:00+00'); END $$`);
  return { database, store, owner, calls, attach };
}

const counted = (minute: Date, calls: number) => [{ channelId, minute, calls, denied: 0 }];
const minuteOf = (ms: number) => new Date(Math.floor(ms / 60_000) * 60_000);

const partitions = async (owner: pg.Client) =>
  (
    await owner.query<{ name: string }>("SELECT name::text FROM partition_ends('channel_minute') ORDER BY ends")
  ).rows.map(({ name }) => name);

test("a table with rows becomes the first partition while calls are counted; no count is lost and none fails", async () => {
  const { database, store, owner, calls } = await aDatabase();
  await owner.query(`
    CREATE TABLE before (LIKE channel_minute INCLUDING DEFAULTS, CONSTRAINT before_pkey PRIMARY KEY (channel_id, minute));
    DROP TABLE channel_minute;
    DROP FUNCTION keep_partitions, partitions_left, partition_ends;
    ALTER TABLE before RENAME TO channel_minute;
    ALTER TABLE channel_minute RENAME CONSTRAINT before_pkey TO channel_minute_pkey;
    CREATE INDEX channel_minute_minute_idx ON channel_minute (minute);
    INSERT INTO channel_minute
    SELECT '${channelId}', date_trunc('minute', now()) - n * interval '1 minute', 1, 0 FROM generate_series(1, 20000) n`);
  const role = decodeURIComponent(new URL(database.appUrl).username);
  await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON channel_minute TO ${pg.escapeIdentifier(role)}`);
  const folder = mkdtempSync(join(tmpdir(), "migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync("prisma/migrations", folder, { recursive: true });
  mkdirSync(join(folder, "90000101000100_again"));
  cpSync(join(folder, migration, "migration.sql"), join(folder, "90000101000100_again", "migration.sql"));

  let [isOver, added] = [false, 0];
  const counting = (async () => {
    while (!isOver) {
      await addMinutes(store, counted(minuteOf(Date.now()), 1));
      added += 1;
    }
  })();
  await expect.poll(() => added, { timeout: 10_000 }).toBeGreaterThan(10);
  expect(await migrate({ ...database, folder })).toEqual(["90000101000100_again"]);
  const during = added;
  await expect.poll(() => added, { timeout: 10_000 }).toBeGreaterThan(during + 10);
  isOver = true;
  await counting;
  expect(await calls()).toBe(20_000 + added);
  expect((await partitions(owner))[0]).toBe("channel_minute_first");
});

test("partitions are added three months ahead and dropped 31 days after their end, and the figures say for how long there are some", async () => {
  const { store, owner, calls, attach } = await aDatabase();
  const [first] = await partitions(owner);
  expect((await readFigures(unscoped(store))).partitionsLeftS * 1_000).toBeGreaterThan(85 * dayMs);
  await owner.query("DROP TABLE channel_minute");
  expect(first).toBe("channel_minute_first");
  await owner.query(
    `CREATE TABLE channel_minute (channel_id UUID NOT NULL, minute TIMESTAMPTZ(0) NOT NULL, calls INT NOT NULL, denied INT NOT NULL,
       PRIMARY KEY (channel_id, minute)) PARTITION BY RANGE (minute)`,
  );
  await attach("channel_minute_old", -4, -3);
  await attach("channel_minute_recent", -3, 1);
  await owner.query(`INSERT INTO channel_minute VALUES
    ('${channelId}', date_trunc('month', now()) - interval '3 months 5 days', 1, 0),
    ('${channelId}', date_trunc('month', now()) - interval '2 months 5 days', 2, 0)`);
  const short = (await readFigures(unscoped(store))).partitionsLeftS * 1_000;
  expect(short).toBeLessThan(31 * dayMs);
  await keepPartitions(store);
  const kept = await partitions(owner);
  expect([kept[0], kept.length]).toEqual(["channel_minute_recent", 4]);
  expect(await calls()).toBe(2);
  expect((await readFigures(unscoped(store))).partitionsLeftS * 1_000).toBeGreaterThan(short + 85 * dayMs);
});

test("a partition that somebody reads is left for the next round, and nobody waits behind it", async () => {
  const { database, store, owner, calls, attach } = await aDatabase();
  await owner.query("ALTER TABLE channel_minute DETACH PARTITION channel_minute_first");
  await owner.query(
    "ALTER TABLE channel_minute ATTACH PARTITION channel_minute_first FOR VALUES FROM (MINVALUE) TO ('2020-01-01 00:00:00+00')",
  );
  await attach("channel_minute_now", -1, 2);
  const reader = new pg.Client({ connectionString: database.ownerUrl });
  await reader.connect();
  await reader.query("BEGIN; SELECT count(*) FROM channel_minute");
  const keeping = keepPartitions(store);
  const counting = addMinutes(store, counted(minuteOf(Date.now()), 3));
  await expect(keeping).rejects.toMatchObject({ cause: { code: "55P03" } });
  await counting;
  expect(await partitions(owner)).toContain("channel_minute_first");
  await reader.end();
  await keepPartitions(store);
  expect(await partitions(owner)).not.toContain("channel_minute_first");
  expect(await calls()).toBe(3);
});
