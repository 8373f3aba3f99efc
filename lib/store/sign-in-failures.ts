import { appendAudit, auditDetail } from "./audit.ts";
import { inTransaction, type Store, type Tx } from "./db.ts";
import { personActor } from "./people.ts";
import type { Attempt } from "./sign-in-tries.ts";

/**
 * Puts a sign-in that failed on record, with whose account it was and whether it had to wait. One statement, and the
 * same for an account that nobody has, so that its time tells nothing; what was typed is never recorded.
 */
export async function recordSignInFailure(
  store: Store,
  {
    address,
    personId,
    waiting,
  }: Pick<Attempt, "address"> & { personId: string | undefined; waiting?: true | undefined },
): Promise<void> {
  await store.pool.query("SELECT audit_append('people', 'nobody', 'person.sign-in-failed', NULL, $1)", [
    auditDetail({ person: personId, address, waiting }),
  ]);
}

/** Puts on record that a second factor was not shown; never what was typed. */
export async function recordWrongFactor(store: Store, personId: string): Promise<void> {
  await inTransaction(store, (tx) =>
    appendAudit(tx, {
      chain: "people",
      actor: personActor(personId),
      act: "person.second-factor-failed",
      detail: { person: personId },
    }),
  );
}

export async function clearSignInFailures(db: Store | Tx, { account }: Attempt): Promise<void> {
  const prisma = "pool" in db ? db.prisma : db;
  await prisma.signInFailure.deleteMany({ where: { subject: account } });
}

/** What nobody tried since so long is forgotten: who waits for it gains less than by trying every quarter of an hour. */
const forgottenHours = 24;

/** Forgets old failures, whose accounts are whatever was typed, and half of a sign-in that nobody went on with. */
export async function forgetSignIns(store: Store): Promise<void> {
  const hours = "clock_timestamp() - make_interval(hours => $1)";
  await store.pool.query(`DELETE FROM sign_in_failure WHERE last_at < ${hours}`, [forgottenHours]);
  await store.pool.query("DELETE FROM sign_in_ticket WHERE expires_at < clock_timestamp()");
  await store.pool.query("DELETE FROM passkey_challenge WHERE expires_at < clock_timestamp()");
}
