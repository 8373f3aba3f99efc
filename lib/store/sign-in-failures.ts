import { auditDetail } from "./audit.ts";
import type { Store, Tx } from "./db.ts";

/** Whose attempt it was: the account that was typed, and where it came from. */
export type Attempt = { readonly account: string; readonly address?: string | undefined };

/** Failures in a row before an account waits: a minute, then twice as long each time, up to a quarter of an hour. */
export const accountFailuresMax = 5;

/** The same for an address, over all accounts: more, since many people may share one. */
const addressFailuresMax = 30;

/** An address that failed for nothing since so long begins anew; an account only by signing in. */
const addressForgetsMin = 15;

/** The network of an address: an IPv6 host has as many addresses as it likes within its own. No account is written so. */
const addressSubject =
  "'ADDRESS ' || host(network(set_masklen($2::inet, CASE family($2::inet) WHEN 4 THEN 32 ELSE 64 END)))";

/** Whether this attempt need not wait: neither its account nor its address failed too often just now. */
export async function signInAllowed(store: Store, { account, address }: Attempt): Promise<boolean> {
  const { rows } = await store.pool.query<{ allowed: boolean }>(
    `SELECT coalesce(bool_and(count < most OR last_at < clock_timestamp() - least(interval '15 minutes', interval '1 minute' * power(2, least(count - most, 4)))), true) AS allowed
       FROM (SELECT count, last_at, CASE WHEN subject = $1 THEN $3::int ELSE $4::int END AS most
               FROM sign_in_failure
              WHERE subject IN ($1, ${addressSubject})
                AND (subject = $1 OR last_at > clock_timestamp() - make_interval(mins => $5))) failed`,
    [account, address ?? null, accountFailuresMax, addressFailuresMax, addressForgetsMin],
  );
  return rows[0]?.allowed ?? true;
}

/**
 * Counts a failure for its account and its address, and puts it on record with whose account it was. One statement, and
 * the same for an account that nobody has, so that its time tells nothing; what was typed is never recorded.
 */
export async function recordSignInFailure(
  store: Store,
  { account, address, personId }: Attempt & { readonly personId: string | undefined },
): Promise<void> {
  await store.pool.query(
    `WITH counted AS (
       INSERT INTO sign_in_failure (subject, count, last_at)
       SELECT subject, 1, clock_timestamp() FROM unnest(ARRAY[$1, ${addressSubject}]) subject WHERE subject IS NOT NULL ORDER BY subject
       ON CONFLICT (subject) DO UPDATE SET last_at = clock_timestamp(), count = CASE
         WHEN sign_in_failure.subject <> $1 AND sign_in_failure.last_at < clock_timestamp() - make_interval(mins => $4) THEN 1
         ELSE sign_in_failure.count + 1 END
       RETURNING count)
     SELECT audit_append('people', 'nobody', 'person.sign-in-failed', NULL, $3) FROM (SELECT count(*) FROM counted) one`,
    [account, address ?? null, auditDetail({ person: personId, address }), addressForgetsMin],
  );
}

/** Puts an attempt on record that had to wait. It counts for nothing, so that nobody keeps an account waiting for ever. */
export async function recordSignInWaiting(
  store: Store,
  { address, personId }: Attempt & { readonly personId: string | undefined },
): Promise<void> {
  await store.pool.query("SELECT audit_append('people', 'nobody', 'person.sign-in-failed', NULL, $1)", [
    auditDetail({ person: personId, address, waiting: true }),
  ]);
}

export async function clearSignInFailures(db: Store | Tx, { account }: Attempt): Promise<void> {
  const prisma = "pool" in db ? db.prisma : db;
  await prisma.signInFailure.deleteMany({ where: { subject: account } });
}
