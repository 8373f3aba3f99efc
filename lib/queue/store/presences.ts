import type { Store } from "#lib/db/db";

/** After this long without a sign somebody no longer counts as reading; a page sends one every 20 seconds. */
const silentSeconds = 50;

/** SQL: whether the person of the presence `r` still counts as reading. */
export const isReading = `r.seen_at > clock_timestamp() - make_interval(secs => ${silentSeconds})`;

/** A case, by the practices its asker reviews for, and who asks. */
export type PresenceQuery = {
  readonly taskId: string;
  readonly practices: readonly string[];
  readonly personId: string;
};

/** Somebody who has a case on their screen. */
export type Reader = {
  readonly taskId: string;
  readonly personId: string;
  readonly name: string;
  readonly since: Date;
};

/**
 * Records that this person has the case open; a pause begins a new reading. Returns the practice if they just came, so
 * that others can be told. Undefined if they were there, or if these practices have no such case.
 */
export async function notePresence(
  store: Store,
  { taskId, practices, personId }: PresenceQuery,
): Promise<{ practiceId: string } | undefined> {
  const { rows } = await store.pool.query<{ practice_id: string; came: boolean }>({
    name: "note-presence",
    text: `
      WITH gone AS (
        DELETE FROM presence
         WHERE person_id = $3::uuid AND task_id <> $1::uuid AND seen_at < clock_timestamp() - interval '1 hour')
      INSERT INTO presence AS p (person_id, task_id, practice_id, since, seen_at)
      SELECT $3::uuid, t.id, t.practice_id, now.at, now.at
        FROM task t, (SELECT clock_timestamp() AS at) now
       WHERE t.id = $1::uuid AND t.practice_id = ANY ($2::text[])
      ON CONFLICT (person_id, task_id) DO UPDATE
        SET seen_at = excluded.seen_at,
            since = CASE WHEN p.seen_at < excluded.seen_at - make_interval(secs => $4::int) THEN excluded.since ELSE p.since END
      RETURNING practice_id, since = seen_at AS came`,
    values: [taskId, practices, personId, silentSeconds],
  });
  const [noted] = rows;
  return noted?.came ? { practiceId: noted.practice_id } : undefined;
}

/** Records that this person has left the case. */
export async function noteAbsence(
  store: Store,
  { taskId, practices, personId }: PresenceQuery,
): Promise<{ practiceId: string } | undefined> {
  const { rows } = await store.pool.query<{ practice_id: string }>({
    name: "note-absence",
    text: `DELETE FROM presence WHERE person_id = $3::uuid AND task_id = $1::uuid AND practice_id = ANY ($2::text[])
           RETURNING practice_id`,
    values: [taskId, practices, personId],
  });
  return rows[0] && { practiceId: rows[0].practice_id };
}

/** Who else reads these cases now, in these practices; whoever came first is first. */
export async function loadReaders(
  store: Store,
  { taskIds, practices, personId }: Omit<PresenceQuery, "taskId"> & { readonly taskIds: readonly string[] },
): Promise<readonly Reader[]> {
  const { rows } = await store.pool.query<{ task_id: string; person_id: string; name: string; since: Date }>({
    name: "load-readers",
    text: `
      SELECT r.task_id, r.person_id, p.name, r.since
        FROM presence r JOIN person p ON p.id = r.person_id AND p.status = 'active'
       WHERE r.task_id = ANY ($1::uuid[]) AND r.practice_id = ANY ($2::text[]) AND r.person_id <> $3::uuid
         AND ${isReading}
       ORDER BY r.since, r.person_id`,
    values: [[...taskIds], [...practices], personId],
  });
  return rows.map(({ task_id: taskId, person_id: id, ...row }) => ({ ...row, taskId, personId: id }));
}
