import type { Prisma } from "#lib/db/generated/prisma/client";
import type { PracticeKeys } from "./practice-keys.ts";

type HasKeys = { readonly keys: PracticeKeys };

const keysByTransaction = new WeakMap<Prisma.TransactionClient, PracticeKeys>();

/** Tells whose transaction this is. */
export function noteTransaction(tx: Prisma.TransactionClient, { keys }: HasKeys): void {
  keysByTransaction.set(tx, keys);
}

/** The keys behind a store or one of its transactions. */
export function keysOf(db: HasKeys | Prisma.TransactionClient): PracticeKeys | undefined {
  return "keys" in db ? db.keys : keysByTransaction.get(db);
}
