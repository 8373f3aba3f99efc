import { assert } from "#lib/platform/result";
import type { Prisma } from "#lib/db/generated/prisma/client";
import type { PracticeKeys } from "./practice-keys.ts";
import type { Sealer } from "./seal.ts";

/** What a store has and its transactions take from it. */
type Owner = { readonly keys: PracticeKeys; readonly sealer: Sealer };

const owners = new WeakMap<Prisma.TransactionClient, Owner>();

/** Notes which store began this transaction. */
export function noteTransaction(tx: Prisma.TransactionClient, { keys, sealer }: Owner): void {
  owners.set(tx, { keys, sealer });
}

/** The keys of a store, or of the store that began a transaction. */
export function keysOf(db: Pick<Owner, "keys"> | Prisma.TransactionClient): PracticeKeys | undefined {
  return "keys" in db ? db.keys : owners.get(db)?.keys;
}

/** The sealer of a store, or of the store that began a transaction. */
export function sealerOf(db: Owner | Prisma.TransactionClient): Sealer {
  const owner = "sealer" in db ? db : owners.get(db);
  assert(owner, "values are sealed in a store, or in a transaction that a store began");
  return owner.sealer;
}
