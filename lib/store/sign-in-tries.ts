import type { Store } from "./db.ts";

/** Whose attempt it is: the account that was typed, and where it comes from. */
export type Attempt = { readonly account: string; readonly address?: string | undefined };

/** Failures in a row before an account waits: a minute, then twice as long each time, up to a quarter of an hour. */
const accountFailuresMax = 5;

/** The same for an address, over all accounts: more, since many people may share one. */
const addressFailuresMax = 30;

/** An address that failed for nothing since so long begins anew; an account only by signing in. */
const addressForgetsMin = 15;

/** The network of an address: an IPv6 host has as many addresses as it likes within its own. No account is written so. */
const addressSubject =
  "'ADDRESS ' || host(network(set_masklen($2::inet, CASE family($2::inet) WHEN 4 THEN 32 ELSE 64 END)))";

/** A try that was counted as if it had failed, with what stood before. */
export type Try = readonly { readonly subject: string; readonly before: string | null }[];

type Row = Try[number] & { readonly taken: boolean };

/**
 * Counts a try for its account and its address before it is looked at; undefined where either has to wait, and then
 * nothing is counted, so that nobody keeps an account waiting for ever. One statement decides, so that however many
 * come at once, at however many processes, no more are looked at than one after the other. It is the same for an
 * account that nobody has.
 */
export async function takeTry(store: Store, { account, address }: Attempt): Promise<Try | undefined> {
  const { rows } = await store.pool.query<Row>(
    `WITH asked AS MATERIALIZED (
       SELECT subject, (SELECT f.last_at::text FROM sign_in_failure f WHERE f.subject = asked.subject) AS before
         FROM unnest(ARRAY[$1, ${addressSubject}]) asked (subject) WHERE subject IS NOT NULL
     ), taken AS (
       INSERT INTO sign_in_failure AS f (subject, count, last_at)
       SELECT subject, 1, clock_timestamp() FROM asked ORDER BY subject
       ON CONFLICT (subject) DO UPDATE SET last_at = clock_timestamp(), count = CASE
         WHEN f.subject <> $1 AND f.last_at < clock_timestamp() - make_interval(mins => $5) THEN 1 ELSE f.count + 1 END
        WHERE ${spare("$1", "$3::int", "$4::int")}
       RETURNING subject)
     SELECT subject, before, taken.subject IS NOT NULL AS taken FROM asked LEFT JOIN taken USING (subject)`,
    [account, address ?? null, accountFailuresMax, addressFailuresMax, addressForgetsMin],
  );
  const taken = rows.filter((row) => row.taken);
  if (taken.length === rows.length) return taken;
  await giveBackTry(store, taken);
  return undefined;
}

/** That a row has failures left, or has waited for long enough. */
function spare(account: string, accountMax: string, addressMax: string): string {
  const most = `CASE f.subject WHEN ${account} THEN ${accountMax} ELSE ${addressMax} END`;
  const waits = `least(interval '15 minutes', interval '1 minute' * power(2, least(f.count - (${most}), 4)))`;
  return `f.count < (${most}) OR f.last_at < clock_timestamp() - ${waits}`;
}

/** Takes the counting of a try back: it was right, as far as it went. What failed before stays counted. */
export async function giveBackTry(store: Store, tried: Try): Promise<void> {
  if (tried.length === 0) return;
  await store.pool.query(
    // Held in the order in which tries take them, or two at once would wait for each other. What comes to nothing stays
    // until it is forgotten: a row that somebody else holds may count for more by the time it could be deleted.
    `WITH held AS MATERIALIZED (
       SELECT subject FROM sign_in_failure WHERE subject = ANY ($1::text[]) ORDER BY subject FOR UPDATE)
     UPDATE sign_in_failure f SET count = greatest(f.count - 1, 0), last_at = coalesce(given.before, f.last_at)
       FROM unnest($1::text[], $2::timestamptz[]) given (subject, before) JOIN held USING (subject)
      WHERE f.subject = given.subject`,
    [tried.map(({ subject }) => subject), tried.map(({ before }) => before)],
  );
}
