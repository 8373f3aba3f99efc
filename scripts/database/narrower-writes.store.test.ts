import { cpSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase, superuserUrl } from "#test/support/database/fresh-database";
import { migrate } from "./migrate.ts";

/** The migrations before this one. */
function folderBefore(first: string): string {
  const folder = mkdtempSync(join(tmpdir(), "migrations-"));
  for (const path of globSync("prisma/migrations/*/migration.sql")) {
    const name = basename(dirname(path));
    if (name < first) cpSync(dirname(path), join(folder, name), { recursive: true });
  }
  return folder;
}

const gates = (count: number) =>
  Array.from({ length: count }, (_, index) => `00000000-0000-7000-8000-00000000000${index + 1}`);

test("what was due or in hand before the upgrade is found after it, and what is sealed can be opened by both releases for a day", async () => {
  const database = await freshDatabase();
  const superuser = new pg.Client({ connectionString: superuserUrl(database) });
  await superuser.connect();
  const folder = folderBefore("20261126133000");
  onTestFinished(async () => {
    await superuser.end();
    rmSync(folder, { recursive: true });
  });
  const owner = decodeURIComponent(new URL(database.ownerUrl).username);
  await superuser.query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION ${pg.escapeIdentifier(owner)}`);
  await migrate({ ...database, folder });
  // As that release left them: a release, one by hand, one of each that is in hand, and one that is over.
  const [due, manual, submitting, unconfirmed, over] = gates(5);
  await superuser.query("SET session_replication_role = replica");
  await superuser.query(
    `INSERT INTO transmission (gate_id, task_id, practice_id, action, is_manual, phase, attempt, released_at, claimable_at, payer_host, lease_until)
     SELECT gate, gen_random_uuid(), 'p1', 'transmit', manual, phase, 0, now(), now(), 'payer.test', CASE phase WHEN 'submitting' THEN now() END
       FROM unnest($1::uuid[], $2::boolean[], $3::text[]) AS given (gate, manual, phase)`,
    [
      [due, manual, submitting, unconfirmed, over],
      [false, true, false, false, false],
      ["released", "released", "submitting", "unconfirmed", "done"],
    ],
  );
  await superuser.query(
    "INSERT INTO practice_key (practice_id, use, version, wrapped, wrapped_by) VALUES (':service', 'seal', 1, '\\x00', 'k')",
  );
  await superuser.query("SET session_replication_role = origin");
  await migrate({ ...database, folder: "prisma/migrations" });
  const { rows } = await superuser.query(
    `SELECT (SELECT array_agg(gate_id::text) FROM release_due) AS due,
            (SELECT array_agg(gate_id::text || ' ' || phase || ' ' || (lease_until IS NOT NULL) ORDER BY phase) FROM submission_in_hand) AS in_hand,
            (SELECT written_from > now() + interval '23 hours' FROM seal_format WHERE format = 4) AS later`,
  );
  expect(rows).toEqual([
    { due: [due], in_hand: [`${submitting} submitting true`, `${unconfirmed} unconfirmed false`], later: true },
  ]);
}, 60_000);
