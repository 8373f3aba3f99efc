import type { Pool, Query } from "pg";
import type { PersonActor } from "#lib/access/model/actor";
import type { CrossingReason } from "./crossings.ts";
import type { PrismaClient } from "#lib/db/generated/prisma/client";
import { type Store, unscoped } from "./db.ts";
import { retried } from "./retry.ts";
import {
  queryInScope,
  inTenantScope,
  everyPractice,
  scopeStatement,
  scopeText,
  type TenantScope,
} from "./tenant-scope.ts";

/**
 * The same store, where the database itself shows and takes rows of these practices alone, whatever a query forgot to
 * ask. Every statement runs in a transaction that says so: on its own connection, never on a connection's past.
 */
export function forPractices(store: Store, practices: readonly string[]): Store {
  return within(unscoped(store), [...practices].sort());
}

/**
 * The same store over every practice. The reason is one of a list, and a test compares the list with the places that
 * give it, so a new place that acts across practices is noticed.
 */
export function acrossPractices(store: Store, _reason: CrossingReason): Store {
  const whole = unscoped(store);
  let across = stores.get(whole);
  if (!across) stores.set(whole, (across = within(whole, everyPractice)));
  return across;
}

/** One per process: Prisma's client would be extended anew for each statement. */
const stores = new WeakMap<Store, Store>();

function within(whole: Store, scope: TenantScope): Store {
  let prisma: PrismaClient | undefined;
  return {
    ...whole,
    ...{ whole, scope, pool: poolWithin(whole.pool, scope) },
    // Made on first use, because extending the client takes longer than most calls.
    get prisma() {
      return (prisma ??= prismaWithin(whole, scope));
    },
  };
}

/**
 * The store as a person sees it: a reviewer's practices and no others. Whoever administers or audits works over all of
 * them, each verb by its own rule.
 */
export function storeForPerson(store: Store, { roles, practices }: PersonActor): Store {
  return roles.every((role) => role === "reviewer")
    ? forPractices(store, practices)
    : acrossPractices(store, "administration");
}

/** Statements alone; `inTransaction` says the scope itself. */
function prismaWithin({ prisma }: Store, scope: TenantScope): PrismaClient {
  const practices = scopeText(scope);
  const scoped = prisma.$extends({
    query: {
      async $allOperations({ operation, args, query }) {
        if (!operation.startsWith("findUnique")) return inTenantScope(practices, async () => query(args));
        // Look-ups of one row by different people in one moment would become one statement, outside of a transaction.
        const look = () =>
          prisma.$transaction([
            prisma.$executeRawUnsafe(scopeStatement(scope)),
            // Safe because what a client's own query gives may stand in its batch, as Prisma's guide to policies has it.
            query(args) as never,
          ]);
        const [, answer] = await retried(look, { repeatable: true });
        return answer;
      },
    },
  });
  // Safe because it has every operation of the client it extends, with the same answers.
  return scoped as unknown as PrismaClient;
}

/** Of a pool, only `query`: who takes a connection of their own begins a transaction and says the scope there. */
function poolWithin(pool: Pool, scope: TenantScope): Pool {
  const practices = scopeText(scope);
  const query = (...args: ConstructorParameters<typeof Query>) => queryInScope(pool, practices, args);
  const connect = () => Promise.reject(new Error("A connection is taken from the whole store, and says its scope."));
  // Safe because nothing else of a pool is used by who is given one.
  return { query, connect } as unknown as Pool;
}
