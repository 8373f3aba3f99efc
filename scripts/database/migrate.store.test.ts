import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "#test/support/database/fresh-database";
import { migrate } from "./migrate.ts";

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await freshDatabase();
  // Its history is that of the folder alone.
  await ask(database.ownerUrl, "DELETE FROM _prisma_migrations");
  folder = mkdtempSync(join(tmpdir(), "migrations-"));
  write("1_first", "CREATE TABLE note (id int); CREATE FUNCTION one() RETURNS int LANGUAGE sql AS $$ SELECT 1; $$;");
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("a migration is applied once, and again changes nothing", async () => {
  expect(await run()).toEqual(["1_first"]);
  expect(await run()).toEqual([]);
  write("2_second", "ALTER TABLE note ADD text text");
  expect(await run()).toEqual(["2_second"]);
});

test("two starts at once apply a migration once", async () => {
  const applied = await Promise.all([run(), run(), run()]);
  expect(applied.flat()).toEqual(["1_first"]);
});

test("a statement that fails leaves nothing behind and says where; those before it stay, and the corrected migration goes on after them", async () => {
  write(
    "2_broken",
    "CREATE TABLE half (id int);\n-- what is wrong\nINSERT INTO half\nVALUES (1, 2);\nCREATE TABLE last (id int);",
  );
  await expect(run()).rejects.toThrow(/2_broken failed in its statement on line 4 .*more expressions/);
  const tables = "SELECT to_regclass('half')::text AS half, to_regclass('last')::text AS last";
  expect(await ask(database.ownerUrl, tables)).toEqual([{ half: "half", last: null }]);
  write("2_broken", "CREATE TABLE other (id int);\nINSERT INTO half VALUES (1);\nCREATE TABLE last (id int);");
  await expect(run()).rejects.toThrow(/2_broken stopped after its statement 1, and what it had applied was edited/);
  write("2_broken", "CREATE TABLE half (id int);\nINSERT INTO half VALUES (1);\nCREATE TABLE last (id int);");
  expect(await run()).toEqual(["2_broken"]);
  expect(await ask(database.ownerUrl, tables)).toEqual([{ half: "half", last: "last" }]);
  expect(await run()).toEqual([]);
});

test("a file that is no SQL is refused before anything of it is applied", async () => {
  write("2_broken", "CREATE TABLE half (id int);\nCREATE TABEL other (id int);");
  await expect(run()).rejects.toThrow(/2_broken cannot be read \(.*TABEL.*, line 2\), and nothing was changed/);
  expect(await ask(database.ownerUrl, "SELECT to_regclass('half') AS half")).toEqual([{ half: null }]);
});

test("what Postgres does in no transaction is done so, and an index it was cut short in is made again", async () => {
  await run();
  write("2_index", "CREATE INDEX CONCURRENTLY note_id_idx ON note (id);\nCOMMENT ON INDEX note_id_idx IS 'n';");
  await ask(database.ownerUrl, "INSERT INTO note VALUES (1), (1)");
  write("2_index", "CREATE UNIQUE INDEX CONCURRENTLY note_id_idx ON note (id);\nCOMMENT ON INDEX note_id_idx IS 'n';");
  await expect(run()).rejects.toThrow(/could not create unique index/);
  const valid = "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'note_id_idx'::regclass";
  expect(await ask(database.ownerUrl, valid)).toEqual([{ valid: false }]);
  await ask(database.ownerUrl, "DELETE FROM note");
  expect(await run()).toEqual(["2_index"]);
  expect(await ask(database.ownerUrl, valid)).toEqual([{ valid: true }]);
});

test("an applied migration that was edited is refused", async () => {
  await run();
  write("1_first", "CREATE TABLE other (id int)");
  await expect(run()).rejects.toThrow(/1_first was edited/);
});

describe("on a database from before the baseline", () => {
  beforeEach(async () => {
    await ask(
      database.ownerUrl,
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
       VALUES ('1', 'abc', '20261120000000_initial', now()), ('2', 'def', '20261121030000_route_settings', now())`,
    );
  });

  test("no migration is applied, nothing changes, and the way to start anew is told", async () => {
    const before = await standing();
    await expect(migrate({ ...database, folder, startAnew: "Delete it." })).rejects.toThrow(
      /from before the first release.*nothing in it was changed\. Delete it\./,
    );
    await expect(migrate(database)).rejects.toThrow(
      /DROP DATABASE "clone_\w+"; CREATE DATABASE "clone_\w+" OWNER "test_owner"; .*submission-ledger/,
    );
    expect(await standing()).toEqual(before);
  });

  test("the operator's command line runs no command and tells the way to start anew", async () => {
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: process.env.NODE_ENV,
      DATABASE_URL: database.ownerUrl,
      DATA_DIR: folder,
      ...Object.fromEntries(
        ["SEALING_KEY", "NEXTAUTH_SECRET", "RECEIPT_SIGNING_KEY", "CHANNEL_KEY_PEPPER"].map((name) => [
          name,
          Buffer.alloc(32, name).toString("base64"),
        ]),
      ),
    };
    const args = ["scripts/start/with-environment.mjs", "lib/cli/main.ts", "practice", "list"];
    const ran = promisify(execFile)(process.execPath, args, { env });
    await expect(ran).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/from before the first release.*DROP DATABASE/),
    });
  });

  async function standing(): Promise<unknown> {
    return await ask(
      database.ownerUrl,
      `SELECT (SELECT json_agg(m ORDER BY migration_name) FROM _prisma_migrations m) AS applied,
              (SELECT json_agg(relname ORDER BY relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace) AS tables`,
    );
  }
});

test("the application's role can use tables and change no schema", async () => {
  await run();
  expect(await ask(database.appUrl, "INSERT INTO note VALUES (1) RETURNING one() AS one")).toEqual([{ one: 1 }]);
  for (const sql of [
    "CREATE TABLE mine (id int)",
    "CREATE TEMP TABLE mine (id int)",
    "DROP TABLE note",
    "TRUNCATE note",
    "SELECT * FROM _prisma_migrations",
  ])
    await expect(ask(database.appUrl, sql), sql).rejects.toThrow(/permission denied|must be owner/);
});

test("the application's role can read the audit table and change nothing in it", async () => {
  write("2_audit", "CREATE TABLE IF NOT EXISTS audit_entry (id int)");
  await run();
  expect(await ask(database.appUrl, "SELECT count(*)::int AS count FROM audit_entry")).toEqual([{ count: 0 }]);
  for (const sql of ["DELETE FROM audit_entry", "TRUNCATE audit_entry", "INSERT INTO audit_entry DEFAULT VALUES"])
    await expect(ask(database.appUrl, sql), sql).rejects.toThrow(/permission denied/);
});

test("a role that could pass by the audit's protection is refused", async () => {
  await expect(migrate({ ownerUrl: database.ownerUrl, appUrl: database.ownerUrl, folder })).rejects.toThrow(
    /name a role of its own/,
  );
});

test("a wrong password of a role that a service uses is refused, and the service can still log in", async () => {
  const service = new pg.Client({ connectionString: database.appUrl });
  await service.connect();
  const appUrl = new URL(database.appUrl);
  appUrl.password = "another";
  await expect(migrate({ ...database, appUrl: appUrl.href, folder })).rejects.toThrow(/correct the password/);
  await service.end();
  expect(await ask(database.appUrl, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

async function run(): Promise<readonly string[]> {
  return await migrate({ ...database, folder });
}

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "migration.sql"), sql);
}

async function ask(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
