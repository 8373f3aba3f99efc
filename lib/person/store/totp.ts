import type { Store, Tx } from "#lib/db/db";
import type { Totp as TotpRow } from "#lib/db/generated/prisma/client";
import { openText, sealText } from "#lib/db/sealed";
import { nowMs } from "#lib/platform/now";

/** Sealed under the service's own key, bound to its person. */
const rowOf = (personId: string) => ({ row: personId, practiceId: `person:${personId}` });

export type Totp = {
  /** Base32. */
  readonly secret: string;
  readonly createdAt: Date;
  readonly confirmed: boolean;
  readonly lastTimeStep: number;
};

/** The minutes within which a new secret can be confirmed. */
const offerMinutes = 15;

export async function loadTotp(store: Store, personId: string): Promise<Totp | undefined> {
  return openTotp(store, await store.prisma.totp.findUnique({ where: { personId } }));
}

/** The new secret that this session made, as long as it can be confirmed. */
export async function loadOfferedTotp(store: Store, { personId, sessionId }: OfferOwner): Promise<Totp | undefined> {
  const since = new Date(nowMs() - offerMinutes * 60_000);
  const where = { personId, sessionId, confirmedAt: null, createdAt: { gt: since } };
  return openTotp(store, await store.prisma.totp.findFirst({ where }));
}

async function openTotp(store: Store, row: TotpRow | null): Promise<Totp | undefined> {
  if (!row) return undefined;
  await store.keys.ready([]);
  const secret = openText(store, "totp.secret", rowOf(row.personId), row.secret);
  return { secret, createdAt: row.createdAt, confirmed: row.confirmedAt !== null, lastTimeStep: row.lastTimeStep };
}

type OfferOwner = { readonly personId: string; readonly sessionId: string };

/** Stores a secret that does not count yet, in place of another such one. False if one counts already. */
export async function keepTotp(store: Store, { personId, sessionId }: OfferOwner, secret: string): Promise<boolean> {
  await store.keys.ready([]);
  const sealed = sealText(store, "totp.secret", rowOf(personId), secret);
  const { rowCount } = await store.pool.query(
    `INSERT INTO totp (person_id, secret, session_id) VALUES ($1, $2, $3)
     ON CONFLICT (person_id) DO UPDATE SET secret = $2, session_id = $3, created_at = clock_timestamp(), last_time_step = 0
      WHERE totp.confirmed_at IS NULL`,
    [personId, sealed, sessionId],
  );
  return rowCount === 1;
}

/**
 * Makes the app's codes count from now on, except this one. False if they do already, or the secret was replaced or
 * dropped.
 */
export async function confirmTotpRow(
  tx: Tx,
  { personId, createdAt, timeStep }: { personId: string; createdAt: Date; timeStep: number },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE totp SET confirmed_at = clock_timestamp(), last_time_step = ${timeStep}, session_id = NULL
     WHERE person_id = ${personId}::uuid AND confirmed_at IS NULL
       AND date_trunc('milliseconds', created_at) = ${createdAt}::timestamptz`;
  return count === 1;
}

/** Drops a new secret that was not confirmed: whoever made it may not be the person. */
export async function dropOfferedTotp(
  tx: Tx,
  { personId, only, except }: { personId: string; only?: string | undefined; except?: string | undefined },
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM totp WHERE person_id = ${personId}::uuid AND confirmed_at IS NULL
       AND (${only ?? null}::uuid IS NULL OR session_id = ${only ?? null}::uuid)
       AND (${except ?? null}::uuid IS NULL OR session_id IS DISTINCT FROM ${except ?? null}::uuid)`;
}

/** Deletes new secrets that nobody can confirm any more. */
export async function forgetOfferedTotps(store: Store): Promise<void> {
  await store.pool.query(
    "DELETE FROM totp WHERE confirmed_at IS NULL AND created_at < clock_timestamp() - make_interval(mins => $1)",
    [offerMinutes],
  );
}

/** Spends a code. If it is shown several times at once, only one succeeds. */
export async function spendTimeStep(
  tx: Tx,
  { personId, timeStep }: { personId: string; timeStep: number },
): Promise<boolean> {
  const { count } = await tx.totp.updateMany({
    where: { personId, confirmedAt: { not: null }, lastTimeStep: { lt: timeStep } },
    data: { lastTimeStep: timeStep },
  });
  return count === 1;
}

/** Returns whether there was one that counted. */
export async function deleteTotp(tx: Tx, personId: string): Promise<boolean> {
  const { count } = await tx.totp.deleteMany({ where: { personId, confirmedAt: { not: null } } });
  return count === 1;
}
