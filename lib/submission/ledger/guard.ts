import type { Logger } from "pino";
import type { SignedHead } from "#lib/audit/heads";
import { readChainHeads, type ChainHead } from "#lib/audit/store/audit-chain";
import type { Store } from "#lib/db/db";
import { readDatabaseIdentity, readFence, type Fence } from "#lib/db/fence";
import { withdrawRecordStops, writeRecordStops } from "#lib/submission/store/record-stops";
import { findLacking, findStart, hasLedger, knowLedger } from "#lib/submission/store/seen-places";
import {
  createLedger,
  openWriter,
  readLedger,
  readLedgerId,
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

/** Keeps a worker from submitting out of a database that forgot what was submitted or taken back. */
export type Guard = {
  /** Whether this worker may submit at all: not with an empty ledger over a database that others submitted from. */
  readonly isKnown: () => boolean;
  /** Whether no head of a chain may be signed: it lacks an entry that was seen, or nothing is known of the database. */
  readonly isStopped: (chain: string) => boolean;
  /** Whether any does. */
  readonly hasStops: () => boolean;
  /**
   * Compares the database with what was seen of it, stops the chains that lack something, and notes what is new. Rejects
   * where the database does not answer: nothing may be submitted on what was compared before.
   */
  readonly check: () => Promise<void>;
  readonly fence: Fence;
  /** Notes on disk that a submission is about to leave. False, and nothing may leave, where the database lacks its start. */
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
  /** A person says that this folder may begin a ledger although the database knows another. */
  readonly adopt?: boolean | undefined;
};

type Writers = { readonly places: LedgerWriter; readonly started: LedgerWriter };

const unknownLedger = "nothing is submitted: this ledger is empty and the database knows another; run pa recover";

/** The file of places is begun anew at this size, with the last place of each chain. */
const placesBytesMax = 1_000_000;
/** A file of places shows so often at least that its process runs. */
const touchMs = 3_600_000;

/** What one process knows: of its ledger, and of the database as it last saw it. */
type Known = Settings & {
  readonly places: Map<string, SeenPlace>;
  /** The chains that lack an entry. */
  readonly stopped: Set<string>;
  database: SeenDatabase | undefined;
  /** None while the ledger is not the database's. */
  writers: Writers | undefined;
  /** Everything was compared once. */
  isCompared: boolean;
  isWritable: boolean;
  touchedAt: number;
  saidUnknown: boolean;
};

/** Opens the ledger in the folder, or begins one: by itself where the database is new to ledgers, else where told to. */
export async function openGuard(settings: Settings): Promise<Guard> {
  const known: Known = {
    ...settings,
    places: new Map(),
    stopped: new Set(),
    database: undefined,
    writers: undefined,
    isCompared: false,
    isWritable: true,
    touchedAt: 0,
    saidUnknown: false,
  };
  await openLedger(known);
  return {
    isKnown: () => known.writers !== undefined && known.isWritable,
    isStopped: (chain) => known.writers === undefined || known.stopped.has(chain),
    hasStops: () => known.stopped.size > 0,
    check: () => check(known),
    fence: fenceOf(known),
    noteStart: (starting) => noteStart(known, starting),
    close: async () => {
      await Promise.all([known.writers?.places.close(), known.writers?.started.close()]);
    },
  };
}

/** Does nothing where it is open; where it was empty, a person may have begun it meanwhile. */
async function openLedger(known: Known): Promise<void> {
  const { store, log, folder, heads = [], adopt = false } = known;
  if (known.writers) return;
  const there = await readLedgerId(folder);
  const begins = there === undefined && (adopt || !(await hasLedger(store)));
  const id = begins ? await createLedger(folder) : there;
  if (id === undefined) {
    if (!known.saidUnknown) log.error({ folder }, unknownLedger);
    known.saidUnknown = true;
    return;
  }
  await knowLedger(store, id);
  const content = await readLedger(folder);
  for (const place of placesOf(content, heads)) known.places.set(place.chain, place);
  known.database = content.database;
  known.writers = { places: await openWriter(folder, "places"), started: await openWriter(folder, "started") };
}

async function check(known: Known): Promise<void> {
  await openLedger(known);
  if (!known.writers) return;
  if (known.stopped.size > 0) await reread(known);
  const { store, log, places, stopped, database } = known;
  const { identity, lsn, now } = await readDatabaseIdentity(store);
  const isSame = database?.identity === identity && lsn >= BigInt(database.lsn);
  if (database && !isSame)
    log.warn({ identity }, "the database is another than before: what was released in it is held again");
  const isIdle = isSame && database?.lsn === String(lsn) && stopped.size === 0;
  // Nothing at all was written to the cluster since.
  if (isIdle && known.isCompared && known.isWritable && Date.now() - known.touchedAt < touchMs) return;
  const there = await readChainHeads(store);
  await stopLacking(known, isSame && known.isCompared ? comparable(places, there) : [...places.values()]);
  const at = Date.now();
  const moved = there.filter(({ chain, hash }) => places.get(chain)?.hash !== hash && !stopped.has(chain));
  const good = moved.map((head) => ({ ...head, at }));
  for (const place of good) {
    // A submission may have been noted since the heads were read.
    if (place.seq > (places.get(place.chain)?.seq ?? 0)) places.set(place.chain, place);
  }
  const since = isSame && database ? database.since : now.getTime();
  known.database = { at, identity, lsn: String(lsn), since };
  await keep(known, { good, isSame, at });
}

/** Somebody may have recovered chains meanwhile. */
async function reread(known: Known): Promise<void> {
  const { store, log, folder, places, stopped } = known;
  const content = await readLedger(folder);
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

/** Stops the chains that lack one of these entries. Said again each time, for somebody may have let them go on too soon. */
async function stopLacking({ store, log, places, stopped }: Known, seen: readonly SeenPlace[]): Promise<void> {
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

type Noted = { readonly good: readonly SeenPlace[]; readonly isSame: boolean; readonly at: number };

/** Writes what is new to the ledger; the whole of it at first, and whenever the file has grown. */
async function keep(known: Known, { good, isSame, at }: Noted): Promise<void> {
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

async function note(known: Known, writer: LedgerWriter, lines: readonly LedgerLine[]): Promise<void> {
  try {
    await writer.write(lines);
  } catch (error) {
    // Nothing is claimed until a line is on disk again, or each release would be taken up in vain.
    known.isWritable = false;
    throw error;
  }
}

function fenceOf(known: Known): Fence {
  return async (tx, practiceId) => {
    const { writers, database, places, stopped } = known;
    if (!writers || !database || !known.isWritable || stopped.has(practiceId)) return { holds: false };
    const place = places.get(practiceId);
    const { identity, hash } = await readFence(tx, { chain: practiceId, seq: place?.seq ?? 0 });
    const holds = identity === database.identity && (place === undefined || place.hash === hash);
    return holds ? { holds, heldBefore: new Date(database.since) } : { holds };
  };
}

async function noteStart(known: Known, starting: Starting): Promise<boolean> {
  const entry = await findStart(known.store, starting);
  if (!entry || !known.writers) return false;
  const { practiceId: chain, taskId, gateId, attempt } = starting;
  const line = { kind: "started", at: Date.now(), chain, ...entry, taskId, gateId, attempt } as const;
  await note(known, known.writers.started, [line]);
  if (entry.seq > (known.places.get(chain)?.seq ?? 0)) known.places.set(chain, line);
  return true;
}

/** What the ledger holds, and what signed heads say beyond it. */
export function placesOf(content: LedgerContent, heads: readonly SignedHead[]): readonly SeenPlace[] {
  const places = new Map(content.places);
  for (const { chain, seq, hash, at: signedAt } of heads) {
    const at = Date.parse(signedAt);
    if (at <= (content.recovered.get(chain) ?? 0) || seq <= (places.get(chain)?.seq ?? 0)) continue;
    places.set(chain, { at, chain, seq, hash });
  }
  return [...places.values()];
}

/** What was seen of chains that are not as they were: of every other one its last entry is the one that was seen. */
function comparable(places: ReadonlyMap<string, SeenPlace>, there: readonly ChainHead[]): readonly SeenPlace[] {
  const now = new Map(there.map(({ chain, hash }) => [chain, hash]));
  return [...places.values()].filter(({ chain, hash }) => now.get(chain) !== hash);
}

function toLine({ at, chain, seq, hash }: SeenPlace): LedgerLine {
  return { kind: "place", at, chain, seq, hash };
}
