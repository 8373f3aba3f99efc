import type { Pool } from "pg";
import type { Prisma } from "#lib/db/generated/prisma/client";
import { createPlaces, type Places } from "#lib/platform/http/places";
import { createOutage, type Outage } from "./reach.ts";
import { keysOf, type PracticeKeys } from "./practice-keys.ts";
import { failingOf } from "./retry.ts";
import { lockMs } from "./silence.ts";
import { PracticeHeldUpError } from "./unavailable.ts";

/** Most of a process's connections that the changes of one practice hold at once, as a part of all of them. */
const shareOfConnections = 1 / 4;

/**
 * How long a change waits for a place in the share. Several lock waits long, because the changes ahead of it finish while
 * the chain's lock is free. Once somebody keeps the chain locked, whoever gets a place is refused at once.
 */
const placeMs = 4 * lockMs;

/** After a failed try at a locked chain, how long until the next one. */
const tryEveryMs = 1_000;

/** A chain of the audit log whose lock timed out for somebody, and which nobody has locked since. */
type Stuck = { readonly outage: Outage; isTried: boolean; triedAt: number };

/** What is needed of a store; one narrowed to some practices names the whole one. */
type Owner = { readonly keys: PracticeKeys; readonly pool: Pool; readonly whole?: { readonly pool: Pool } };

type Shares = { readonly places: Places; readonly stuck: Map<string, Stuck> };

/** By the keys, which a store, those narrowed to some practices and their transactions have in common. */
const sharesByKeys = new WeakMap<object, Shares>();

/**
 * Does what changes a practice within the practice's share of the connections: changes of one practice wait for each
 * other at its audit chain, and while somebody keeps that locked they would wait with every connection there is. Fails
 * with `PracticeHeldUpError` where its share is not free in time.
 */
export async function inPracticeShare<Value>(
  store: Owner,
  practice: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const { places, stuck } = sharesOf(store);
  refuseStuck(stuck.get(practice));
  const leave = await places.enter(practice);
  if (!leave) throw busy();
  try {
    refuseStuck(stuck.get(practice));
    return await work();
  } finally {
    leave();
  }
}

/**
 * Does what takes the lock of an audit chain. Once nobody has got it for as long as it is waited for, one at a time tries
 * again, a second after the one before, and all others fail at once with `PracticeHeldUpError`.
 */
export async function lockingChain<Value>(
  db: Owner | Prisma.TransactionClient,
  chain: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const keys = keysOf(db);
  if (!keys) return work();
  const { stuck } = sharesByKeys.get(keys) ?? { stuck: new Map<string, Stuck>() };
  const known = stuck.get(chain);
  refuseStuck(known);
  if (known) known.isTried = true;
  try {
    const value = await work();
    stuck.delete(chain);
    return value;
  } catch (error) {
    if (failingOf(error) === "locked") noteLocked(stuck, chain);
    throw error;
  } finally {
    if (known) Object.assign(known, { isTried: false, triedAt: performance.now() });
  }
}

/** Whether somebody waited for a chain in vain, and nobody has got it since: whoever shares a statement waits too. */
export function isChainSuspected(store: Owner, chain: string): boolean {
  return sharesOf(store).stuck.has(chain);
}

function noteLocked(stuck: Map<string, Stuck>, chain: string): void {
  const known = stuck.get(chain) ?? { outage: createOutage(lockMs), isTried: false, triedAt: performance.now() };
  known.outage.failed(lockMs);
  stuck.set(chain, known);
}

function refuseStuck(stuck: Stuck | undefined): void {
  if (stuck?.outage.lasts() !== true) return;
  if (stuck.isTried || performance.now() - stuck.triedAt < tryEveryMs) throw busy();
}

function busy(): PracticeHeldUpError {
  return new PracticeHeldUpError("Somebody keeps the practice's audit chain locked.");
}

function sharesOf(store: Owner): Shares {
  const { keys } = store;
  const known = sharesByKeys.get(keys);
  if (known) return known;
  const most = (store.whole ?? store).pool.options.max;
  const each = Math.max(2, Math.ceil(most * shareOfConnections));
  const shares = {
    places: createPlaces({ most: Number.POSITIVE_INFINITY, each, waitingEach: 1_000, waitMs: placeMs }),
    stuck: new Map<string, Stuck>(),
  };
  sharesByKeys.set(keys, shares);
  return shares;
}
