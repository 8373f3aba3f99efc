import pg from "pg";
import { sealedColumns } from "#lib/db/sealed-columns";

type TableCount = { readonly inserted: number; readonly updated: number; readonly hot: number; readonly bytes: number };
type IndexCount = { readonly table: string; readonly scans: number; readonly bytes: number };

/** What Postgres has counted so far. */
export type Counters = {
  /** Where the write-ahead log ends. */
  readonly lsn: string;
  readonly tables: ReadonlyMap<string, TableCount>;
  readonly indexes: ReadonlyMap<string, IndexCount>;
};

export async function countersOf(url: string): Promise<Counters> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const wal = await client.query<{ lsn: string }>("SELECT pg_current_wal_flush_lsn()::text AS lsn");
    const tables = await client.query<{ name: string } & Record<keyof TableCount, string>>(
      `SELECT relname AS name, n_tup_ins AS inserted, n_tup_upd AS updated, n_tup_hot_upd AS hot,
              pg_total_relation_size(relid) AS bytes FROM pg_stat_user_tables`,
    );
    const indexes = await client.query<{ name: string; table: string; scans: string; bytes: string }>(
      `SELECT indexrelname AS name, relname AS "table", idx_scan AS scans, pg_relation_size(indexrelid) AS bytes
         FROM pg_stat_user_indexes`,
    );
    return {
      lsn: wal.rows[0]?.lsn ?? "",
      tables: new Map(
        tables.rows.map(({ name, inserted, updated, hot, bytes }) => [
          name,
          { inserted: Number(inserted), updated: Number(updated), hot: Number(hot), bytes: Number(bytes) },
        ]),
      ),
      indexes: new Map(
        indexes.rows.map((row) => [row.name, { table: row.table, scans: Number(row.scans), bytes: Number(row.bytes) }]),
      ),
    };
  } finally {
    await client.end();
  }
}

type Figures = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

const nothing: TableCount = { inserted: 0, updated: 0, hot: 0, bytes: 0 };

/** A row for each table that grew or changed, the largest first, and their sum. */
export function costsOf(before: Counters, after: Counters, cases: number): Figures {
  const grown = [...after.tables].map(([name, now]) => {
    const was = before.tables.get(name) ?? nothing;
    const of = (key: keyof TableCount) => now[key] - was[key];
    return { name, inserted: of("inserted"), updated: of("updated"), hot: of("hot"), bytes: of("bytes") };
  });
  const sum = grown.reduce(
    (all, one) => ({
      ...{ name: "all", inserted: all.inserted + one.inserted, updated: all.updated + one.updated },
      ...{ hot: all.hot + one.hot, bytes: all.bytes + one.bytes },
    }),
    { name: "all", ...nothing },
  );
  const some = grown.filter((one) => one.inserted + one.updated > 0 || one.bytes > 0);
  const rows = [...some.toSorted((one, other) => other.bytes - one.bytes), sum].map((one) => [
    ...[one.name, each(one.inserted, cases), each(one.updated, cases)],
    one.updated === 0 ? "" : `${Math.round((100 * one.hot) / one.updated)} %`,
    kb(one.bytes, cases),
  ]);
  return { head: ["table", "rows a case", "updates a case", "of them HOT", "KB a case"], rows };
}

/** The write-ahead log between the two by the table or index it is about, the most first; the rest is about no page. */
export async function walOf(url: string, before: Counters, after: Counters, cases: number): Promise<Figures> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("CREATE EXTENSION IF NOT EXISTS pg_walinspect");
    const { rows } = await client.query<{ name: string; records: number; bytes: string; pages: string }>(
      `WITH whole AS (SELECT $2::pg_lsn - $1::pg_lsn AS bytes),
       blocks AS (
         SELECT coalesce(pg_filenode_relation(CASE WHEN reltablespace = 1663 THEN 0 ELSE reltablespace END, relfilenode)::text, 'another') AS name,
                record_length::float8 / count(*) OVER (PARTITION BY start_lsn) AS bytes, coalesce(block_fpi_length, 0) AS page
           FROM pg_get_wal_block_info($1::pg_lsn, $2::pg_lsn)),
       parts AS (SELECT name, count(*)::int AS records, sum(bytes) AS bytes, sum(page) AS pages FROM blocks GROUP BY name)
       SELECT * FROM parts
        UNION ALL SELECT 'rest', 0, (SELECT bytes FROM whole) - sum(bytes), 0 FROM parts
        UNION ALL SELECT 'all', sum(records)::int, (SELECT bytes FROM whole), sum(pages) FROM parts
        ORDER BY bytes DESC LIMIT 40`,
      [before.lsn, after.lsn],
    );
    return {
      head: ["write-ahead log of", "changes a case", "KB a case", "of it whole pages"],
      rows: rows.map(({ name, records, bytes, pages }) => [
        ...[name, each(records, cases), kb(Number(bytes), cases), kb(Number(pages), cases)],
      ]),
    };
  } finally {
    await client.end();
  }
}

/** Indexes that grew: how much for a case, and whether anything read them. */
export function indexesOf(before: Counters, after: Counters, cases: number): Figures {
  const rows = [...after.indexes]
    .map(([name, index]) => {
      const was = before.indexes.get(name);
      const grown = { bytes: index.bytes - (was?.bytes ?? 0), scans: index.scans - (was?.scans ?? 0) };
      return { name, table: index.table, ...grown };
    })
    .filter(({ table, bytes }) => table === "task" || bytes / cases > indexBytesMin)
    .toSorted((one, other) => other.bytes - one.bytes)
    .map(({ name, bytes, scans }) => [name, kb(bytes, cases), each(scans, cases)]);
  return { head: ["index", "KB a case", "reads a case"], rows };
}

/** Bytes a case, from which on an index of another table than `task` is shown. */
const indexBytesMin = 40;

/** What is sealed: how many values of each column, and how long one is. */
export async function sealedOf(url: string, cases: number): Promise<Figures> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const rows: string[][] = [];
    for (const { table, column } of sealedColumns) {
      const { rows: found } = await client.query<{ count: number; bytes: number }>(
        `SELECT count(*)::int AS count, coalesce(avg(octet_length(${column})), 0)::int AS bytes FROM ${table} WHERE ${column} IS NOT NULL`,
      );
      const [{ count, bytes } = { count: 0, bytes: 0 }] = found;
      if (count > cases / 4) rows.push([`${table}.${column}`, each(count, cases), String(bytes)]);
    }
    return { head: ["sealed column", "values a case, those before counted too", "bytes each"], rows };
  } finally {
    await client.end();
  }
}

const each = (count: number, cases: number) => (count / cases).toFixed(2);
const kb = (bytes: number, cases: number) => (bytes / cases / 1_024).toFixed(2);
