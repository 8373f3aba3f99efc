import { acrossPractices } from "#lib/db/for-practices";
import type { Store } from "#lib/db/db";
import { isRecordStopped } from "#lib/submission/shared/record-stops";
import type { DueRelease, ReserveOptions } from "#lib/submission/model/due-work";

/** How long a release is left to whoever reserved it: far longer than it takes to claim it. */
const reservedS = 30;

/**
 * Takes releases that are due, for this worker alone, in one statement: one of each practice before a second of any, and
 * no more of a payer host than it has room for. The cost follows the number of practices and payer hosts that something
 * is due for, not the number of releases that wait. What is reserved is still to be claimed.
 */
export async function reserveReleases(
  store: Store,
  { most, hosts, otherHosts, inHand, eachPractice }: ReserveOptions,
): Promise<readonly DueRelease[]> {
  if (most <= 0) return [];
  const { rows } = await acrossPractices(store, "due-work").pool.query<DueRelease>({
    name: "reserve-releases",
    text: `
      WITH RECURSIVE line AS (
        (SELECT practice_id, payer_host FROM release_due ORDER BY practice_id, payer_host LIMIT 1)
        UNION ALL
        SELECT next.practice_id, next.payer_host FROM line, LATERAL (
          SELECT practice_id, payer_host FROM release_due
           WHERE (practice_id, payer_host) > (line.practice_id, line.payer_host)
           ORDER BY practice_id, payer_host LIMIT 1) next),
      room AS (SELECT * FROM unnest($2::text[], $3::int[]) AS host (payer_host, room)),
      busy AS (SELECT * FROM unnest($5::text[], $6::int[]) AS practice (practice_id, count)),
      due AS (
        SELECT found.*, line.payer_host, coalesce(room.room, $4) AS room,
               coalesce(busy.count, 0) + row_number() OVER (PARTITION BY line.practice_id ORDER BY found.claimable_at) AS turn
          FROM line LEFT JOIN room USING (payer_host) LEFT JOIN busy USING (practice_id), LATERAL (
            SELECT gate_id, claimable_at FROM release_due x
             WHERE x.practice_id = line.practice_id AND x.payer_host = line.payer_host AND x.claimable_at <= clock_timestamp()
               AND (x.reserved_until IS NULL OR x.reserved_until < clock_timestamp())
             ORDER BY x.claimable_at LIMIT least($1, coalesce(room.room, $4))) found
         WHERE coalesce(room.room, $4) > 0 AND NOT ${isRecordStopped("line.practice_id")}),
      fair AS (
        SELECT *, row_number() OVER (PARTITION BY payer_host ORDER BY turn, claimable_at) AS of_host FROM due),
      chosen AS (SELECT gate_id FROM fair WHERE of_host <= room AND turn <= $7 ORDER BY turn, claimable_at LIMIT $1),
      mine AS (
        SELECT x.gate_id FROM release_due x JOIN chosen USING (gate_id)
         WHERE x.reserved_until IS NULL OR x.reserved_until < clock_timestamp()
         FOR UPDATE OF x SKIP LOCKED)
      UPDATE release_due x SET reserved_until = clock_timestamp() + interval '${reservedS} s'
        FROM mine WHERE x.gate_id = mine.gate_id
      RETURNING x.task_id AS "taskId", x.practice_id AS "practiceId", x.payer_host AS "payerHost"`,
    values: [
      most,
      [...hosts.keys()],
      [...hosts.values()],
      otherHosts,
      [...inHand.keys()],
      [...inHand.values()],
      eachPractice,
    ],
  });
  return rows;
}

/**
 * A release of a payer host, whether or not it is due: to find out if the host answers again. The one that was tried least,
 * so that one that the payer never accepts does not hide that it accepts others.
 */
export async function reserveTrial(store: Store, payerHost: string): Promise<DueRelease | undefined> {
  const { rows } = await acrossPractices(store, "due-work").pool.query<DueRelease>({
    name: "reserve-trial",
    text: `
      WITH mine AS (
        SELECT x.gate_id FROM release_due d JOIN transmission x USING (gate_id)
         WHERE d.payer_host = $1 AND x.phase = 'released'
           AND (d.attempt > 0 OR d.claimable_at <= clock_timestamp()) AND NOT ${isRecordStopped("d.practice_id")}
           AND (d.reserved_until IS NULL OR d.reserved_until < clock_timestamp())
         ORDER BY d.attempt, d.released_at LIMIT 1 FOR UPDATE OF x, d SKIP LOCKED)
      UPDATE transmission x SET reserved_until = clock_timestamp() + interval '${reservedS} s',
             claimable_at = least(x.claimable_at, clock_timestamp())
        FROM mine WHERE x.gate_id = mine.gate_id
      RETURNING x.task_id AS "taskId", x.practice_id AS "practiceId", x.payer_host AS "payerHost"`,
    values: [payerHost],
  });
  return rows[0];
}

/**
 * Shortens the reservation of a release that could not be claimed, because the database may not be submitted from just
 * then. It stays reserved for a second, so that a worker does not try without a pause.
 */
export async function giveBackRelease({ pool }: Store, taskId: string): Promise<void> {
  await pool.query({
    name: "give-back-release",
    text: `
      UPDATE release_due SET reserved_until = clock_timestamp() + interval '1 s'
       WHERE gate_id = (SELECT gate_id FROM task WHERE id = $1) AND reserved_until > clock_timestamp() + interval '1 s'`,
    values: [taskId],
  });
}
