import type { Logger } from "pino";
import type { SignedHead } from "#lib/audit/heads";
import { readChainHeads, type ChainHead } from "#lib/audit/shared/chain-heads";
import type { Store } from "#lib/db/db";
import { readDatabaseIdentity, readFence, type Fence } from "#lib/db/fence";
import { withdrawRecordStops, writeRecordStops } from "#lib/submission/shared/record-stops";
import { type ComparedDatabase, findComparing } from "#lib/submission/store/worker-heartbeats";
import { findLacking, findStart, hasLedger, knowLedger } from "#lib/submission/store/seen-places";
import {
  createLedger,
  openWriter,
  readLedger,
  readLedgerId,
  readRecovered,
  removeOldFiles,
  type LedgerContent,
  type LedgerLine,
  type LedgerWriter,
  type SeenDatabase,
  type SeenPlace,
} from "./ledger-files.ts";

/** A submission about to leave. */
type Starting = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly gateId: string;
  readonly attempt: number;
};

/** Prevents submissions from a database that has lost entries, for example one restored from a backup. */
export type Guard = {
  /**
   * Whether this worker may submit at all. It may not if its ledger is empty, the database knows another ledger, and no
   * worker with one compares this database now.
   */
  readonly isKnown: () => boolean;
  /**
   * Whether heads of this chain must not be signed: the chain lacks an entry that was seen, or nothing has been
   * compared yet.
   */
  readonly isStopped: (chain: string) => boolean;
  /** Whether any chain is stopped. */
  readonly hasStops: () => boolean;
  /** The database as it was compared last; undefined while it lacks an entry, or nothing was compared. */
  readonly compared: () => ComparedDatabase | undefined;
  /**
   * Compares the database with what was seen of it, stops chains that lack an entry, and notes new entries in the
   * ledger. Rejects if the database does not answer; then nothing may be submitted on an earlier comparison.
   */
  readonly check: () => Promise<void>;
  readonly fence: Fence;
  /**
   * Notes on disk that a submission is about to start. False if the database has no record of the start; then nothing
   * may be sent.
   */
  readonly noteStart: (starting: Starting) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

type Settings = {
  readonly store: Store;
  readonly log: Logger;
  /** Where the ledger is, outside the database and its backups. */
  readonly folder: string;
  /** Signed heads that were exported elsewhere, their signatures checked. */
  readonly heads?: readonly SignedHead[] | undefined;
  /** A person allows this folder to become a ledger although the database already knows another. */
  readonly adopt?: boolean | undefined;
};

type Writers = { readonly places: LedgerWriter; readonly started: LedgerWriter };

/** When the file of places reaches this size, it is rewritten with the last place of each chain. */
const placesBytesMax = 1_000_000;
/** A file of places is touched at least this often, to show that its process is running. */
const touchMs = 3_600_000;

/** What this process knows of its ledger, and of the database when it last looked. */
type GuardState = Settings & {
  readonly places: Map<string, SeenPlace>;
  /** The chains that lack an entry. */
  readonly stopped: Set<string>;
  database: SeenDatabase | undefined;
  /** Undefined while the ledger does not belong to this database. */
  writers: Writers | undefined;
  /** Whether everything has been compared at least once. */
  isCompared: boolean;
  isWritable: boolean;
  touchedAt: number;
  reportedUnknown: boolean;
};

/**
 * Opens the ledger in the folder. Begins one if no database entry names a ledger yet, if a worker with one compares the
 * database now, or if `adopt` is set.
 */
export async function openGuard(settings: Settings): Promise<Guard> {
  const known: GuardState = {
    ...settings,
    places: new Map(),
    stopped: new Set(),
    database: undefined,
    writers: undefined,
    isCompared: false,
    isWritable: true,
    touchedAt: 0,
    reportedUnknown: false,
  };
  await openLedger(known);
  return {
    isKnown: () => known.writers !== undefined && known.isWritable,
    isStopped: (chain) => known.writers === undefined || known.stopped.has(chain),
    hasStops: () => known.stopped.size > 0,
    compared: () => comparedOf(known),
    check: () => check(known),
    fence: fenceOf(known),
    noteStart: (starting) => noteStart(known, starting),
    close: async () => {
      await Promise.all([known.writers?.places.close(), known.writers?.started.close()]);
    },
  };
}

/** Does nothing if the ledger is open already. If it was empty, a person may have begun it in the meantime. */
async function openLedger(known: GuardState): Promise<void> {
  const { store, log, folder, heads = [], adopt = false } = known;
  if (known.writers) return;
  const there = await readLedgerId(folder);
  const begins = there === undefined && (adopt || !(await hasLedger(store)));
  const beside = there === undefined && !begins ? await comparedByOthers(known) : undefined;
  const id = begins || beside ? await createLedger(folder) : there;
  if (id === undefined) {
    if (!known.reportedUnknown)
      log.error(
        { folder },
        "nothing is submitted: this ledger is empty and the database knows another; start a worker that has its ledger, or run pa recover",
      );
    known.reportedUnknown = true;
    return;
  }
  await knowLedger(store, id);
  const content = await readLedger(folder);
  for (const place of placesOf(content, heads)) known.places.set(place.chain, place);
  known.database = content.database ?? beside;
  if (beside) log.info({ folder }, "another worker compares this database: this ledger begins beside its own");
  known.writers = { places: await openWriter(folder, "places"), started: await openWriter(folder, "started") };
}

/** The database as workers with a ledger compare it now, of which this one has seen nothing yet. */
async function comparedByOthers({ store }: GuardState): Promise<SeenDatabase | undefined> {
  const { identity, lsn } = await readDatabaseIdentity(store);
  const heldBefore = await findComparing(store, identity);
  return heldBefore && { at: Date.now(), identity, lsn: String(lsn), since: heldBefore.getTime() };
}

function comparedOf({ writers, database, stopped, isCompared, isWritable }: GuardState): ComparedDatabase | undefined {
  if (!writers || !database || !isCompared || !isWritable || stopped.size > 0) return undefined;
  return { identity: database.identity, heldBefore: new Date(database.since) };
}

async function check(known: GuardState): Promise<void> {
  await openLedger(known);
  if (!known.writers) return;
  if (known.stopped.size > 0) await reread(known);
  const { store, log, places, stopped, database } = known;
  const { identity, lsn, now } = await readDatabaseIdentity(store);
  const isSame = database?.identity === identity && lsn >= BigInt(database.lsn);
  if (database && !isSame)
    log.warn({ identity }, "the database is another than before: what was released in it is held again");
  const isIdle = isSame && database?.lsn === String(lsn) && stopped.size === 0;
  // Nothing has been written to the cluster since the last check.
  if (isIdle && known.isCompared && known.isWritable && Date.now() - known.touchedAt < touchMs) return;
  const there = await readChainHeads(store);
  await stopLacking(known, isSame && known.isCompared ? comparable(places, there) : [...places.values()]);
  const at = Date.now();
  const moved = there.filter(({ chain, hash }) => places.get(chain)?.hash !== hash && !stopped.has(chain));
  const good = moved.map((head) => ({ ...head, at }));
  for (const place of good) {
    // A submission may have been noted after the heads were read.
    if (place.seq > (places.get(place.chain)?.seq ?? 0)) places.set(place.chain, place);
  }
  const since = isSame && database ? database.since : now.getTime();
  known.database = { at, identity, lsn: String(lsn), since };
  await keep(known, { good, isSame, at });
}

/** A person may have recovered chains in the meantime. */
async function reread(known: GuardState): Promise<void> {
  const { store, log, folder, places, stopped } = known;
  const content = await readRecovered(folder);
  const recovered = [...places.values()].filter(
    ({ chain, at }) => stopped.has(chain) && at <= (content.recovered.get(chain) ?? 0),
  );
  for (const { chain } of recovered) {
    stopped.delete(chain);
    places.delete(chain);
    log.warn({ chain }, "the record was recovered: submissions go on");
  }
  if (recovered.length > 0) await withdrawRecordStops(store, recovered);
  if (content.database && content.database.at > (known.database?.at ?? 0)) known.database = content.database;
}

/** Stops chains that lack one of these entries. Repeated on each check, in case somebody cleared a stop too early. */
async function stopLacking({ store, log, places, stopped }: GuardState, seen: readonly SeenPlace[]): Promise<void> {
  for (const { chain, seq } of await findLacking(store, seen)) {
    if (stopped.has(chain)) continue;
    stopped.add(chain);
    log.error({ chain, seq }, "nothing is submitted: the record lacks an entry that was seen; run pa recover");
  }
  if (stopped.size === 0) return;
  await writeRecordStops(
    store,
    [...places.values()].filter(({ chain }) => stopped.has(chain)),
  );
}

type Comparison = { readonly good: readonly SeenPlace[]; readonly isSame: boolean; readonly at: number };

/** Writes new places to the ledger: all of them at first and when the file has grown too large. */
async function keep(known: GuardState, { good, isSame, at }: Comparison): Promise<void> {
  const { writers, database, folder, places } = known;
  if (!writers || !database) return;
  const seen = { kind: "database", ...database } as const;
  if (!known.isCompared || writers.places.size() > placesBytesMax) {
    await writers.places.restart([seen, ...[...places.values()].map(toLine)]);
    await removeOldFiles(folder, at);
  } else if (good.length > 0 || !isSame || !known.isWritable || at - known.touchedAt > touchMs) {
    await note(known, writers.places, [seen, ...good.map(toLine)]);
  } else return;
  known.isCompared = true;
  known.isWritable = true;
  known.touchedAt = at;
}

async function note(known: GuardState, writer: LedgerWriter, lines: readonly LedgerLine[]): Promise<void> {
  try {
    await writer.write(lines);
  } catch (error) {
    // Nothing is claimed until a line can be written again; otherwise each claim would only be given back.
    known.isWritable = false;
    throw error;
  }
}

function fenceOf(known: GuardState): Fence {
  return async (tx, practiceId) => {
    const { store, writers, database, places, stopped } = known;
    if (!writers || !database || !known.isWritable || stopped.has(practiceId)) return { isTrusted: false };
    const place = places.get(practiceId);
    const { identity, hash, isAlone } = await readFence(tx, { chain: practiceId, seq: place?.seq ?? 0 });
    const isConfirmed = !isAlone || !store.needsStandby;
    const isTrusted = isConfirmed && identity === database.identity && (place === undefined || place.hash === hash);
    return isTrusted ? { isTrusted, heldBefore: new Date(database.since) } : { isTrusted };
  };
}

async function noteStart(known: GuardState, starting: Starting): Promise<boolean> {
  const entry = await findStart(known.store, starting);
  if (!entry || !known.writers) return false;
  const { practiceId: chain, taskId, gateId, attempt } = starting;
  const line = { kind: "started", at: Date.now(), chain, ...entry, taskId, gateId, attempt } as const;
  await note(known, known.writers.started, [line]);
  if (entry.seq > (known.places.get(chain)?.seq ?? 0)) known.places.set(chain, line);
  return true;
}

/** What the ledger has, and what signed heads know beyond it. */
export function placesOf(content: LedgerContent, heads: readonly SignedHead[]): readonly SeenPlace[] {
  const places = new Map(content.places);
  for (const { chain, seq, hash, at: signedAt } of heads) {
    const at = Date.parse(signedAt);
    if (at <= (content.recovered.get(chain) ?? 0) || seq <= (places.get(chain)?.seq ?? 0)) continue;
    places.set(chain, { at, chain, seq, hash });
  }
  return [...places.values()];
}

/**
 * The last place seen of each chain that has changed since. A chain whose last entry is the one that was seen needs no
 * comparison.
 */
function comparable(places: ReadonlyMap<string, SeenPlace>, there: readonly ChainHead[]): readonly SeenPlace[] {
  const now = new Map(there.map(({ chain, hash }) => [chain, hash]));
  return [...places.values()].filter(({ chain, hash }) => now.get(chain) !== hash);
}

function toLine({ at, chain, seq, hash }: SeenPlace): LedgerLine {
  return { kind: "place", at, chain, seq, hash };
}
