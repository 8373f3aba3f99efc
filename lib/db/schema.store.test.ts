import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SchemaEngine } from "@prisma/schema-engine-wasm";
import pg from "pg";
import { expect, test } from "vitest";
import { dropClone, freshDatabase, testDatabase } from "#test/support/database/fresh-database";

const path = "prisma/schema.prisma";
const same = "-- This is an empty migration.";

test("prisma/schema.prisma and the migrations describe the same tables", async () => {
  expect(await migrationTo(testDatabase.ownerUrl)).toBe(same);
});

test.each([
  ["a column too many", "ALTER TABLE practice ADD COLUMN nickname TEXT", 'DROP COLUMN "nickname"'],
  [
    "a column that may be empty",
    "ALTER TABLE task ALTER COLUMN stage DROP NOT NULL",
    'ALTER COLUMN "stage" SET NOT NULL',
  ],
  ["a lost index", "DROP INDEX gate_open_expires_at_idx", 'CREATE INDEX "gate_open_expires_at_idx"'],
  [
    "an index over other rows",
    "DROP INDEX task_urgent_idx; CREATE INDEX task_urgent_idx ON task (practice_id, due_at, id) WHERE urgent",
    'CREATE INDEX "task_urgent_idx"',
  ],
  ["a lost foreign key", "ALTER TABLE vote DROP CONSTRAINT vote_gate_id_fkey", 'ADD CONSTRAINT "vote_gate_id_fkey"'],
  ["a lost table", "DROP TABLE sign_in_failure", 'CREATE TABLE "sign_in_failure"'],
])("%s would be found", async (_, sql, mended) => {
  const database = await freshDatabase();
  await withClient(database.ownerUrl, (client) => client.query(sql));
  expect(await migrationTo(database.ownerUrl)).toContain(mended);
  await dropClone(database);
});

test("every table and every function of the database says what it is for, as psql shows it", async () => {
  const { rows } = await withClient(testDatabase.ownerUrl, (client) =>
    client.query(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> '_prisma_migrations'
          AND obj_description(oid, 'pg_class') IS NULL
       UNION ALL
       SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND obj_description(oid, 'pg_proc') IS NULL`,
    ),
  );
  expect(rows).toEqual([]);
});

test("every index that a migration makes names the query it serves", () => {
  const folder = "prisma/migrations";
  const migrations = readdirSync(folder).filter((name) => existsSync(join(folder, name, "migration.sql")));
  const silent = migrations.flatMap((name) => {
    const lines = readFileSync(join(folder, name, "migration.sql"), "utf8").split("\n");
    return lines.filter(
      (line, index) => /^CREATE (UNIQUE )?INDEX/.test(line) && !lines[index - 1]?.startsWith("-- serves: "),
    );
  });
  expect(silent).toEqual([]);
});

/** What Prisma itself would run to bring this database to prisma/schema.prisma. It sees no CHECK, function or trigger. */
async function migrationTo(url: string): Promise<string> {
  const content = readFileSync(path, "utf8");
  const files = [{ path, content }];
  return await withClient(url, async (client) => {
    const engine = await SchemaEngine.new({ datamodels: [[path, content]] }, () => {}, adapterOn(client));
    const { stdout } = await engine.diff({
      from: { tag: "schemaDatasource", files, configDir: "prisma" },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return (stdout ?? "").trim();
  });
}

/** Only what the engine asks of a driver to read a catalog; `PrismaPg` fails on the catalog's "char" columns. */
function adapterOn(client: pg.Client): object {
  const driver = { provider: "postgres", adapterName: "pg" };
  const connection = {
    ...driver,
    queryRaw: (query: Query) => readCatalog(client, query),
    dispose: async () => done(undefined),
  };
  return { ...driver, connect: async () => done(connection) };
}

type Query = { readonly sql: string; readonly args: unknown[] };

async function readCatalog(client: pg.Client, { sql, args }: Query) {
  const { fields, rows } = await client.query({ text: sql, values: args, rowMode: "array" });
  return done({
    columnNames: fields.map(({ name }) => name),
    columnTypes: fields.map(({ dataTypeID }) => columnTypeByOid[dataTypeID] ?? columnType.text),
    rows,
  });
}

/** The engine's numbers for the types of a column. */
const columnType = { int32: 0, int64: 1, boolean: 5, character: 6, text: 7, textArray: 71 };

const columnTypeByOid: Readonly<Record<number, number>> = {
  [pg.types.builtins.BOOL]: columnType.boolean,
  [pg.types.builtins.CHAR]: columnType.character,
  [pg.types.builtins.INT2]: columnType.int32,
  [pg.types.builtins.INT4]: columnType.int32,
  [pg.types.builtins.INT8]: columnType.int64,
  [pg.types.builtins.OID]: columnType.int64,
  1009: columnType.textArray,
};

function done<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

async function withClient<Value>(connectionString: string, use: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
