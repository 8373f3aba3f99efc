import type { Store, Tx } from "#lib/db/db";
import { now } from "#lib/platform/now";

/** A code as it is kept: what finds it, and argon2id of the rest. */
export type KeptCode = { readonly tag: string; readonly hash: string };

/** Keeps these and voids all before them. */
export async function replaceRecoveryCodes(tx: Tx, personId: string, codes: readonly KeptCode[]): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { personId } });
  await tx.recoveryCode.createMany({ data: codes.map((code) => ({ personId, ...code })) });
}

/** The hash of an unused code of this person that begins so. */
export async function recoveryHash({ prisma }: Store, personId: string, tag: string): Promise<string | undefined> {
  return (await prisma.recoveryCode.findFirst({ where: { personId, tag, usedAt: null } }))?.hash;
}

/** Spends a code: of as many as show it at once, one. */
export async function spendRecoveryCode(tx: Tx, { personId, tag, hash }: KeptCode & { personId: string }) {
  const { count } = await tx.recoveryCode.updateMany({
    where: { personId, tag, hash, usedAt: null },
    data: { usedAt: now() },
  });
  return count === 1;
}
