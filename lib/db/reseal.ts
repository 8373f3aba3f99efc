import type { Store } from "./db.ts";
import { keep } from "./archive-closed.ts";
import { referenceFormat, sealedValue } from "./archived.ts";
import { currentFormats, headOf } from "./seal.ts";
import { sealedColumns, type SealedColumn } from "./sealed-columns.ts";

type Row = { readonly practice_id: string; readonly key: readonly string[]; readonly value: Uint8Array };
type NewSeal = { readonly key: readonly string[]; readonly old: Uint8Array; readonly fresh: Uint8Array };
type Heads = { readonly practices: readonly string[]; readonly heads: readonly Uint8Array[] };

/** Bytes a batch may hold at once stay modest: a file is up to some megabytes. */
const batchOf = ({ large }: SealedColumn) => (large ? 10 : 200);

/**
 * Seals anew what these practices have under an older key or in the earlier format; how many values. It may be ended at
 * any moment and begun again: what is done is seen on each value, every batch stands by itself, and a value that
 * changed since it was read is left as it is. It waits for no one: what somebody holds is come back to. What is in the
 * archive is fetched, sealed anew and put there beside the old one, which stays.
 */
export async function resealValues(store: Store, practices: readonly string[]): Promise<number> {
  await store.keys.ready(practices);
  await store.keys.reload();
  const heads = practices.map((id) => headOf(store.keys.sealing(id).version));
  let moved = 0;
  for (const column of sealedColumns) moved += await resealColumn(store, column, { practices, heads });
  return moved;
}

/** Over and over until a pass finds nothing left; what is held meanwhile, the next pass has. */
async function resealColumn(store: Store, column: SealedColumn, of: Heads): Promise<number> {
  let moved = 0;
  for (;;) {
    const pass = await passOver(store, column, of);
    moved += pass.moved;
    if (pass.found === 0) return moved;
    if (pass.moved === 0) await store.pool.query("SELECT pg_sleep(0.1)");
  }
}

async function passOver(store: Store, column: SealedColumn, of: Heads): Promise<{ found: number; moved: number }> {
  let [found, moved] = [0, 0];
  let after: readonly string[] = Object.values(column.key).map((type) => (type === "uuid" ? nil : "-1"));
  for (;;) {
    const rows = await olderValues(store, column, { ...of, after });
    const last = rows.at(-1);
    if (!last) return { found, moved };
    found += rows.length;
    const seals: NewSeal[] = [];
    for (const row of rows) seals.push(await resealed(store, column, row));
    moved += await replace(store, column, seals);
    after = last.key;
  }
}

const nil = "00000000-0000-0000-0000-000000000000";

async function olderValues(
  { pool }: Store,
  column: SealedColumn,
  { practices, heads, after }: Heads & { readonly after: readonly string[] },
): Promise<readonly Row[]> {
  const names = Object.keys(column.key).map((name) => `t.${name}`);
  const from = Object.values(column.key).map((type, index) => `$${index + 3}::text::${type}`);
  const { rows } = await pool.query<Row>(
    `SELECT t.practice_id, ARRAY[${names.map((name) => `${name}::text`).join(", ")}] AS key, t.${column.column} AS value
       FROM ${column.table} t JOIN unnest($1::text[], $2::bytea[]) n (practice_id, head) ON n.practice_id = t.practice_id
      WHERE t.${column.column} IS NOT NULL AND (get_byte(t.${column.column}, 0) NOT IN (${currentFormats}, ${referenceFormat})
             OR substring(t.${column.column} FROM 2 FOR 4) <> substring(n.head FROM 2 FOR 4))
        AND (${names.join(", ")}) > (${from.join(", ")})
      ORDER BY ${names.join(", ")} LIMIT ${batchOf(column)}`,
    [practices, heads, ...after],
  );
  return rows;
}

async function resealed(
  store: Store,
  { table, column }: SealedColumn,
  { practice_id: practiceId, key, value }: Row,
): Promise<NewSeal> {
  const { sealer, archive } = store;
  const place = { table, column, row: key.join("/"), practiceId };
  const old = await sealedValue(store, practiceId, value);
  const fresh = sealer.seal(sealer.open(old, place), place);
  return { key, old: value, fresh: old !== value && archive ? await keep(archive, practiceId, fresh) : fresh };
}

async function replace({ pool }: Store, column: SealedColumn, values: readonly NewSeal[]): Promise<number> {
  const [olds, news] = [values.map(({ old }) => old), values.map(({ fresh }) => fresh)];
  const keys = Object.keys(column.key).map((_, index) => values.map(({ key }) => key[index]));
  if (column.fixed) {
    const { rows } = await pool.query<{ moved: number }>(column.fixed, [olds, news, ...keys]);
    return rows[0]?.moved ?? 0;
  }
  const { rowCount } = await pool.query(replaceText(column), [olds, news, ...keys]);
  return rowCount ?? 0;
}

function replaceText({ table, column, key }: SealedColumn): string {
  const names = Object.keys(key);
  const lists = Object.values(key).map((type, index) => `$${index + 3}::${type}[]`);
  const same = (left: string, right: string) => names.map((name) => `${left}.${name} = ${right}.${name}`).join(" AND ");
  return `
    WITH given AS (
      SELECT * FROM unnest($1::bytea[], $2::bytea[], ${lists.join(", ")}) given (old, new, ${names.join(", ")})
    ), free AS (
      SELECT ${names.map((name) => `t.${name}`).join(", ")}, given.new FROM ${table} t JOIN given ON ${same("given", "t")}
       WHERE t.${column} = given.old FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE ${table} t SET ${column} = free.new FROM free WHERE ${same("free", "t")}`;
}
