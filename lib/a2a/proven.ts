import { provePepper } from "#lib/db/prove-pepper";
import type { Store } from "#lib/db/db";
import { proveServer, UnfitError } from "#lib/db/unfit";

const proofs = new WeakMap<Store, Promise<void>>();

/**
 * Resolves once it is certain that what this process was given fits its database. Fails with `UnfitError` if it does not,
 * and as the database fails; then the next call asks again.
 */
export function proven(store: Store): Promise<void> {
  const known = proofs.get(store);
  if (known) return known;
  const proof = prove(store);
  proofs.set(store, proof);
  proof.catch(() => proofs.delete(store));
  return proof;
}

/** Fails only if what this process was given does not fit: a database that is away is waited for, by `proven`. */
export async function refuseIfUnfit(store: Store): Promise<void> {
  await proven(store).catch((error: unknown) => {
    if (error instanceof UnfitError) throw error;
  });
}

async function prove(store: Store): Promise<void> {
  await proveServer(store);
  await provePepper(store);
}
