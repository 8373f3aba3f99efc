import type { Store } from "#lib/db/db";
import { routePayer } from "#lib/task/shared/route-payer";

/** What decides whether and when a case is submitted, as ids, states and times. */
export type SubmissionFacts = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly payerId: string;
  readonly state: string;
  readonly changedAt: Date;
  readonly gate: {
    readonly id: string;
    readonly action: string;
    readonly status: string;
    readonly isManual: boolean;
    /** No person released it. */
    readonly autoReleased: boolean;
  } | null;
  readonly submission: {
    readonly phase: string;
    readonly attempt: number;
    readonly answer: string | null;
    readonly payerHost: string;
    /** Seconds from now, by the database's clock: from when it may be claimed. */
    readonly claimableInS: number;
    readonly reservedForS: number | null;
    readonly leaseForS: number | null;
  } | null;
  readonly isPracticeActive: boolean;
  readonly isRecordStopped: boolean;
  /** Another payer connection is in force than the one the request was frozen for. */
  readonly isRouteChanged: boolean;
  readonly away: {
    readonly forS: number;
    readonly reason: string;
    readonly tryInS: number;
    readonly tries: number;
  } | null;
  readonly nextInquiryInS: number | null;
};

const inSeconds = (at: string) => `extract(epoch FROM ${at} - clock_timestamp())::float8`;

/** Undefined if there is no such case. */
export async function findSubmissionFacts(store: Store, taskId: string): Promise<SubmissionFacts | undefined> {
  const { rows } = await store.pool.query<SubmissionFacts>({
    name: "submission-facts",
    text: `
      SELECT t.id AS "taskId", t.practice_id AS "practiceId", t.payer_id AS "payerId", t.state, t.changed_at AS "changedAt",
             CASE WHEN g.id IS NOT NULL THEN json_build_object('id', g.id, 'action', g.action, 'status', g.status, 'isManual', g.is_manual,
               'autoReleased', g.auto_released) END AS gate,
             CASE WHEN x.gate_id IS NOT NULL THEN json_build_object('phase', x.phase, 'attempt', x.attempt, 'answer', x.answer,
               'payerHost', x.payer_host, 'claimableInS', ${inSeconds("x.claimable_at")}, 'reservedForS', ${inSeconds("(SELECT d.reserved_until FROM release_due d WHERE d.gate_id = x.gate_id)")},
               'leaseForS', ${inSeconds("x.lease_until")}) END AS submission,
             p.status = 'active' AS "isPracticeActive",
             EXISTS (SELECT FROM record_stop rs WHERE rs.is_shared OR rs.chain = t.practice_id) AS "isRecordStopped",
             g.route_id IS NOT NULL AND g.route_id IS DISTINCT FROM (
               SELECT r.id FROM route r WHERE r.practice_id = t.practice_id AND r.payer_id = ${routePayer("t")}
                ORDER BY r.version DESC LIMIT 1) AS "isRouteChanged",
             CASE WHEN o.payer_host IS NOT NULL THEN json_build_object('forS', -${inSeconds("o.since")}, 'reason', o.reason,
               'tryInS', ${inSeconds("o.try_at")}, 'tries', o.tries) END AS away,
             ${inSeconds("(SELECT i.due_at FROM next_inquiry i WHERE i.task_id = t.id)")} AS "nextInquiryInS"
        FROM task t JOIN practice p ON p.id = t.practice_id LEFT JOIN gate g ON g.id = t.gate_id
        LEFT JOIN transmission x ON x.gate_id = g.id LEFT JOIN payer_outage o ON o.payer_host = x.payer_host
       WHERE t.id = $1`,
    values: [taskId],
  });
  return rows[0];
}

/** How a payer host has answered over the last day. */
export type PayerHostRecord = {
  readonly payerHost: string;
  readonly practices: number;
  readonly answered: number;
  /** Those of which it is not known whether they arrived, and those that were tried more than once. */
  readonly unconfirmed: number;
  readonly retried: number;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  readonly waiting: number;
  readonly away: {
    readonly forS: number;
    readonly reason: string;
    readonly tryInS: number;
    readonly tries: number;
  } | null;
};

export async function readPayerHosts(store: Store): Promise<readonly PayerHostRecord[]> {
  const { rows } = await store.pool.query<PayerHostRecord>({
    name: "payer-hosts",
    text: `
      WITH recent AS (
        SELECT x.*, extract(epoch FROM x.answered_at - x.started_at) * 1000 AS ms FROM transmission x
         WHERE NOT x.is_manual AND x.payer_host <> '' AND (x.released_at > clock_timestamp() - interval '1 day' OR x.gate_id IN (SELECT gate_id FROM release_due))),
      hosts AS (SELECT payer_host FROM recent UNION SELECT payer_host FROM payer_outage)
      SELECT h.payer_host AS "payerHost", count(DISTINCT r.practice_id)::int AS practices,
             count(*) FILTER (WHERE r.phase = 'done')::int AS answered,
             count(*) FILTER (WHERE r.phase = 'unconfirmed')::int AS unconfirmed,
             count(*) FILTER (WHERE r.attempt > 1)::int AS retried,
             percentile_cont(0.5) WITHIN GROUP (ORDER BY r.ms) FILTER (WHERE r.phase = 'done') AS "medianMs",
             percentile_cont(0.95) WITHIN GROUP (ORDER BY r.ms) FILTER (WHERE r.phase = 'done') AS "p95Ms",
             count(*) FILTER (WHERE r.phase = 'released')::int AS waiting,
             CASE WHEN o.payer_host IS NOT NULL THEN json_build_object('forS', -${inSeconds("o.since")}, 'reason', o.reason,
               'tryInS', ${inSeconds("o.try_at")}, 'tries', o.tries) END AS away
        FROM hosts h LEFT JOIN recent r USING (payer_host) LEFT JOIN payer_outage o USING (payer_host)
       GROUP BY h.payer_host, o.payer_host, o.since, o.reason, o.try_at, o.tries ORDER BY o.since NULLS LAST, h.payer_host`,
  });
  return rows;
}
