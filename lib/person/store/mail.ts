import type { Store, Tx } from "#lib/db/db";
import { inTransaction } from "#lib/db/db";
import { readHeads } from "#lib/audit/store/heads";
import { acrossPractices, forPractices } from "#lib/db/for-practices";

/** How many entries of one practice are read at once. */
const entriesMax = 500;

/**
 * Reads on in the audit chains of all practices, and notes whom to mail about the gates and cases named there: the
 * practice's active reviewers who want mail, except a channel's owner for a gate that they may not release, and except
 * whoever acted on the case since. The first run for a practice only notes where it begins.
 */
export async function noticeChanges(store: Store): Promise<void> {
  const across = acrossPractices(store, "mail");
  const { rows } = await across.pool.query<{ id: string; seq: number | null }>(
    "SELECT p.id, c.seq::int AS seq FROM practice p LEFT JOIN mail_cursor c ON c.practice_id = p.id",
  );
  const heads = await readHeads(
    across,
    rows.map(({ id }) => id),
  );
  for (const { id, seq } of rows) {
    const own = forPractices(store, [id]);
    if (seq === null) await beginAt(own, id, heads[id] ?? 0);
    else if ((heads[id] ?? 0) > seq) await inTransaction(own, (tx) => readOn(tx, id));
  }
}

async function beginAt(store: Store, practiceId: string, seq: number): Promise<void> {
  await store.pool.query("INSERT INTO mail_cursor (practice_id, seq) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
    practiceId,
    seq,
  ]);
}

async function readOn(tx: Tx, practiceId: string): Promise<void> {
  // Locked by another worker that is reading on.
  const [cursor] = await tx.$queryRaw<{ seq: bigint }[]>`
    SELECT seq FROM mail_cursor WHERE practice_id = ${practiceId} FOR UPDATE SKIP LOCKED`;
  if (!cursor) return;
  await tx.$executeRawUnsafe(noticed, practiceId, cursor.seq, entriesMax);
  await tx.$executeRaw`
    UPDATE mail_cursor SET seq = (SELECT max(seq) FROM (
        SELECT seq FROM audit_entry WHERE chain = ${practiceId} AND seq > ${cursor.seq} ORDER BY seq LIMIT ${entriesMax}) read)
     WHERE practice_id = ${practiceId} AND EXISTS (
        SELECT FROM audit_entry WHERE chain = ${practiceId} AND seq > ${cursor.seq})`;
}

const dueAt = `CASE p.mail WHEN 'digest' THEN date_trunc('hour', clock_timestamp()) + interval '1 hour' ELSE clock_timestamp() END`;

const noticed = `
  WITH entry AS (
    SELECT task_id, actor FROM audit_entry WHERE chain = $1 AND seq > $2 ORDER BY seq LIMIT $3
  ), touched AS (
    SELECT task_id, array_agg(DISTINCT actor) AS actors FROM entry WHERE task_id IS NOT NULL GROUP BY task_id
  ), news AS (
    SELECT t.id AS task_id, 'gate' AS kind, g.id::text AS about, touched.actors, c.owner_id
      FROM touched JOIN task t ON t.id = touched.task_id JOIN gate g ON g.id = t.gate_id AND g.status = 'open'
      JOIN channel c ON c.id = t.channel_id
    UNION ALL
    SELECT t.id, 'needs-person', concat_ws(':', t.needs_person, t.id, coalesce(t.gate_id::text, t.revision::text)),
           touched.actors, NULL
      FROM touched JOIN task t ON t.id = touched.task_id WHERE t.needs_person IS NOT NULL
  )
  INSERT INTO mail (id, person_id, practice_id, task_id, kind, about, status, due_at)
  SELECT gen_random_uuid(), p.id, $1, news.task_id, news.kind, news.about,
         CASE WHEN 'person:' || p.id = ANY (news.actors) THEN 'dropped' ELSE 'waiting' END, ${dueAt}
    FROM news
    JOIN person_role pp ON pp.practice_id = $1 AND pp.role = 'reviewer'
    JOIN person p ON p.id = pp.person_id AND p.status = 'active' AND p.mail <> 'off'
   WHERE news.owner_id IS DISTINCT FROM p.id
  ON CONFLICT (person_id, kind, about) DO NOTHING`;

/** For a gate open longer than a day, mail is sent a day before it expires. */
const warnHours = 24;

/** Notes whom to mail about gates that came within a day of their expiry in the last `lookBackMs`. */
export async function noticeExpiring(store: Store, lookBackMs: number): Promise<void> {
  await acrossPractices(store, "mail").pool.query(
    `INSERT INTO mail (id, person_id, practice_id, task_id, kind, about, status, due_at)
     SELECT gen_random_uuid(), p.id, g.practice_id, g.task_id, 'expiring', g.id::text, 'waiting', ${dueAt}
       FROM gate g JOIN task t ON t.id = g.task_id JOIN channel c ON c.id = t.channel_id
       JOIN person_role pp ON pp.practice_id = g.practice_id AND pp.role = 'reviewer'
       JOIN person p ON p.id = pp.person_id AND p.status = 'active' AND p.mail <> 'off'
      WHERE g.status = 'open' AND c.owner_id IS DISTINCT FROM p.id
        AND g.expires_at <= clock_timestamp() + $1 * interval '1 hour'
        AND g.expires_at > clock_timestamp() + $1 * interval '1 hour' - $2 * interval '1 millisecond'
        AND g.expires_at > clock_timestamp() AND g.expires_at - g.opened_at > ($1 + 1) * interval '1 hour'
     ON CONFLICT (person_id, kind, about) DO NOTHING`,
    [warnHours, lookBackMs],
  );
}

/** Mail that was sent, dropped or given up is deleted after this many days. */
const keepDays = 60;

export async function forgetOldMail(store: Store): Promise<void> {
  await acrossPractices(store, "mail").pool.query(
    "DELETE FROM mail WHERE status <> 'waiting' AND due_at < clock_timestamp() - $1 * interval '1 day'",
    [keepDays],
  );
}
