import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { getTask } from "#lib/task/get-task";
import { sendMessage } from "#lib/task/send-message";
import { aChannel, aHeldTask, anIntake, aPractice, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { freshDatabase, superuserUrl } from "#test/support/database/fresh-database";
import { openWholeStore } from "#test/support/database/whole-store";
import { migrate } from "./migrate.ts";

/** What a release may do to tables that are in use, in the order in which the program's own statements do not lock them. */
const migrations: Readonly<Record<string, string>> = {
  "90000101000100_columns": `
    ALTER TABLE gate ADD COLUMN later TEXT;
    ALTER TABLE task ADD COLUMN later TEXT, ADD COLUMN later_still INTEGER NOT NULL DEFAULT 7;
    ALTER TABLE message ADD COLUMN later TEXT;
    CREATE TABLE beside (task_id UUID PRIMARY KEY REFERENCES task (id), practice_id TEXT NOT NULL);
    COMMENT ON TABLE beside IS 'Beside a task.';`,
  "90000101000200_checks": `
    ALTER TABLE task ADD CONSTRAINT task_later_check CHECK (later <> '') NOT VALID;
    ALTER TABLE task VALIDATE CONSTRAINT task_later_check;
    CREATE INDEX CONCURRENTLY task_later_idx ON task (practice_id, later);
    CREATE OR REPLACE FUNCTION task_known(p_task UUID) RETURNS BOOLEAN
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS
      $$ SELECT EXISTS (SELECT FROM task WHERE id = p_task AND later IS NULL) $$;`,
};

test("an upgrade under load, beside a reader of twenty seconds, refuses no call, and goes on where it was cut short", async () => {
  const database = await freshDatabase();
  const folder = mkdtempSync(join(tmpdir(), "migrations-"));
  cpSync("prisma/migrations", folder, { recursive: true });
  for (const [name, sql] of Object.entries(migrations)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "migration.sql"), sql);
  }
  const store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 10 });
  const [reader, superuser] = [superuserUrl(database), superuserUrl(database)].map(
    (connectionString) => new pg.Client({ connectionString }),
  );
  await Promise.all([reader?.connect(), superuser?.connect()]);
  onTestFinished(async () => {
    await Promise.all([store.close(), reader?.end(), superuser?.end()]);
    rmSync(folder, { recursive: true });
  });
  const { practiceId, channel } = await aHeldTask(store);
  const [otherId] = [await aPractice(store)];
  const other = await aChannel(store, { practices: [otherId] });
  let taskId = "";
  const load = aLoad([
    async () => {
      const opened = await sendMessage(channel, anIntake({ practiceId }));
      if (opened.ok) taskId = opened.value.id;
      return opened;
    },
    () => sendMessage(other, anIntake({ practiceId: otherId })),
    // Of whatever task is newest, because one task takes only so many amendments.
    async () => (taskId === "" ? nothing() : sendMessage(channel, anIntake({ practiceId, taskId }))),
    async () => (taskId === "" ? nothing() : getTask(channel, { taskId, historyLength: 10 })),
  ]);

  await reader?.query("BEGIN; SELECT count(*) FROM task, gate, message");
  const read = reader?.query(`SELECT pg_sleep(${readerS}); COMMIT`).catch(() => undefined);
  const upgrade = () => migrate({ ...database, folder });
  const cut = upgrade().then(
    () => "finished",
    (error: unknown) => String(error),
  );
  const ofMigration = "FROM pg_stat_activity WHERE application_name = 'migrate' AND datname = current_database()";
  const lastStatement = async () => (await superuser?.query(`SELECT query ${ofMigration}`))?.rows[0]?.query as unknown;
  await expect.poll(lastStatement, { timeout: 15_000 }).toMatch(/ROLLBACK|ALTER TABLE gate/);
  await superuser?.query(`SELECT pg_terminate_backend(pid) ${ofMigration}`);
  expect(await cut).toMatch(/The connection to the database was lost in the migration 90000101000100_columns, line 2/);
  expect(await upgrade()).toEqual(Object.keys(migrations));
  await read;
  const { done, failed } = await load.stop();
  expect(failed).toEqual([]);
  expect(done).toBeGreaterThan(100);
  expect(await upgrade()).toEqual([]);
}, 120_000);

/** Longer than a lock, a statement or a caller is waited for. */
const readerS = 20;

const nothing = () => setTimeout(10, { ok: true });

/** Does each of these again and again until it is stopped; what failed, or was refused, is told. */
function aLoad(acts: readonly (() => Promise<{ readonly ok: boolean }>)[]) {
  let [isStopped, done] = [false, 0];
  const failed: unknown[] = [];
  const loops = acts.map(async (act) => {
    while (!isStopped && failed.length < 10) {
      const outcome = await act().catch((error: unknown) => ({ ok: false, error }));
      if (outcome.ok) done += 1;
      else failed.push(outcome);
    }
  });
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(loops);
      return { done, failed };
    },
  };
}
