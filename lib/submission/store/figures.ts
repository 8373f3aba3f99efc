import { acrossPractices } from "#lib/db/for-practices";
import type { Store } from "#lib/db/db";
import { commitsAlone, type Standbys, standbysJson } from "#lib/db/replication";
import { isOpen } from "#lib/task/model/case-states";

type Waiting = { readonly count: number; readonly oldestS: number };

/** How the service stands, as numbers: what waits and for how long. Times are by the database's clock. */
export type Figures = {
  readonly releases: Waiting;
  readonly unconfirmed: Waiting;
  readonly webhooks: Waiting;
  /** Those that are due, and those that were tried and did not get out, from when they were made. */
  readonly mail: Waiting;
  /** Mails of the last day that will not be tried again. */
  readonly mailGivenUp: number;
  readonly audit: { readonly unsignedS: number; readonly broken: number; readonly stopped: number };
  readonly workers: { readonly count: number; readonly submitting: number; readonly silentS: number };
  readonly queue: readonly { readonly state: string; readonly age: string; readonly count: number }[];
  readonly away: readonly { readonly payerHost: string; readonly forS: number }[];
  readonly standbys: readonly Standbys[];
  /** Commits wait for no standby. */
  readonly commitsAlone: boolean;
  /** For how long every table that is divided by time has partitions. */
  readonly partitionsLeftS: number;
};

const seconds = (since: string) => `coalesce(extract(epoch FROM clock_timestamp() - ${since})::float8, 0)`;
const waiting = (count: string, oldest: string, from: string) =>
  `(SELECT json_build_object('count', ${count}, 'oldestS', ${seconds(oldest)}) FROM ${from})`;

/** Open cases by state and by how long ago they came. Reads one index, in tens of milliseconds for a hundred thousand. */
const queue = `
  SELECT coalesce(json_agg(q), '[]') FROM (
    SELECT state, CASE WHEN created_at > clock_timestamp() - interval '1 hour' THEN 'under-1h'
                       WHEN created_at > clock_timestamp() - interval '1 day' THEN 'under-1d'
                       WHEN created_at > clock_timestamp() - interval '7 days' THEN 'under-7d' ELSE 'over-7d' END AS age,
           count(*) FROM task t WHERE ${isOpen} GROUP BY 1, 2) q`;

const statement = `
  SELECT ${waiting("count(*)", "min(claimable_at)", "release_due WHERE claimable_at <= clock_timestamp() AND payer_host NOT IN (SELECT payer_host FROM payer_outage)")} AS releases,
         ${waiting("count(*)", "min(started_at)", "submission_in_hand WHERE phase = 'unconfirmed'")} AS unconfirmed,
         ${waiting("count(*)", "min(due_at)", "webhook_delivery WHERE status = 'waiting' AND due_at <= clock_timestamp()")} AS webhooks,
         ${waiting("count(*)", "min(CASE WHEN problem IS NULL THEN due_at ELSE created_at END)", "mail WHERE status = 'waiting' AND (problem IS NOT NULL OR due_at <= clock_timestamp())")} AS mail,
         (SELECT count(*)::int FROM mail WHERE status = 'failed' AND due_at > clock_timestamp() - interval '1 day') AS "mailGivenUp",
         (SELECT json_build_object('broken', count(*) FILTER (WHERE c.bad_seq IS NOT NULL), 'unsignedS', ${seconds("min(next.at)")},
                                   'stopped', (SELECT count(*) FROM record_stop))
            FROM audit_chain c LEFT JOIN audit_entry next
              ON (c.signed_head IS NOT NULL OR $1) AND next.chain = c.chain AND next.seq = c.exported_seq + 1) AS audit,
         (SELECT json_build_object('count', count(*) FILTER (WHERE beat_at > clock_timestamp() - interval '1 minute'),
                                   'submitting', count(*) FILTER (WHERE is_sending AND beat_at > clock_timestamp() - interval '1 minute'),
                                   'silentS', ${seconds("max(beat_at)")}) FROM worker_heartbeat) AS workers,
         (${queue}) AS queue,
         (SELECT coalesce(json_agg(json_build_object('payerHost', payer_host, 'forS', ${seconds("since")})), '[]') FROM payer_outage) AS away,
         ${standbysJson} AS standbys, ${commitsAlone} AS "commitsAlone",
         extract(epoch FROM partitions_left())::float8 AS "partitionsLeftS"`;

/** Where heads are signed, a chain that never got one waits for it too, as where their folder never worked. */
export type FigureOptions = { readonly signsHeads?: boolean | undefined };

/** Reads all of them in one statement. */
export async function readFigures(store: Store, { signsHeads = false }: FigureOptions = {}): Promise<Figures> {
  const { rows } = await acrossPractices(store, "figures").pool.query<Figures>({
    ...{ name: "figures", text: statement, values: [signsHeads] },
  });
  const [row] = rows;
  if (!row) throw new Error("The figures are one row.");
  return row;
}
