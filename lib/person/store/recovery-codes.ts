import type { Store, Tx } from "#lib/db/db";
import { now } from "#lib/platform/now";

/** A stored code: the part that finds it, and argon2id of the rest. */
export type KeptCode = { readonly tag: string; readonly hash: string };

/** Stores these and voids all earlier ones. */
export async function replaceRecoveryCodes(tx: Tx, personId: string, codes: readonly KeptCode[]): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { personId } });
  await tx.recoveryCode.createMany({ data: codes.map((code) => ({ personId, ...code })) });
}

/** The hash of an unused code of this person with this first part. */
export async function recoveryHash({ prisma }: Store, personId: string, tag: string): Promise<string | undefined> {
  return (await prisma.recoveryCode.findFirst({ where: { personId, tag, usedAt: null } }))?.hash;
}

/** Spends a code. If it is shown several times at once, only one succeeds. */
export async function spendRecoveryCode(tx: Tx, { personId, tag, hash }: KeptCode & { personId: string }) {
  const { count } = await tx.recoveryCode.updateMany({
    where: { personId, tag, hash, usedAt: null },
    data: { usedAt: now() },
  });
  return count === 1;
}
