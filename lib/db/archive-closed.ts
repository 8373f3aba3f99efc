import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { instruments } from "#lib/platform/metrics/instruments";
import { ArchiveAwayError, notGivenBack, type ObjectStore } from "./object-store.ts";
import { assert } from "#lib/platform/result";
import { countFailures, dropFailure, dueFailures, noteFailure } from "./archive-failures.ts";
import { objectName, referenceOf, referenceTo } from "./archived.ts";
import type { Store } from "./db.ts";
import { acrossPractices, forPractices } from "./for-practices.ts";
import { currentFormats } from "./seal.ts";
import { type SealedColumn, sealedColumns } from "./sealed-columns.ts";

type Options = {
  readonly log: Pick<Logger, "info" | "warn">;
  /** How long ago a case must have closed, without a change since. */
  readonly afterDays: number;
  /** Sealed values shorter than this stay. */
  readonly bytesMin: number;
  readonly signal?: AbortSignal | undefined;
  /** Called between an object's arrival in the archive and the reference to it, for tests that stop there. */
  readonly onKept?: (() => void | Promise<void>) | undefined;
};

type ArchiveWork = Options & { readonly store: Store; readonly archive: ObjectStore };

/** A closed case, and when it closed as the database writes it, to the microsecond. */
type ClosedCase = { readonly id: string; readonly closedAt: string };

type Place = { readonly practiceId: string; readonly closedAt: string; readonly taskId: string };

/** Cases that one batch archives, and how many of them at once. */
const batch = { cases: 50, atOnce: 4 };

/** Batches of one round, so that a worker that is told to end does. */
const batchesMax = 20;

/**
 * One round: of the practices that have waited longest, brings the large values of cases that closed long ago to the
 * archive, oldest first. Each is put there, read back and compared before one statement replaces it by its reference, if it
 * is still the same and the case still closed. So whatever ends it leaves at worst an object that nothing refers to. A case
 * that fails while the archive takes others is noted, comes back after growing waits, and holds up no other. Any number of
 * workers may run it. Nothing is ever deleted from the archive.
 */
export async function archiveClosedCases(whole: Store, options: Options): Promise<void> {
  const { archive } = whole;
  assert(archive, "values are archived where there is an archive");
  const across = acrossPractices(whole, "archive");
  await across.pool.query(newPracticesText);
  for (let batches = 0; batches < batchesMax && options.signal?.aborted !== true; batches += 1) {
    const place = await claimPractice(across);
    if (!place) break;
    const archiving = { ...options, archive, store: forPractices(whole, [place.practiceId]) };
    if (!(await archiveBatch(archiving, place))) break;
  }
  instruments().archiveOldest.set(await oldestDueS(across, options));
  instruments().archiveFailing.set(await countFailures(across));
}

const newPracticesText = `INSERT INTO archive_progress (practice_id)
  SELECT id FROM practice p WHERE NOT EXISTS (SELECT FROM archive_progress a WHERE a.practice_id = p.id)
  ON CONFLICT DO NOTHING`;

/** For how long a worker has a practice, when it is looked at again after all is done, and after a failure. */
const [claimedFor, doneFor, failedFor] = ["5 minutes", "1 hour", "1 minute"];

async function claimPractice({ pool }: Store): Promise<Place | undefined> {
  const { rows } = await pool.query<Place>({
    name: "archive-claim",
    text: `UPDATE archive_progress SET due_at = clock_timestamp() + interval '${claimedFor}'
      WHERE practice_id = (SELECT practice_id FROM archive_progress WHERE due_at <= clock_timestamp()
                            ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING practice_id AS "practiceId", closed_at::text AS "closedAt", task_id AS "taskId"`,
  });
  return rows[0];
}

/** False where the archive failed: then the others wait too. */
async function archiveBatch(archiving: ArchiveWork, place: Place): Promise<boolean> {
  const moved = { values: 0, bytes: 0 };
  if (!(await retryFailures(archiving, place, moved))) {
    await saveProgress(archiving, place, { last: undefined, moved, next: failedFor });
    return false;
  }
  const cases = await nextCases(archiving, place);
  const [first] = cases;
  if (first) await noteOldest(archiving.store, place, first);
  let last: ClosedCase | undefined;
  for (let from = 0; from < cases.length; from += batch.atOnce) {
    const some = cases.slice(from, from + batch.atOnce);
    const tries = some.map(async (each) => ({ each, tried: await tryCase(archiving, place, { each, moved }), moved }));
    for (const one of await Promise.all(tries)) {
      const outcome = await settle(archiving, place, one);
      if (outcome === "away" || outcome === "changed") {
        await saveProgress(archiving, place, { last, moved, next: failedFor });
        return outcome === "changed";
      }
      last = one.each;
    }
  }
  const isAll = cases.length < batch.cases;
  await saveProgress(archiving, place, { last, moved, next: isAll ? doneFor : "0 s", isAll });
  if (moved.values > 0) archiving.log.info({ practice: place.practiceId, ...moved }, "archived values of closed cases");
  return true;
}

/** What failed before and has waited; false where the archive failed. */
async function retryFailures(archiving: ArchiveWork, place: Place, moved: MoveCount): Promise<boolean> {
  const of = { practiceId: place.practiceId, afterDays: archiving.afterDays };
  for (const id of await dueFailures(archiving.store, of)) {
    const move = { each: { id }, moved };
    const outcome = await settle(archiving, place, { ...move, tried: await tryCase(archiving, place, move) });
    if (outcome === "away") return false;
    if (outcome === "done") await dropFailure(archiving.store, { practiceId: place.practiceId, taskId: id });
  }
  return true;
}

type MoveCount = { values: number; bytes: number };

type CaseMove = { readonly each: Pick<ClosedCase, "id">; readonly moved: MoveCount };

/** Whether all of a case was moved or some of it was changed meanwhile; or what failed. */
type Try = { readonly outcome: "done" | "changed" } | { readonly error: unknown };

async function tryCase(archiving: ArchiveWork, { practiceId }: Place, { each, moved }: CaseMove): Promise<Try> {
  try {
    return { outcome: (await archiveCase(archiving, { practiceId, taskId: each.id }, moved)) ? "done" : "changed" };
  } catch (error) {
    return { error };
  }
}

/**
 * What became of a case: `noted` where it alone cannot be archived, `away` where nothing can be. Before it is noted it is
 * tried by itself, so that none is blamed for what failed beside it.
 */
async function settle(
  archiving: ArchiveWork,
  place: Place,
  { tried, ...move }: CaseMove & { readonly tried: Try },
): Promise<"done" | "changed" | "noted" | "away"> {
  if ("outcome" in tried) return tried.outcome;
  const { log, archive } = archiving;
  const ids = { practice: place.practiceId, taskId: move.each.id };
  try {
    await archive.prove();
  } catch (error) {
    log.warn({ ...ids, err: error }, "closed cases are not archived, because the archive keeps nothing");
    return "away";
  }
  const again = await tryCase(archiving, place, move);
  if ("outcome" in again) return again.outcome;
  instruments().archiveFailures.inc();
  log.warn({ ...ids, err: again.error }, "a closed case could not be archived");
  await noteFailure(archiving.store, { practiceId: place.practiceId, taskId: move.each.id, error: again.error });
  return "noted";
}

/** In the words that `closed_at` has in the indexes of what is over. */
const closedStates = "'determined', 'voided', 'withdrawn', 'declined', 'failed'";

async function nextCases(
  { store, afterDays }: ArchiveWork,
  { practiceId, closedAt, taskId }: Place,
): Promise<readonly ClosedCase[]> {
  const { rows } = await store.pool.query<ClosedCase>({
    name: "archive-next-cases",
    // By each state apart, because the index has them one after the other.
    text: `SELECT next.id, next.closed_at::text AS "closedAt" FROM unnest(ARRAY[${closedStates}]) s (state),
        LATERAL (SELECT id, closed_at FROM task
                  WHERE practice_id = $1 AND state = s.state AND (closed_at, id) > ($2::timestamptz, $3::uuid)
                    AND state IN (${closedStates})
                    AND closed_at < clock_timestamp() - make_interval(days => $4::int)
                  ORDER BY closed_at, id LIMIT ${batch.cases}) next
       ORDER BY next.closed_at, next.id LIMIT ${batch.cases}`,
    values: [practiceId, closedAt, taskId, afterDays],
  });
  return rows;
}

async function noteOldest({ pool }: Store, { practiceId }: Place, { closedAt }: ClosedCase): Promise<void> {
  await pool.query({
    name: "archive-oldest",
    text: "UPDATE archive_progress SET oldest_at = $2::timestamptz WHERE practice_id = $1",
    values: [practiceId, closedAt],
  });
}

type Progress = {
  readonly last: ClosedCase | undefined;
  readonly moved: MoveCount;
  readonly next: string;
  readonly isAll?: boolean;
};

/**
 * Moves on, unless another worker has come further meanwhile; what was moved counts in any case. The practice comes back
 * sooner for a failure that is tried again before, and never ahead of the practices that wait now.
 */
async function saveProgress(
  { store, afterDays }: ArchiveWork,
  place: Place,
  { last, moved, next, isAll }: Progress,
): Promise<void> {
  await store.pool.query({
    name: "archive-progress",
    text: `UPDATE archive_progress
              SET moved_values = moved_values + $4, moved_bytes = moved_bytes + $5,
                  (closed_at, task_id) = (SELECT p.closed_at, p.task_id
                    FROM (VALUES (closed_at, task_id), ($2::timestamptz, $3::uuid)) p (closed_at, task_id)
                   ORDER BY p.closed_at DESC, p.task_id DESC LIMIT 1),
                  due_at = least(clock_timestamp() + $6::interval,
                                 (SELECT greatest(clock_timestamp(), min(f.due_at)) FROM archive_failure f
                                   WHERE f.practice_id = $1 AND f.closed_at < clock_timestamp() - make_interval(days => $8::int)
                                  HAVING count(*) > 0)),
                  oldest_at = CASE WHEN $7 THEN NULL ELSE oldest_at END
            WHERE practice_id = $1`,
    values: [
      ...[place.practiceId, last?.closedAt ?? place.closedAt, last?.id ?? place.taskId, moved.values, moved.bytes],
      ...[next, isAll === true, afterDays],
    ],
  });
}

/** For how long the oldest case has been due that was found and not done. */
async function oldestDueS({ pool }: Store, { afterDays }: Options): Promise<number> {
  const { rows } = await pool.query<{ s: number | null }>({
    name: "archive-oldest-due",
    text: `SELECT extract(epoch FROM clock_timestamp() - min(oldest_at) - make_interval(days => $1::int))::float8 AS s
             FROM archive_progress WHERE oldest_at IS NOT NULL`,
    values: [afterDays],
  });
  return Math.max(0, rows[0]?.s ?? 0);
}

type FoundValue = { readonly id: string; readonly value: Uint8Array };

const archivedColumns = sealedColumns.filter(({ archived }) => archived === true);

/** Moves all large values of one case; false where one was changed meanwhile and is to be looked at again. */
async function archiveCase(archiving: ArchiveWork, of: OfCase, moved: MoveCount): Promise<boolean> {
  let isDone = true;
  for (const column of archivedColumns) {
    for (const id of await largeValues(archiving, column, of)) {
      if (archiving.signal?.aborted === true) return false;
      const bytes = await archiveValue(archiving, column, { ...of, id });
      if (bytes === undefined) isDone = false;
      else {
        moved.values += 1;
        moved.bytes += bytes;
      }
    }
  }
  return isDone;
}

type OfCase = { readonly practiceId: string; readonly taskId: string };

async function largeValues(
  { store, bytesMin }: ArchiveWork,
  { table, column }: SealedColumn,
  { practiceId, taskId }: OfCase,
): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ id: string }>({
    name: `archive-large-${table}`,
    text: `SELECT id FROM ${table} WHERE task_id = $1::uuid AND practice_id = $2 AND octet_length(${column}) >= $3::int
              AND get_byte(substring(${column} FROM 1 FOR 1), 0) IN (${currentFormats})${isSettled(table)} ORDER BY id`,
    values: [taskId, practiceId, bytesMin],
  });
  return rows.map(({ id }) => id);
}

/** What a payer sent and the worker has still to read stays at hand. */
const isSettled = (table: string) => (table === "payer_event" ? " AND handled_at IS NOT NULL" : "");

/** Its bytes if it was moved; undefined if it is another one by now, or its case no longer closed. */
async function archiveValue(
  archiving: ArchiveWork,
  column: SealedColumn,
  { id, ...of }: OfCase & { readonly id: string },
): Promise<number | undefined> {
  const { store } = archiving;
  const { rows } = await store.pool.query<FoundValue>({
    name: `archive-read-${column.table}`,
    text: `SELECT id, ${column.column} AS value FROM ${column.table} WHERE id = $1::uuid AND practice_id = $2`,
    values: [id, of.practiceId],
  });
  const [found] = rows;
  if (!found || referenceOf(found.value)) return undefined;
  const reference = await keep(archiving.archive, of.practiceId, found.value);
  await archiving.onKept?.();
  if (!(await refer(archiving, column, { ...of, ...found, reference }))) return undefined;
  instruments().archivedValues.inc();
  instruments().archivedBytes.inc(found.value.length);
  return found.value.length;
}

/** Puts a sealed value into the archive and reads it back; gives the reference to it. */
export async function keep(archive: ObjectStore, practiceId: string, sealed: Uint8Array): Promise<Uint8Array> {
  const reference = referenceTo(sealed);
  const digest = createHash("sha256").update(sealed).digest("hex");
  const name = objectName(practiceId, digest);
  await archive.put(name, sealed);
  const kept = await archive.get(name, sealed.length);
  if (!kept || Buffer.compare(kept, sealed) !== 0) throw new ArchiveAwayError(notGivenBack);
  return reference;
}

type Replacement = OfCase & FoundValue & { readonly reference: Uint8Array };

/** One statement: the reference in place of exactly these bytes, of a case that has been closed for long enough. */
async function refer(
  { store, afterDays }: ArchiveWork,
  { table, column, fixed }: SealedColumn,
  { practiceId, taskId, id, value, reference }: Replacement,
): Promise<boolean> {
  const closed = `FROM task c WHERE c.id = $4::uuid AND c.practice_id = $5 AND c.state IN (${closedStates})
    AND c.closed_at < clock_timestamp() - make_interval(days => $6::int)`;
  const of = [taskId, practiceId, afterDays];
  if (fixed !== undefined) {
    const values = [[value], [reference], [id], ...of];
    const text = `${fixed} ${closed}`;
    const { rows } = await store.pool.query<{ moved: number }>({ name: `archive-refer-${table}`, text, values });
    return rows[0]?.moved === 1;
  }
  const text = `UPDATE ${table} t SET ${column} = $2::bytea ${closed}
    AND t.id = $3::uuid AND t.task_id = c.id AND t.practice_id = c.practice_id AND t.${column} = $1::bytea`;
  const { rowCount } = await store.pool.query({
    name: `archive-refer-${table}`,
    text,
    values: [value, reference, id, ...of],
  });
  return rowCount === 1;
}
