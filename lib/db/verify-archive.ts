import { fetchArchived, ArchivedValueLostError, isArchived, referenceOf } from "./archived.ts";
import type { Store } from "./db.ts";
import { firstKey, type RowKey, windowEnd } from "./key-window.ts";
import { type SealedColumn, sealedColumns } from "./sealed-columns.ts";

/** A reference to an object that is not there, or not the one that was put there. */
export type ArchiveFault = {
  readonly practiceId: string;
  readonly taskId: string;
  /** Where the reference stands: table and column, and the row's id. */
  readonly column: string;
  readonly id: string;
  readonly digest: string;
  readonly problem: ArchivedValueLostError["problem"];
};

export type ArchiveReport = {
  readonly values: number;
  readonly bytes: number;
  readonly faults: readonly ArchiveFault[];
};

type Row = { readonly id: string; readonly practiceId: string; readonly taskId: string; readonly value: Uint8Array };

/** Objects that are asked for at once. */
const atOnce = 8;

const columns = sealedColumns.filter(({ archived }) => archived === true);

/**
 * Reads each object that anything refers to and compares it with its digest. It reads as much as the archive has, and fails
 * with `ArchiveAwayError` where that is not at hand.
 */
export async function verifyArchive(
  store: Store,
  { practiceId }: { practiceId?: string | undefined },
): Promise<ArchiveReport> {
  let [values, bytes] = [0, 0];
  const faults: ArchiveFault[] = [];
  for (const column of columns) {
    let after = firstKey(column.key);
    for (let end = await windowEnd(store, column, after); end; end = await windowEnd(store, column, after)) {
      const rows = await references(store, column, { practiceId, after, end });
      after = end;
      for (let from = 0; from < rows.length; from += atOnce) {
        const some = rows.slice(from, from + atOnce);
        const found = await Promise.all(some.map((row) => faultOf(store, column, row)));
        faults.push(...found.filter((fault) => fault !== undefined));
      }
      values += rows.length;
      bytes += rows.reduce((sum, { value }) => sum + (referenceOf(value)?.bytes ?? 0), 0);
    }
  }
  return { values, bytes, faults };
}

async function references(
  { pool }: Store,
  { table, column }: SealedColumn,
  { practiceId, after, end }: { readonly practiceId: string | undefined; readonly after: RowKey; readonly end: RowKey },
): Promise<readonly Row[]> {
  const { rows } = await pool.query<Row>({
    name: `archive-references-${table}`,
    text: `SELECT id, practice_id AS "practiceId", task_id AS "taskId", ${column} AS value FROM ${table}
            WHERE ${isArchived(column)} AND id > $1::uuid AND id <= $3::uuid AND ($2::text IS NULL OR practice_id = $2) ORDER BY id`,
    values: [after[0], practiceId ?? null, end[0]],
  });
  return rows;
}

async function faultOf(
  { archive }: Store,
  { table, column }: SealedColumn,
  { id, practiceId, taskId, value }: Row,
): Promise<ArchiveFault | undefined> {
  const reference = referenceOf(value);
  if (!reference) return undefined;
  try {
    await fetchArchived(archive, practiceId, reference);
    return undefined;
  } catch (error) {
    if (!(error instanceof ArchivedValueLostError)) throw error;
    const { problem } = error;
    return { practiceId, taskId, column: `${table}.${column}`, id, digest: reference.digest, problem };
  }
}

/** How far archiving has come, as the workers counted it. */
export type ArchiveStanding = {
  readonly values: number;
  readonly bytes: number;
  readonly practices: number;
  /** Practices of which cases are due and not archived, and when the oldest of those closed. */
  readonly behind: number;
  readonly oldestAt: Date | null;
  /** Cases that could not be archived though others could. */
  readonly failing: number;
};

export async function archiveStanding({ pool }: Store): Promise<ArchiveStanding> {
  const { rows } = await pool.query<ArchiveStanding>({
    name: "archive-standing",
    text: `SELECT coalesce(sum(moved_values), 0)::float8 AS values, coalesce(sum(moved_bytes), 0)::float8 AS bytes,
             count(*)::int AS practices, count(oldest_at)::int AS behind, min(oldest_at) AS "oldestAt",
             (SELECT count(*) FROM archive_failure)::int AS failing FROM archive_progress`,
  });
  const [row] = rows;
  return row ?? { values: 0, bytes: 0, practices: 0, behind: 0, oldestAt: null, failing: 0 };
}
