import type { Store, Tx } from "#lib/db/db";

export type PasskeyRecord = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

/** What somebody has besides the password. */
export type SecondFactors = {
  readonly passkeys: readonly PasskeyRecord[];
  /** Since when an authenticator app's codes count. Undefined if there is none. */
  readonly totpSince: Date | undefined;
  readonly recoveryCodesLeft: number;
};

export async function loadSecondFactors({ prisma }: Store, personId: string): Promise<SecondFactors> {
  const passkeys = await prisma.passkey.findMany({
    where: { personId },
    select: { id: true, name: true, createdAt: true, lastUsedAt: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const totp = await prisma.totp.findUnique({ where: { personId }, select: { confirmedAt: true } });
  const recoveryCodesLeft = await prisma.recoveryCode.count({ where: { personId, usedAt: null } });
  return { passkeys, totpSince: totp?.confirmedAt ?? undefined, recoveryCodesLeft };
}

/** Whether this person needs more than a password: they have a passkey, or an app whose codes count. */
export async function hasSecondFactor(db: Store | Tx, personId: string): Promise<boolean> {
  const prisma = "pool" in db ? db.prisma : db;
  const [row] = await prisma.$queryRaw<{ has: boolean }[]>`
    SELECT EXISTS (SELECT FROM passkey WHERE person_id = ${personId}::uuid)
        OR EXISTS (SELECT FROM totp WHERE person_id = ${personId}::uuid AND confirmed_at IS NOT NULL) AS has`;
  return row?.has ?? false;
}

/** Locks the person until the commit, so that their factors change one after the other. */
export async function lockOwnFactors(tx: Tx, personId: string): Promise<void> {
  await tx.$queryRaw`SELECT FROM person WHERE id = ${personId}::uuid FOR NO KEY UPDATE`;
}

/**
 * After a factor was added: this session counts as having shown it. If it is the first, proofs by password alone end in
 * all other sessions.
 */
export async function markFactorAdded(
  tx: Tx,
  { personId, sessionId, first }: { personId: string; sessionId: string; first: boolean },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE session SET second_factor_at = clock_timestamp() WHERE id = ${sessionId}::uuid AND person_id = ${personId}::uuid`;
  if (!first) return;
  await tx.$executeRaw`
    UPDATE session SET proved_at = least(proved_at, clock_timestamp() - interval '1 day')
     WHERE person_id = ${personId}::uuid AND id <> ${sessionId}::uuid AND revoked_at IS NULL`;
}

/** Removes everything but the password. Returns how many of each. */
export async function deleteSecondFactors(
  tx: Tx,
  personId: string,
): Promise<{ readonly passkeys: number; readonly totp: number; readonly recoveryCodes: number }> {
  const where = { personId };
  const { count: passkeys } = await tx.passkey.deleteMany({ where });
  const { count: totp } = await tx.totp.deleteMany({ where });
  const { count: recoveryCodes } = await tx.recoveryCode.deleteMany({ where });
  await tx.signInTicket.deleteMany({ where });
  return { passkeys, totp, recoveryCodes };
}

/** Recovery codes are removed with the last factor they replace. */
export async function dropUnneededCodes(tx: Tx, personId: string): Promise<void> {
  if (!(await hasSecondFactor(tx, personId))) await tx.recoveryCode.deleteMany({ where: { personId } });
}
