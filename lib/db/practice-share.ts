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

/** A chain of the audit log that somebody here waits for, or whose lock timed out for somebody and was not had since. */
type Chain = { readonly outage: Outage; waiting: number; isTried: boolean; triedAt: number };

/** What is needed of a store; one narrowed to some practices names the whole one. */
type Owner = { readonly keys: PracticeKeys; readonly pool: Pool; readonly whole?: { readonly pool: Pool } };

type Shares = { readonly places: Places; readonly chains: Map<string, Chain> };

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
  const { places, chains } = sharesOf(store);
  refuseStuck(chains.get(practice));
  const leave = await places.enter(practice);
  if (!leave) throw busy();
  try {
    refuseStuck(chains.get(practice));
    return await work();
  } finally {
    leave();
  }
}

/**
 * Does what takes the lock of an audit chain. Once nobody has got it for as long as it is waited for, one at a time tries
 * again, a second after the one before, and all others fail at once with `PracticeHeldUpError`. Where somebody else got it
 * in the meantime, only who waited too long fails: many wait for it, and nobody keeps it locked.
 */
export async function lockingChain<Value>(
  db: Owner | Prisma.TransactionClient,
  chain: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const keys = keysOf(db);
  if (!keys) return work();
  const { chains } = sharesByKeys.get(keys) ?? { chains: new Map<string, Chain>() };
  const known = chains.get(chain) ?? { outage: createOutage(lockMs), waiting: 0, isTried: false, triedAt: -Infinity };
  refuseStuck(known);
  const isTrial = known.outage.isSuspected();
  if (isTrial) known.isTried = true;
  known.waiting += 1;
  chains.set(chain, known);
  try {
    const value = await work();
    known.outage.succeeded();
    return value;
  } catch (error) {
    if (failingOf(error) === "locked") noteLocked(known);
    throw error;
  } finally {
    known.waiting -= 1;
    if (isTrial) Object.assign(known, { isTried: false, triedAt: performance.now() });
    if (known.waiting === 0 && !known.outage.isSuspected()) chains.delete(chain);
  }
}

/** Whether somebody waited for a chain in vain, and nobody has got it since: whoever shares a statement waits too. */
export function isChainSuspected(store: Owner, chain: string): boolean {
  return sharesOf(store).chains.get(chain)?.outage.isSuspected() === true;
}

function noteLocked(known: Chain): void {
  const isFirst = !known.outage.isSuspected();
  known.outage.failed(lockMs);
  if (isFirst) known.triedAt = performance.now();
}

function refuseStuck(known: Chain | undefined): void {
  if (known?.outage.lasts() !== true) return;
  if (known.isTried || performance.now() - known.triedAt < tryEveryMs) throw busy();
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
    chains: new Map<string, Chain>(),
  };
  sharesByKeys.set(keys, shares);
  return shares;
}
