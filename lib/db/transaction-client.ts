import { AsyncLocalStorage } from "node:async_hooks";
import type { PoolClient, QueryResult } from "pg";
import type { Prisma } from "#lib/db/generated/prisma/client";
import type { Statement } from "./statement.ts";
import { onePerProcess } from "#lib/platform/process/one-per-process";

/** What statements of a transaction are asked of. */
export type Asking = { readonly query: (statement: Statement) => Promise<QueryResult> };

/** The connection that a transaction was given, for as long as the transaction has it. */
export type HeldClient = { client?: Asking | undefined; isTaken: boolean };

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
  Object.assign(held, { client: oneByOne(client, held), isTaken: true });
  return () => void (held.client = undefined);
}

/** Statements that are asked for at once take turns, as long as the transaction has the connection. */
function oneByOne(client: PoolClient, held: HeldClient): Asking {
  let before: Promise<unknown> = Promise.resolve();
  return {
    query: ({ name, text, values }) => {
      const answer = before.then(() => {
        if (!held.client) throw new Error("The transaction has ended.");
        return client.query({ ...(name && { name }), text, values: [...values] });
      });
      before = answer.catch(() => undefined);
      return answer;
    },
  };
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
export function clientOf(tx: Prisma.TransactionClient): Asking | undefined {
  return clients.get(tx)?.client;
}
