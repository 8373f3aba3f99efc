import pg from "pg";
import { pino } from "pino";
import { archiveClosedCases } from "#lib/db/archive-closed";
import type { Store } from "#lib/db/db";
import { anArchive } from "#test/support/servers/archives";
import { table } from "../../test/rig/report.ts";

/** The setting's own value, and its least. */
const bytesMins = [512, 64] as const;

const tables = ["gate", "payer_event", "message", "attachment"] as const;

type Sizes = Readonly<Record<string, number>>;

/**
 * What closed cases take in the database before and after their large values are archived, each packed by `VACUUM FULL`
 * as a database at rest is, and what they then take in the archive. First with the values that go by the setting's own
 * least length, then with the small ones too.
 */
export async function sayArchived(store: Store, { url, cases }: { readonly url: string; readonly cases: number }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const archive = await anArchive();
  try {
    const before = await sizesOf(client);
    const [head, moved, log]: [string[], string[], string[]] = [["KB a case", "in the database"], [], []];
    const columns: Sizes[] = [before];
    for (const bytesMin of bytesMins) {
      const [from, began] = [await logEnd(client), performance.now()];
      await client.query("UPDATE archive_progress SET due_at = clock_timestamp(), closed_at = 'epoch', task_id = $1", [
        "00000000-0000-0000-0000-000000000000",
      ]);
      const whole = { ...store, archive: archive.store };
      await archiveClosedCases(whole, { log: pino({ enabled: false }), afterDays: 0, bytesMin });
      const ms = (performance.now() - began) / cases;
      const wal = await client.query<{ bytes: number }>("SELECT (pg_current_wal_lsn() - $1::pg_lsn)::float8 AS bytes", [
        from,
      ]);
      columns.push(await sizesOf(client));
      const { rows } = await client.query<{ objects: number; bytes: number }>(
        "SELECT sum(moved_values)::float8 AS objects, sum(moved_bytes)::float8 AS bytes FROM archive_progress",
      );
      const { objects = 0, bytes = 0 } = rows[0] ?? {};
      head.push(`values of ${bytesMin} bytes and more archived`);
      moved.push(`${kb(bytes, cases)} in ${(objects / cases).toFixed(2)} objects`);
      log.push(`${kb(wal.rows[0]?.bytes ?? 0, cases)}, ${ms.toFixed(0)} ms`);
    }
    const rows = [...tables, "all tables and indexes"].map((name) => [
      name,
      ...columns.map((sizes) => kb(sizes[name] ?? 0, cases)),
    ]);
    rows.push(["in the archive", "0", ...moved], ["write-ahead log and time of archiving", "", ...log]);
    process.stdout.write(`\n${table(head, rows)}\n`);
  } finally {
    await client.end();
    await archive.stop();
  }
}

async function logEnd(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ lsn: string }>("SELECT pg_current_wal_lsn()::text AS lsn");
  return rows[0]?.lsn ?? "0/0";
}

async function sizesOf(client: pg.Client): Promise<Sizes> {
  await client.query("VACUUM FULL");
  const { rows } = await client.query<{ name: string; bytes: number }>(
    "SELECT relname AS name, pg_total_relation_size(relid)::float8 AS bytes FROM pg_stat_user_tables",
  );
  const all = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  return { ...Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes])), "all tables and indexes": all };
}

const kb = (bytes: number, cases: number) => (bytes / cases / 1_024).toFixed(2);
