import { appendAudit } from "#lib/audit/shared/append-audit";
import { auditDetail } from "#lib/audit/model/entry";
import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { personActor } from "./people.ts";
import { forgetOldDevices } from "./known-devices.ts";
import type { Attempt, Counter } from "./sign-in-tries.ts";

/**
 * Records a failed sign-in with the person whose account it was. One statement, which does the same for an unknown
 * account, so that its time reveals nothing. What was typed is never recorded.
 */
export async function recordSignInFailure(
  store: Store,
  { address, personId }: Pick<Attempt, "address"> & { personId: string | undefined },
): Promise<void> {
  await store.pool.query("SELECT audit_append('people', 'nobody', 'person.sign-in-failed', NULL, $1)", [
    auditDetail({ person: personId, address }),
  ]);
}

/** Records that somebody signed in typed a wrong password where they prove again who they are; never what was typed. */
export async function recordWrongProof(store: Store, personId: string): Promise<void> {
  await recordAsOwn(store, personId, "person.proof-failed");
}

/** Records that a second factor was wrong; never what was typed. */
export async function recordWrongFactor(store: Store, personId: string): Promise<void> {
  await recordAsOwn(store, personId, "person.second-factor-failed");
}

async function recordAsOwn(
  store: Store,
  personId: string,
  act: "person.proof-failed" | "person.second-factor-failed",
): Promise<void> {
  const entry = { chain: "people", actor: personActor(personId), act, detail: { person: personId } } as const;
  await inTransaction(store, (tx) => appendAudit(tx, entry));
}

/** Resets the counters that a success ends: all but an address's failures over all accounts. */
export async function clearFailures(db: Store | Tx, counters: readonly Counter[]): Promise<void> {
  const prisma = "pool" in db ? db.prisma : db;
  const subjects = counters.filter(({ forgetsMin }) => forgetsMin === undefined).map(({ subject }) => subject);
  await prisma.signInFailure.deleteMany({ where: { subject: { in: subjects } } });
}

/**
 * Counters are deleted after this time without a try: waiting for it gains less than trying every quarter of an hour.
 */
const forgottenHours = 24;

/** Deletes old failure counters, old devices, and sign-ins that were begun and not finished. */
export async function forgetSignIns(store: Store): Promise<void> {
  const hours = "clock_timestamp() - make_interval(hours => $1)";
  await store.pool.query(`DELETE FROM sign_in_failure WHERE last_at < ${hours}`, [forgottenHours]);
  await store.pool.query("DELETE FROM sign_in_ticket WHERE expires_at < clock_timestamp()");
  await forgetOldDevices(store);
  // Kept longer than it is valid, because a process's clock may be slow.
  await store.pool.query(`DELETE FROM used_passkey_challenge WHERE until < ${hours}`, [forgottenHours]);
}
