import type { Store, Tx } from "#lib/db/db";
import { openText, sealText } from "#lib/db/sealed";

/** Sealed under the service's own key, bound to its person. */
const rowOf = (personId: string) => ({ row: personId, practiceId: `person:${personId}` });

export type Totp = {
  /** Base32. */
  readonly secret: string;
  readonly createdAt: Date;
  readonly confirmed: boolean;
  readonly lastTimeStep: number;
};

export async function loadTotp(store: Store, personId: string): Promise<Totp | undefined> {
  const row = await store.prisma.totp.findUnique({ where: { personId } });
  if (!row) return undefined;
  await store.keys.ready([]);
  const secret = openText(store, "totp.secret", rowOf(personId), row.secret);
  return { secret, createdAt: row.createdAt, confirmed: row.confirmedAt !== null, lastTimeStep: row.lastTimeStep };
}

/** Stores a secret that does not count yet, in place of another such one. False if one counts already. */
export async function keepTotp(store: Store, personId: string, secret: string): Promise<boolean> {
  await store.keys.ready([]);
  const sealed = sealText(store, "totp.secret", rowOf(personId), secret);
  const { rowCount } = await store.pool.query(
    `INSERT INTO totp (person_id, secret) VALUES ($1, $2)
     ON CONFLICT (person_id) DO UPDATE SET secret = $2, created_at = clock_timestamp(), last_time_step = 0
      WHERE totp.confirmed_at IS NULL`,
    [personId, sealed],
  );
  return rowCount === 1;
}

/** Makes the app's codes count from now on, except this one. False if they do already, or the secret was replaced. */
export async function confirmTotpRow(
  tx: Tx,
  { personId, createdAt, timeStep }: { personId: string; createdAt: Date; timeStep: number },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE totp SET confirmed_at = clock_timestamp(), last_time_step = ${timeStep}
     WHERE person_id = ${personId}::uuid AND confirmed_at IS NULL
       AND date_trunc('milliseconds', created_at) = ${createdAt}::timestamptz`;
  return count === 1;
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
