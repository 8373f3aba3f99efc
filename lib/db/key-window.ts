import type { Store } from "./db.ts";

/** Columns that name a row, with their types, in the order of the table's primary key. */
export type KeyColumns = Readonly<Record<string, "uuid" | "int">>;

export type RowKey = readonly string[];

/** How many rows one statement looks through, however few of them it finds something in. */
const windowRows = 2_000;

const nil = "00000000-0000-0000-0000-000000000000";

/** A key before that of every row. */
export function firstKey(key: KeyColumns): RowKey {
  return Object.values(key).map((type) => (type === "uuid" ? nil : "-1"));
}

/** SQL: the key of the row `t`, and a key given by the parameters from `$from` on. */
export function keyTexts(key: KeyColumns, from: number): { readonly own: string; readonly given: string } {
  const own = Object.keys(key).map((name) => `t.${name}`);
  const given = Object.values(key).map((type, index) => `$${index + from}::text::${type}`);
  return { own: own.join(", "), given: given.join(", ") };
}

/**
 * The key at the end of the next rows of a table; undefined where there are none. What is looked for in a large table
 * without an index of it is looked for in one such part after the other, so that no statement reads the whole table.
 */
export async function windowEnd(
  { pool }: Store,
  { table, key }: { readonly table: string; readonly key: KeyColumns },
  after: RowKey,
): Promise<RowKey | undefined> {
  const names = Object.keys(key);
  const { own, given } = keyTexts(key, 1);
  const { rows } = await pool.query<{ key: RowKey }>(
    `SELECT ARRAY[${names.map((name) => `w.${name}::text`).join(", ")}] AS key
       FROM (SELECT ${own} FROM ${table} t WHERE (${own}) > (${given}) ORDER BY ${own} LIMIT ${windowRows}) w
      ORDER BY ${names.map((name) => `w.${name} DESC`).join(", ")} LIMIT 1`,
    [...after],
  );
  return rows[0]?.key;
}
