import { acrossPractices } from "#lib/db/for-practices";
import type { Store } from "#lib/db/db";

/** A payer host that does not answer. */
export type PayerOutage = {
  readonly payerHost: string;
  /** When the first exchange failed after which none succeeded. */
  readonly since: Date;
  /** An error code or an HTTP status. */
  readonly reason: string;
  /** When one exchange is next tried. */
  readonly tryAt: Date;
  readonly tries: number;
};

/** How long the next try is away, after each; the last holds from then on. A payer's own wish may make it longer. */
const tryAfterS = [5, 10, 20];

/** The longest Retry-After that is followed for a whole host. */
const retryAfterMaxS = 600;

export async function readOutages(store: Store): Promise<readonly PayerOutage[]> {
  return store.prisma.payerOutage.findMany({ orderBy: { since: "asc" } });
}

type Failure = {
  readonly payerHost: string;
  readonly reason: string;
  readonly forMs?: number;
  readonly retryAfterMs?: number | undefined;
};

/** Notes that a host fails: from now on only one exchange at a time is tried there. */
export async function noteOutage(
  store: Store,
  { payerHost, reason, forMs = 0, retryAfterMs = 0 }: Failure,
): Promise<void> {
  await store.pool.query({
    name: "note-outage",
    text: `
      INSERT INTO payer_outage (payer_host, since, reason, try_at)
      VALUES ($1, clock_timestamp() - $2::float8 * interval '1 ms', $3,
              clock_timestamp() + greatest($4::float8, least($5::float8, $6::float8)) * interval '1 s')
      ON CONFLICT (payer_host) DO UPDATE SET reason = excluded.reason,
        try_at = greatest(payer_outage.try_at, clock_timestamp() + least($5::float8, $6::float8) * interval '1 s')`,
    values: [payerHost, forMs, reason, tryAfterS[0], retryAfterMs / 1_000, retryAfterMaxS],
  });
}

/** Forgets the outage of a host that nothing is submitted to any more. */
export async function forgetOutage(store: Store, payerHost: string): Promise<void> {
  await acrossPractices(store, "due-work").pool.query({
    name: "forget-outage",
    text: `
      DELETE FROM payer_outage WHERE payer_host = $1
         AND NOT EXISTS (SELECT FROM release_due WHERE payer_host = $1)
         AND NOT EXISTS (SELECT FROM submission_in_hand WHERE payer_host = $1 AND lease_until IS NOT NULL)`,
    values: [payerHost],
  });
}

/** The hosts whose next try is due, each for one worker alone. */
export async function claimTries(
  store: Store,
): Promise<readonly { readonly payerHost: string; readonly tries: number }[]> {
  const { rows } = await store.pool.query<{ payerHost: string; tries: number }>({
    name: "claim-tries",
    text: `
      UPDATE payer_outage SET tries = tries + 1,
             try_at = clock_timestamp() + ($1::int[])[least(tries + 2, cardinality($1))] * interval '1 s'
       WHERE try_at <= clock_timestamp() RETURNING payer_host AS "payerHost", tries`,
    values: [tryAfterS],
  });
  return rows;
}

/**
 * Notes that a host answers again. What had been tried there before is due at once and not after the wait of its own; a
 * release that can still be recalled stays what it is. Returns whether it had been away.
 */
export async function endOutage(store: Store, payerHost: string): Promise<boolean> {
  const { rowCount } = await acrossPractices(store, "due-work").pool.query({
    name: "end-outage",
    text: `
      WITH ended AS (DELETE FROM payer_outage WHERE payer_host = $1 RETURNING payer_host),
      due AS (
        UPDATE transmission x SET claimable_at = clock_timestamp() FROM ended JOIN release_due d USING (payer_host)
         WHERE x.gate_id = d.gate_id AND x.phase = 'released' AND d.attempt > 0 AND d.claimable_at > clock_timestamp())
      SELECT FROM ended`,
    values: [payerHost],
  });
  return (rowCount ?? 0) > 0;
}

/** A payer host that is away, as some practices know it. */
export type AwayPayer = {
  /** The practices' names for the payers there. */
  readonly payers: readonly string[];
  readonly since: Date;
  /** How many released requests of these practices wait for it. */
  readonly waiting: number;
};

/** The hosts that are away, among those that the connections in force of these practices lead to. */
export async function outagesOf(
  store: Store,
  { practices }: { readonly practices: readonly string[] },
): Promise<readonly AwayPayer[]> {
  const { rows } = await store.pool.query<AwayPayer>({
    name: "outages-of",
    text: `
      WITH away AS MATERIALIZED (SELECT payer_host, since FROM payer_outage),
      led AS (
        SELECT DISTINCT ON (r.practice_id, r.payer_id) r.practice_id, coalesce(r.payer_name, r.payer_id) AS payer,
               lower(substring(r.url FROM '^https?://(?:[^/?#]*@)?([^/?#]+)')) AS payer_host
          FROM route r WHERE EXISTS (SELECT FROM away) AND r.practice_id = ANY ($1::text[])
         ORDER BY r.practice_id, r.payer_id, r.version DESC)
      SELECT array_agg(DISTINCT led.payer ORDER BY led.payer) AS payers, away.since,
             (SELECT count(*)::int FROM release_due x
               WHERE x.practice_id = ANY ($1::text[]) AND x.payer_host = away.payer_host) AS waiting
        FROM away JOIN led USING (payer_host) GROUP BY away.payer_host, away.since ORDER BY away.since`,
    values: [practices],
  });
  return rows;
}

/** Since when the host that a case's open submission goes to has been away; undefined if it is not. */
export async function outageOf(
  store: Store,
  { taskId, practices }: { readonly taskId: string; readonly practices: readonly string[] },
): Promise<Date | undefined> {
  const { rows } = await store.pool.query<{ since: Date }>({
    name: "outage-of",
    text: `SELECT o.since FROM task t JOIN transmission x ON x.gate_id = t.gate_id JOIN payer_outage o USING (payer_host)
            WHERE t.id = $1 AND t.practice_id = ANY ($2::text[])`,
    values: [taskId, practices],
  });
  return rows[0]?.since;
}

/** The practices of which something released waits for this host. */
export async function practicesWaitingFor(store: Store, payerHost: string): Promise<readonly string[]> {
  const { rows } = await acrossPractices(store, "due-work").pool.query<{ id: string }>({
    name: "practices-waiting-for",
    text: "SELECT DISTINCT practice_id AS id FROM release_due WHERE payer_host = $1",
    values: [payerHost],
  });
  return rows.map(({ id }) => id);
}
