import { networkOf } from "#lib/platform/network-of";
import type { Store } from "#lib/db/db";

/**
 * A sign-in attempt: the account that was typed, the address it comes from, and the device if it is known for the
 * account.
 */
export type Attempt = {
  readonly account: string;
  readonly address?: string | undefined;
  readonly device?: string | undefined;
};

/** What tries are counted by. */
export type Counter = {
  readonly subject: string;
  /**
   * After this many failures in a row the next try must wait: a minute, then twice as long each time, up to a quarter
   * of an hour.
   */
  readonly max: number;
  /** Resets after this time without a failure. Absent: it resets only when cleared. */
  readonly forgetsMin?: number | undefined;
};

/** For one account from one network, for a device that signed in to it, and for a session's proofs. */
const guessesMax = 5;

/**
 * For one account from everywhere; no authenticator may be guessed at more often in a row (NIST SP 800-63B-4, 3.2.2).
 */
const accountFailuresMax = 100;

/** For an address over all accounts; more, because many people may share one. */
const addressFailuresMax = 30;
const addressForgetsMin = 15;

/**
 * The counters of a sign-in. A device that signed in to this account before has its own, so that strangers can't block
 * it. Everybody else has one for the account and their network, and together one for the account. Other subjects begin
 * with a capital letter, and no account does.
 */
export function signInCounters({ account, address, device }: Attempt): readonly Counter[] {
  if (device !== undefined) return [{ subject: `DEVICE ${device} ${account}`, max: guessesMax }];
  const counters = [
    { subject: account, max: accountFailuresMax },
    { subject: `FROM ${networkOf(address, 3)} ${account}`, max: guessesMax },
  ];
  if (address === undefined) return counters;
  const ofAddress = { max: addressFailuresMax, forgetsMin: addressForgetsMin };
  return [...counters, { subject: `ADDRESS ${networkOf(address, 4)}`, ...ofAddress }];
}

/** The counter of proofs in a session. Only whoever has the session can make it wait. */
export function proofCounters(sessionId: string): readonly Counter[] {
  return [{ subject: `SESSION ${sessionId}`, max: guessesMax }];
}

/**
 * The counters of second factors, which only somebody with the first one can try; a known device has its own, as above.
 */
export function codeCounters({
  personId,
  device,
}: {
  personId: string;
  device?: string | undefined;
}): readonly Counter[] {
  return [{ subject: device === undefined ? `CODES ${personId}` : `CODES ${device} ${personId}`, max: guessesMax }];
}

/** A try that was counted as a failure in advance, with the counters before it. */
export type CountedAttempt = readonly { readonly subject: string; readonly before: string | null }[];

type Row = CountedAttempt[number] & { readonly taken: boolean };

/** Whether a try would have to wait. Reads only, so that a caller in a loop writes nothing and locks no row. */
export async function isWaiting(store: Store, counters: readonly Counter[]): Promise<boolean> {
  const { rows } = await store.pool.query<{ waits: boolean }>({
    name: "is-waiting",
    text: `SELECT EXISTS (SELECT FROM sign_in_failure f WHERE f.subject = ANY ($1::text[]) AND NOT (${spare})) AS waits`,
    values: [counters.map(({ subject }) => subject), counters.map(({ max }) => max)],
  });
  return rows[0]?.waits ?? false;
}

/**
 * Counts a try by each counter before it is checked. Undefined if one has to wait; then nothing is counted. One
 * statement decides, so that many tries at once, also at several processes, are no more than the same tries one after
 * the other. An unknown account takes the same path.
 */
export async function takeTry(store: Store, counters: readonly Counter[]): Promise<CountedAttempt | undefined> {
  const { rows } = await store.pool.query<Row>({
    name: "take-try",
    text: `WITH named AS MATERIALIZED (
       SELECT subject, (SELECT f.last_at::text FROM sign_in_failure f WHERE f.subject = named.subject) AS before
         FROM unnest($1::text[]) named (subject)
     ), taken AS (
       INSERT INTO sign_in_failure AS f (subject, count, last_at)
       SELECT subject, 1, clock_timestamp() FROM named ORDER BY subject
       ON CONFLICT (subject) DO UPDATE SET last_at = clock_timestamp(), count = CASE
         WHEN f.last_at < clock_timestamp() - make_interval(mins => ${ofRow("$3")}) THEN 1 ELSE f.count + 1 END
        WHERE ${spare}
       RETURNING subject)
     SELECT subject, before, taken.subject IS NOT NULL AS taken FROM named LEFT JOIN taken USING (subject)`,
    values: [
      counters.map(({ subject }) => subject),
      counters.map(({ max }) => max),
      counters.map(({ forgetsMin }) => forgetsMin ?? null),
    ],
  });
  const taken = rows.filter((row) => row.taken);
  if (taken.length === rows.length) return taken;
  await giveBackTry(store, taken);
  return undefined;
}

/** SQL: the value given for the subject of a row. */
function ofRow(list: string): string {
  return `(${list}::int[])[array_position($1::text[], f.subject)]`;
}

/** SQL: a row has failures left, or has waited long enough. */
const spare = `(f.count < ${ofRow("$2")} OR f.last_at < clock_timestamp()
  - least(interval '15 minutes', interval '1 minute' * power(2, least(f.count - ${ofRow("$2")}, 4))))`;

/** Takes back the counting of a try that was right. Earlier failures stay counted. */
export async function giveBackTry(store: Store, tried: CountedAttempt): Promise<void> {
  if (tried.length === 0) return;
  await store.pool.query(
    // Locked in the same order in which tries lock them, so that two at once do not deadlock. A row at zero stays until
    // it is swept: another transaction may raise it before it could be deleted.
    `WITH held AS MATERIALIZED (
       SELECT subject FROM sign_in_failure WHERE subject = ANY ($1::text[]) ORDER BY subject FOR UPDATE)
     UPDATE sign_in_failure f SET count = greatest(f.count - 1, 0), last_at = coalesce(given.before, f.last_at)
       FROM unnest($1::text[], $2::timestamptz[]) given (subject, before) JOIN held USING (subject)
      WHERE f.subject = given.subject`,
    [tried.map(({ subject }) => subject), tried.map(({ before }) => before)],
  );
}
