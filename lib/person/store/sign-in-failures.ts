import { appendAudit, auditDetail } from "#lib/audit/store/audit";
import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { personActor } from "./people.ts";
import { forgetOldDevices } from "./known-devices.ts";
import type { Attempt, Counter } from "./sign-in-tries.ts";

/**
 * Puts a sign-in that failed on record, with whose account it was. One statement, and the same for an account that nobody
 * has, so that its time tells nothing; what was typed is never recorded.
 */
export async function recordSignInFailure(
  store: Store,
  { address, personId }: Pick<Attempt, "address"> & { personId: string | undefined },
): Promise<void> {
  await store.pool.query("SELECT audit_append('people', 'nobody', 'person.sign-in-failed', NULL, $1)", [
    auditDetail({ person: personId, address }),
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

/** Begins anew what a success ends: all but what an address failed over all accounts. */
export async function clearFailures(db: Store | Tx, counters: readonly Counter[]): Promise<void> {
  const prisma = "pool" in db ? db.prisma : db;
  const subjects = counters.filter(({ forgetsMin }) => forgetsMin === undefined).map(({ subject }) => subject);
  await prisma.signInFailure.deleteMany({ where: { subject: { in: subjects } } });
}

/** What nobody tried since so long is forgotten: who waits for it gains less than by trying every quarter of an hour. */
const forgottenHours = 24;

/** Forgets old failures, whose accounts are whatever was typed, devices of long ago, and half of a sign-in that nobody went on with. */
export async function forgetSignIns(store: Store): Promise<void> {
  const hours = "clock_timestamp() - make_interval(hours => $1)";
  await store.pool.query(`DELETE FROM sign_in_failure WHERE last_at < ${hours}`, [forgottenHours]);
  await store.pool.query("DELETE FROM sign_in_ticket WHERE expires_at < clock_timestamp()");
  await forgetOldDevices(store);
  // Kept longer than it is good for, since a process's clock may be a little behind.
  await store.pool.query(`DELETE FROM used_passkey_challenge WHERE until < ${hours}`, [forgottenHours]);
}
