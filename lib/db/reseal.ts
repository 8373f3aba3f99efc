import type { Store } from "./db.ts";
import { isUnavailable } from "./unavailable.ts";
import { firstKey, keyTexts, type RowKey, windowEnd } from "./key-window.ts";
import { keep } from "./archive-closed.ts";
import { referenceFormat, sealedValue } from "./archived.ts";
import { currentFormats, headOf } from "./seal.ts";
import { sealedColumns, type SealedColumn } from "./sealed-columns.ts";

type Row = { readonly practice_id: string; readonly key: RowKey; readonly value: Uint8Array };
type NewSeal = { readonly key: RowKey; readonly old: Uint8Array; readonly fresh: Uint8Array };
type Heads = { readonly practices: readonly string[]; readonly heads: readonly Uint8Array[] };

/** Bytes a batch may hold at once stay modest: a file is up to some megabytes. */
const batchOf = ({ large }: SealedColumn) => (large ? 10 : 200);

/** A value that does not open, or that the archive lost, and so stays as it is. */
export type UnopenedValue = { readonly practiceId: string; readonly column: string; readonly row: string };

export type ResealReport = { readonly resealed: number; readonly unopened: readonly UnopenedValue[] };

/**
 * Seals anew what these practices have under an older key or in the earlier format; how many values, and which of them
 * it could not because they do not open: those stop no other. It may be ended at
 * any moment and begun again: what is done is seen on each value, every batch stands by itself, and a value that
 * changed since it was read is left as it is. It waits for no one: what somebody holds is come back to. What is in the
 * archive is fetched, sealed anew and put there beside the old one, which stays.
 */
export async function resealValues(store: Store, practices: readonly string[]): Promise<ResealReport> {
  await store.keys.ready(practices);
  await store.keys.reload();
  const heads = practices.map((id) => headOf(store.keys.sealing(id).version));
  let resealed = 0;
  const unopened: UnopenedValue[] = [];
  for (const column of sealedColumns) {
    const done = await resealColumn(store, column, { practices, heads });
    resealed += done.resealed;
    unopened.push(...done.unopened);
  }
  return { resealed, unopened };
}

/** Over and over until a pass finds nothing left that opens; what is held meanwhile, the next pass has. */
async function resealColumn(store: Store, column: SealedColumn, of: Heads): Promise<ResealReport> {
  let resealed = 0;
  for (;;) {
    const pass = await passOver(store, column, of);
    resealed += pass.moved;
    if (pass.found === 0) return { resealed, unopened: pass.unopened };
    if (pass.moved === 0) await store.pool.query("SELECT pg_sleep(0.1)");
  }
}

type Pass = { found: number; moved: number; readonly unopened: UnopenedValue[] };

async function passOver(store: Store, column: SealedColumn, of: Heads): Promise<Pass> {
  const pass: Pass = { found: 0, moved: 0, unopened: [] };
  let after = firstKey(column.key);
  for (let end = await windowEnd(store, column, after); end; end = await windowEnd(store, column, after)) {
    for (;;) {
      const rows = await olderValues(store, column, { ...of, after, end });
      await resealRows(store, column, { rows, pass });
      after = rows.at(-1)?.key ?? end;
      if (rows.length < batchOf(column)) break;
    }
    after = end;
  }
  return pass;
}

async function resealRows(
  store: Store,
  column: SealedColumn,
  { rows, pass }: { readonly rows: readonly Row[]; readonly pass: Pass },
): Promise<void> {
  const seals: NewSeal[] = [];
  for (const row of rows) {
    try {
      seals.push(await resealed(store, column, row));
    } catch (error) {
      if (isUnavailable(error)) throw error;
      const name = `${column.table}.${column.column}`;
      pass.unopened.push({ practiceId: row.practice_id, column: name, row: row.key.join("/") });
    }
  }
  pass.found += seals.length;
  if (seals.length > 0) pass.moved += await replace(store, column, seals);
}

type Stretch = Heads & { readonly after: RowKey; readonly end: RowKey };

/** Of a value only its first bytes are read to see what sealed it: it may have megabytes. */
async function olderValues(
  { pool }: Store,
  column: SealedColumn,
  { practices, heads, after, end }: Stretch,
): Promise<readonly Row[]> {
  const names = Object.keys(column.key).map((name) => `t.${name}::text`);
  const { own, given } = keyTexts(column.key, 3);
  const last = keyTexts(column.key, 3 + after.length).given;
  const head = `substring(t.${column.column} FROM 1 FOR 5)`;
  const { rows } = await pool.query<Row>(
    `SELECT t.practice_id, ARRAY[${names.join(", ")}] AS key, t.${column.column} AS value
       FROM ${column.table} t JOIN unnest($1::text[], $2::bytea[]) n (practice_id, head) ON n.practice_id = t.practice_id
      WHERE t.${column.column} IS NOT NULL AND (get_byte(${head}, 0) NOT IN (${currentFormats}, ${referenceFormat})
             OR substring(${head} FROM 2 FOR 4) <> substring(n.head FROM 2 FOR 4))
        AND (${own}) > (${given}) AND (${own}) <= (${last})
      ORDER BY ${own} LIMIT ${batchOf(column)}`,
    [practices, heads, ...after, ...end],
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
