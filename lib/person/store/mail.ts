import { type Store, type Tx, inTransaction } from "#lib/db/db";
import { detailJson, readingActs } from "#lib/audit/model/entry";
import { readHeads } from "#lib/audit/shared/heads";
import { eachAlone } from "#lib/db/each-alone";
import { acrossPractices, forPractices } from "#lib/db/for-practices";
import { todayAt, todayIn } from "#lib/task/shared/practice-day";
import { approvalEnd } from "#lib/task/model/approval-end";
import { renewalOf } from "#lib/task/shared/renewal";
import { deliveryOf, dueOf, isToldOfEmergencies, needOf, withChoice } from "./mail-due.ts";

/** How many entries of one practice are read at once. */
const entriesMax = 500;

/**
 * Reads on in the audit chains of all practices, and notes whom to mail about the gates and cases named there: the
 * practice's active reviewers who want mail of that kind, except a channel's owner for a gate that they may not release,
 * and except whoever did the last thing on the case. A reviewer whom an entry names is mailed about that too. The first
 * run of all only notes where it begins; a practice that comes later is read from its first entry, however long no mail
 * was noted meanwhile. A practice that fails leaves the others alone: it fails at the end.
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
  const isFirst = rows.every(({ seq }) => seq === null);
  const unread = rows.filter(({ seq }) => seq === null).map(({ id }) => ({ id, seq: isFirst ? (heads[id] ?? 0) : 0 }));
  await beginAt(across, unread);
  const ahead = [...rows, ...unread].filter(({ id, seq }) => seq !== null && (heads[id] ?? 0) > seq);
  await eachAlone(ahead, ({ id }) => inTransaction(forPractices(store, [id]), (tx) => readOn(tx, id)));
}

/** One statement, so that a first run which is cut short leaves none of its practices to be read from the beginning. */
async function beginAt(store: Store, places: readonly { readonly id: string; readonly seq: number }[]): Promise<void> {
  if (places.length === 0) return;
  await store.pool.query(
    "INSERT INTO mail_cursor (practice_id, seq) SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT DO NOTHING",
    [places.map(({ id }) => id), places.map(({ seq }) => seq)],
  );
}

async function readOn(tx: Tx, practiceId: string): Promise<void> {
  // Locked by another worker that is reading on.
  const [cursor] = await tx.$queryRaw<{ seq: bigint }[]>`
    SELECT seq FROM mail_cursor WHERE practice_id = ${practiceId} FOR UPDATE SKIP LOCKED`;
  if (cursor) await tx.$executeRawUnsafe(tellOfEntries, practiceId, cursor.seq, entriesMax, [...readingActs]);
}

const wanted = (kind: string) => `${deliveryOf(kind)} <> 'off'`;

const insertMail = "INSERT INTO mail (id, person_id, practice_id, task_id, kind, about, status, due_at)";
const unlessThere = "ON CONFLICT (person_id, kind, about) DO NOTHING";

/**
 * Open gates and cases that need a person, among the cases on which something was done. Whoever did the last thing knows
 * what it came to, and is not told; who only read, or acted before that, is.
 */
const toldOfCases = `
  WITH last AS (
    SELECT DISTINCT ON (task_id) task_id, actor FROM entry WHERE task_id IS NOT NULL AND act <> ALL ($4::text[])
     ORDER BY task_id, seq DESC
  ), news AS (
    SELECT t.id AS task_id, t.urgent, 'gate' AS kind, g.id::text AS about, last.actor, c.owner_id
      FROM last JOIN task t ON t.id = last.task_id JOIN gate g ON g.id = t.gate_id AND g.status = 'open'
      JOIN channel c ON c.id = t.channel_id
    UNION ALL
    SELECT t.id, t.urgent, 'needs-person', ${needOf}, last.actor, NULL
      FROM last JOIN task t ON t.id = last.task_id WHERE t.needs_person IS NOT NULL
  )
  ${insertMail}
  SELECT gen_random_uuid(), p.id, $1, news.task_id, news.kind, news.about,
         CASE WHEN 'person:' || p.id = news.actor THEN 'dropped' ELSE 'waiting' END,
         ${dueOf("news.kind", { zone: "place.time_zone", urgent: "news.urgent" })}
    FROM news JOIN practice place ON place.id = $1
    JOIN person_role pp ON pp.practice_id = $1 AND pp.role = 'reviewer'
    JOIN person p ON p.id = pp.person_id AND p.status = 'active' ${withChoice}
   WHERE news.owner_id IS DISTINCT FROM p.id AND ${wanted("news.kind")}
  ${unlessThere}`;

/** What concerns one person by name: a case assigned to them by somebody else, a note that names them. */
const toldByName = `
  WITH news AS (
    SELECT seq, task_id, actor, 'assigned' AS kind, detail ->> 'to' AS person FROM entry WHERE act = 'case.assigned'
    UNION ALL
    SELECT seq, task_id, actor, 'mention', named.person
      FROM entry CROSS JOIN LATERAL jsonb_array_elements_text(
             CASE jsonb_typeof(detail -> 'mentions') WHEN 'array' THEN detail -> 'mentions' ELSE '[]' END) AS named (person)
     WHERE act = 'case.noted'
  )
  ${insertMail}
  SELECT gen_random_uuid(), p.id, $1, news.task_id, news.kind, news.task_id || ':' || news.seq, 'waiting',
         ${dueOf("news.kind", { zone: "place.time_zone", urgent: "t.urgent" })}
    FROM news JOIN practice place ON place.id = $1 JOIN task t ON t.id = news.task_id
    JOIN person p ON p.id::text = news.person AND p.status = 'active' AND 'person:' || p.id <> news.actor
    JOIN person_role pp ON pp.person_id = p.id AND pp.practice_id = $1 AND pp.role = 'reviewer' ${withChoice}
   WHERE ${wanted("news.kind")}
  ${unlessThere}`;

/** Every reviewer and administrator of the practice but the one who did it, at once and whatever they chose. */
const toldOfEmergencies = `
  ${insertMail}
  SELECT gen_random_uuid(), p.id, $1, entry.task_id, 'emergency', entry.task_id || ':' || entry.seq, 'waiting', clock_timestamp()
    FROM entry JOIN person p ON ${isToldOfEmergencies("$1")} AND 'person:' || p.id <> entry.actor
   WHERE entry.act = 'case.emergency-opened'
  ${unlessThere}`;

/** One statement, so that all of it sees the same entries: one that is written meanwhile is left to the next round. */
const tellOfEntries = `
  WITH entry AS MATERIALIZED (
    SELECT seq, task_id, actor, act, ${detailJson("detail")} AS detail FROM audit_entry
     WHERE chain = $1 AND seq > $2 ORDER BY seq LIMIT $3
  ), cases AS (${toldOfCases}), names AS (${toldByName}), emergencies AS (${toldOfEmergencies})
  UPDATE mail_cursor SET seq = (SELECT max(seq) FROM entry) WHERE practice_id = $1 AND EXISTS (SELECT FROM entry)`;

/** For a gate open longer than a day, mail is sent a day before it expires. */
const warnHours = 24;

/** Notes whom to mail about gates that came within a day of their expiry in the last `lookBackMs`. */
export async function noticeExpiring(store: Store, lookBackMs: number): Promise<void> {
  await acrossPractices(store, "mail").pool.query(
    `INSERT INTO mail (id, person_id, practice_id, task_id, kind, about, status, due_at)
     SELECT gen_random_uuid(), p.id, g.practice_id, g.task_id, 'expiring', g.id::text, 'waiting',
            ${dueOf("'expiring'", { zone: "place.time_zone", urgent: "t.urgent" })}
       FROM gate g JOIN task t ON t.id = g.task_id JOIN channel c ON c.id = t.channel_id
       JOIN practice place ON place.id = g.practice_id
       JOIN person_role pp ON pp.practice_id = g.practice_id AND pp.role = 'reviewer'
       JOIN person p ON p.id = pp.person_id AND p.status = 'active' ${withChoice}
      WHERE g.status = 'open' AND c.owner_id IS DISTINCT FROM p.id AND ${wanted("'expiring'")}
        AND g.expires_at <= clock_timestamp() + $1 * interval '1 hour'
        AND g.expires_at > clock_timestamp() + $1 * interval '1 hour' - $2 * interval '1 millisecond'
        AND g.expires_at > clock_timestamp() AND g.expires_at - g.opened_at > ($1 + 1) * interval '1 hour'
     ON CONFLICT (person_id, kind, about) DO NOTHING`,
    [warnHours, lookBackMs],
  );
}

/**
 * Notes whom to mail about approvals that come to their end: once when it is near, once more when it is high time, and
 * likewise for units that are nearly or wholly used up. Whoever runs this, and however often, each reviewer is told of
 * each once for a determination. Nobody is told where a renewal is under way. One statement for each practice, and for
 * what was not told yet, so that none grows with what there is in all; a practice that fails leaves the others alone.
 */
export async function noticeEnding(store: Store): Promise<void> {
  const across = acrossPractices(store, "mail");
  const { rows } = await across.pool.query<{ id: string }>("SELECT id FROM practice ORDER BY id");
  await eachAlone(rows, ({ id }) => across.pool.query(tellOfEnding, [id]));
}

const tellOfEnding = endingText();

function endingText(): string {
  const today = todayIn("place.time_zone");
  const near = `SELECT d.id, d.task_id, d.practice_id,
      CASE WHEN d.valid_to < ${today} + ${approvalEnd.lastDays} THEN 'last-days' ELSE 'days' END AS what
      FROM determination d WHERE d.practice_id = place.id AND d.valid_to >= ${today} AND d.valid_to < ${today} + ${approvalEnd.days}
    UNION ALL
    SELECT u.determination_id, u.task_id, u.practice_id, CASE WHEN u.percent >= 100 THEN 'used-up' ELSE 'used' END
      FROM units_used u JOIN determination d ON d.id = u.determination_id
     WHERE u.practice_id = place.id AND u.percent >= ${approvalEnd.percentUsed} AND (d.valid_to IS NULL OR d.valid_to >= ${today})`;
  return `
    INSERT INTO mail (id, person_id, practice_id, task_id, kind, about, status, due_at)
     SELECT gen_random_uuid(), p.id, near.practice_id, t.id, 'ending', near.id || ':' || near.what, 'waiting',
            ${dueOf("'ending'", { zone: "place.time_zone", urgent: "false" })}
       FROM practice place CROSS JOIN LATERAL (${near}) near JOIN task t ON t.id = near.task_id AND t.determination_id = near.id AND t.state = 'determined'
       JOIN person_role pp ON pp.practice_id = near.practice_id AND pp.role = 'reviewer'
       JOIN person p ON p.id = pp.person_id AND p.status = 'active' ${withChoice}
      WHERE place.id = $1 AND ${wanted("'ending'")} AND NOT EXISTS (${renewalOf})
        AND NOT EXISTS (SELECT FROM mail told WHERE told.person_id = p.id AND told.kind = 'ending' AND told.about = near.id || ':' || near.what)
     ON CONFLICT (person_id, kind, about) DO NOTHING`;
}

/** Mail that was sent, dropped or given up is deleted after this many days. */
const keepDays = 60;

/** The most rows that are deleted in one statement. */
const forgottenMax = 5_000;

/** One of an approval that may still be used stays: it is why the same is not told again. */
export async function forgetOldMail(store: Store): Promise<void> {
  await acrossPractices(store, "mail").pool.query(
    `DELETE FROM mail WHERE id IN (
       SELECT m.id FROM mail m
        WHERE m.status IN ('sent', 'dropped', 'failed') AND m.due_at < clock_timestamp() - $1 * interval '1 day'
          AND NOT (m.kind = 'ending' AND EXISTS (
            SELECT FROM task t JOIN determination d ON d.id = t.determination_id
             WHERE t.id = m.task_id AND t.state = 'determined' AND m.about LIKE d.id || ':%'
               AND (d.valid_to IS NULL OR d.valid_to >= ${todayAt("d.practice_id")})))
        LIMIT $2)`,
    [keepDays, forgottenMax],
  );
}
