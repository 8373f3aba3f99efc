import { AsyncLocalStorage } from "node:async_hooks";
import type { PoolClient } from "pg";
import type { Prisma } from "#lib/db/generated/prisma/client";
import { onePerProcess } from "#lib/platform/process/one-per-process";

/** The connection that a transaction of Prisma's was given, for as long as the transaction has it. */
export type HeldClient = { client?: PoolClient | undefined; isTaken: boolean };

/** The one of this process, because the server's copy of this module opened the pool that listens. */
const heldOfCall = onePerProcess("transaction-client", () => new AsyncLocalStorage<HeldClient>());

/** Begins a transaction, and holds the connection it is given. */
export function holdingClient<Value>(held: HeldClient, begin: () => Promise<Value>): Promise<Value> {
  return heldOfCall.run(held, begin);
}

/** What a pool calls with each connection it gives; what it gives back is to be called when the transaction ends. */
export function noteClient(client: PoolClient): (() => void) | undefined {
  const held = heldOfCall.getStore();
  if (!held || held.isTaken) return undefined;
  Object.assign(held, { client, isTaken: true });
  return () => void (held.client = undefined);
}

/** Whether whoever asks runs within a transaction that is still open. */
export function isInTransaction(): boolean {
  return heldOfCall.getStore()?.client !== undefined;
}

const clients = new WeakMap<Prisma.TransactionClient, HeldClient>();

export function noteHeld(tx: Prisma.TransactionClient, held: HeldClient): void {
  clients.set(tx, held);
}

/**
 * The connection of a transaction, for statements that need nothing of Prisma, which takes each value of a row apart once
 * more. Undefined once the transaction is told to end: whoever comes too late asks Prisma, which refuses.
 */
export function clientOf(tx: Prisma.TransactionClient): PoolClient | undefined {
  return clients.get(tx)?.client;
}
