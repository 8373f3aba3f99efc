import { networkOf } from "#lib/platform/network-of";
import type { Store } from "#lib/db/db";

/** Whose attempt it is: the account that was typed, where it comes from, and the device, where it is one of the account's. */
export type Attempt = {
  readonly account: string;
  readonly address?: string | undefined;
  readonly device?: string | undefined;
};

/** What tries are counted by. */
export type Counter = {
  readonly subject: string;
  /** Failures in a row before the next waits: a minute, then twice as long each time, up to a quarter of an hour. */
  readonly max: number;
  /** Begins anew once nothing failed for so long; any other only by what clears it. */
  readonly forgetsMin?: number | undefined;
};

/** Of one account from one network, of a device that signed in to it, and of a session's proofs. */
const guessesMax = 5;

/** Of one account from everywhere; no authenticator may be guessed at more often in a row (NIST SP 800-63B-4, 3.2.2). */
const accountFailuresMax = 100;

/** Of an address over all accounts: more, since many people may share one. */
const addressFailuresMax = 30;
const addressForgetsMin = 15;

/**
 * By what a sign-in is counted. A device that signed in to this account before has an allowance of its own, so that what
 * strangers do costs it nothing. Everybody else has one for the account and their network, and all together one for the
 * account; no account is written as the others' subjects are, which begin with a capital letter.
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

/** By what proofs in a session are counted: nobody but whoever has the session makes it wait. */
export function proofCounters(sessionId: string): readonly Counter[] {
  return [{ subject: `SESSION ${sessionId}`, max: guessesMax }];
}

/** By what second factors are counted, which only somebody with the first one shows; an own device apart, likewise. */
export function codeCounters({
  personId,
  device,
}: {
  personId: string;
  device?: string | undefined;
}): readonly Counter[] {
  return [{ subject: device === undefined ? `CODES ${personId}` : `CODES ${device} ${personId}`, max: guessesMax }];
}

/** A try that was counted as if it had failed, with what stood before. */
export type CountedAttempt = readonly { readonly subject: string; readonly before: string | null }[];

type Row = CountedAttempt[number] & { readonly taken: boolean };

/** Whether a try would have to wait. It only reads, so that whoever asks in a loop writes nothing and holds no row. */
export async function isWaiting(store: Store, counters: readonly Counter[]): Promise<boolean> {
  const { rows } = await store.pool.query<{ waits: boolean }>({
    name: "is-waiting",
    text: `SELECT EXISTS (SELECT FROM sign_in_failure f WHERE f.subject = ANY ($1::text[]) AND NOT (${spare})) AS waits`,
    values: [counters.map(({ subject }) => subject), counters.map(({ max }) => max)],
  });
  return rows[0]?.waits ?? false;
}

/**
 * Counts a try by each of these before it is looked at; undefined where one has to wait, and then nothing is counted. One
 * statement decides, so that however many come at once, at however many processes, no more are looked at than one after
 * the other. It is the same for an account that nobody has.
 */
export async function takeTry(store: Store, counters: readonly Counter[]): Promise<CountedAttempt | undefined> {
  const { rows } = await store.pool.query<Row>({
    name: "take-try",
    text: `WITH asked AS MATERIALIZED (
       SELECT subject, (SELECT f.last_at::text FROM sign_in_failure f WHERE f.subject = asked.subject) AS before
         FROM unnest($1::text[]) asked (subject)
     ), taken AS (
       INSERT INTO sign_in_failure AS f (subject, count, last_at)
       SELECT subject, 1, clock_timestamp() FROM asked ORDER BY subject
       ON CONFLICT (subject) DO UPDATE SET last_at = clock_timestamp(), count = CASE
         WHEN f.last_at < clock_timestamp() - make_interval(mins => ${ofRow("$3")}) THEN 1 ELSE f.count + 1 END
        WHERE ${spare}
       RETURNING subject)
     SELECT subject, before, taken.subject IS NOT NULL AS taken FROM asked LEFT JOIN taken USING (subject)`,
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

/** What was given for the subject of a row. */
function ofRow(list: string): string {
  return `(${list}::int[])[array_position($1::text[], f.subject)]`;
}

/** That a row has failures left, or has waited for long enough. */
const spare = `(f.count < ${ofRow("$2")} OR f.last_at < clock_timestamp()
  - least(interval '15 minutes', interval '1 minute' * power(2, least(f.count - ${ofRow("$2")}, 4))))`;

/** Takes the counting of a try back: it was right, as far as it went. What failed before stays counted. */
export async function giveBackTry(store: Store, tried: CountedAttempt): Promise<void> {
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
