import { afterAll, expect, test } from "vitest";
import { aStore } from "#test/support/cases/cases";
import { taskTable } from "./task-columns.ts";

const store = aStore();
afterAll(() => store.close());

const typeNames: Readonly<Record<string, string>> = { int: "integer", timestamptz: "timestamp(6) with time zone" };

type Shape = { readonly type: string; readonly empty?: true; readonly oneOf?: readonly string[] };

test("the map of a task's columns has those of the database, each with its type and whether it may be empty", async () => {
  const { rows } = await store.pool.query<{ name: string; type: string; empty: boolean }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS empty FROM pg_attribute
      WHERE attrelid = 'task'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attname`,
  );
  const map = Object.entries<Shape>(taskTable).map(([name, { type, empty }]) => ({
    name,
    type: typeNames[type] ?? type,
    empty: empty === true,
  }));
  expect(map.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toEqual(rows);
});

test("a column that the database holds to certain words has these and no others in the map", async () => {
  const { rows } = await store.pool.query<{ name: string; rule: string }>(
    `SELECT a.attname AS name, pg_get_constraintdef(c.oid) AS rule FROM pg_constraint c
       JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
      WHERE c.conrelid = 'task'::regclass AND c.contype = 'c' AND cardinality(c.conkey) = 1
        AND pg_get_constraintdef(c.oid) LIKE '%ANY (ARRAY[%'`,
  );
  expect(rows.length).toBeGreaterThan(4);
  const map: Readonly<Record<string, Shape>> = taskTable;
  for (const { name, rule } of rows) {
    const values = [...rule.matchAll(/'([^']+)'::text/g)].map(([, word = ""]) => word);
    expect(new Set(map[name]?.oneOf), name).toEqual(new Set(values));
  }
});
