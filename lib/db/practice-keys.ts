import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { knownWord } from "#lib/platform/known-word";
import { earlierFindKey, type KeyRing, KeyRingError, keyUses, unwrapKey, wrapKey } from "#lib/platform/key-ring";
import { setDatabaseTime } from "#lib/platform/now";
import { assert } from "#lib/platform/result";
import type { Prisma } from "#lib/db/generated/prisma/client";
import { type Compression, createSealer, type DataKeys, dictionaryFormat, type Sealer } from "./seal.ts";
import { everyPractice, scopeStatement } from "./tenant-scope.ts";

/** The practices' keys, and the one place where they are waited for. */
export type PracticeKeys = DataKeys & {
  readonly ring: KeyRing;
  /** How this database wants documents compressed as of the last reading: with the dictionary once every program knows it. */
  readonly compression: () => Compression;
  /**
   * Call it where a practice's rows are read or its authority checked, before anything of it is sealed or opened: what
   * is missing is loaded, or made where there is none yet. Gives nothing to wait for while all is in memory and fresh.
   */
  readonly ready: (practiceIds: readonly string[]) => Promise<void> | undefined;
  /** Call it at the start: a ring that does not open each key of this database is refused with a `KeyRingError`. */
  readonly prove: () => Promise<void>;
  /** Reads again what other processes made. A key that does not open fails what its practice has under it, and nothing else. */
  readonly reload: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** What belongs to no practice, such as a person's search, is sealed under the service's own key. */
const serviceKeys = ":service";

/** Keys older than the first are read again beside the work, older than the second before it. */
const refreshAfterMs = 15_000;
export const staleAfterMs = 30_000;

type Row = {
  readonly practice_id: string;
  readonly use: string;
  readonly version: number;
  readonly wrapped: Uint8Array;
  readonly wrapped_by: string;
  readonly active: boolean;
  readonly dictionary: boolean;
  readonly now: Date;
};

type OfPractice = {
  readonly seal: Map<number, KeyObject>;
  /** versions that were read and do not open */
  readonly unopened: Set<number>;
  current: number;
  find?: KeyObject;
};

/** Opens the keys kept in a database, over a pool of their own: who waits for a key may hold all other connections. */
export function openPracticeKeys(pool: Pool, ring: KeyRing): PracticeKeys {
  let known = new Map<string, OfPractice>();
  let [loadedAt, compression]: [number, Compression] = [-Infinity, "documents"];
  let loading: Promise<void> | undefined;
  const inTurn = createTurns();
  const reload = () => (loading ??= inTurn(() => load("what-opens")).finally(() => (loading = undefined)));

  async function load(needed: Needed): Promise<void> {
    const began = performance.now();
    let rows = await readKeys(pool);
    if (!rows.some(({ practice_id: id }) => id === serviceKeys)) {
      await proveEarlierRing(pool, createSealer(dataKeys));
      await makeKeys(pool, ring, [serviceKeys]);
      rows = await readKeys(pool);
    }
    if (rows[0]) compression = noted(rows[0]);
    known = unwrapAll(rows, ring, { before: known, needed });
    loadedAt = began;
  }

  const ageMs = () => performance.now() - loadedAt;
  const missingOf = (practiceIds: readonly string[]) => practiceIds.filter((id) => !known.has(id));

  /** Reads the keys of these alone, and makes those that are not there yet: of all, there may be thousands. */
  async function loadMissing(practiceIds: readonly string[]): Promise<void> {
    const add = async (ids: readonly string[]) => {
      if (ids.length === 0) return;
      const read = unwrapAll(await readKeysOf(pool, ids), ring, { before: known, needed: "what-opens" });
      known = new Map([...known, ...read]);
    };
    if (ageMs() > staleAfterMs) await load("what-opens");
    await add(missingOf(practiceIds));
    const missing = missingOf(practiceIds);
    if (missing.length === 0) return;
    await makeKeys(pool, ring, missing);
    await add(missing);
  }

  function ready(practiceIds: readonly string[]): Promise<void> | undefined {
    if (ageMs() > staleAfterMs || missingOf(practiceIds).length > 0) return inTurn(() => loadMissing(practiceIds));
    // A failure shows when the keys grow stale.
    if (ageMs() > refreshAfterMs) reload().catch(() => undefined);
    return undefined;
  }

  const of = (practiceId: string): OfPractice => {
    const keys = known.get(practiceId.includes(":") ? serviceKeys : practiceId);
    if (keys) return keys;
    loadedAt = -Infinity;
    throw new Error("The practice's key was not loaded before it was needed.");
  };

  const dataKeys: DataKeys = {
    sealing: (practiceId) => {
      const { seal, current } = of(practiceId);
      return { version: current, secret: existing(seal.get(current)) };
    },
    opening: (practiceId, version) => {
      const { seal, unopened } = of(practiceId);
      // The next use reads the keys anew.
      if (!seal.has(version) && !unopened.has(version)) loadedAt = -Infinity;
      return existing(seal.get(version));
    },
    finding: (practiceId) => existing(of(practiceId).find),
    earlier: ring.map(({ secret }) => secret),
  };
  const waited = { ready, reload, prove: () => inTurn(() => load("every")).catch(refuseRing), close: () => pool.end() };
  return { ...dataKeys, ...waited, ring, compression: () => compression };
}

/** What a reading says beside the keys: the database's time, and how documents are to be compressed. */
function noted({ now, dictionary }: Row): Compression {
  setDatabaseTime(now);
  return dictionary ? "dictionary" : "documents";
}

/** One after the other, so that none replaces what another has just read with what it read before. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return (read: () => Promise<void>): Promise<void> => {
    const mine = last.then(read);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** A database that is away is waited for as everywhere else. */
function refuseRing(error: unknown): void {
  if (error instanceof KeyRingError) throw error;
}

function existing(key: KeyObject | undefined): KeyObject {
  if (!key) throw new Error("A key of the practice is not there, or does not open with SEALING_KEY.");
  return key;
}

const keysText = `SELECT practice_id, use, version, wrapped, wrapped_by, active_at <= clock_timestamp() AS active,
  EXISTS (SELECT FROM seal_format WHERE format = ${dictionaryFormat} AND written_from <= clock_timestamp()) AS dictionary,
  clock_timestamp() AS now FROM practice_key`;

async function readKeys(pool: Pool): Promise<readonly Row[]> {
  return (await pool.query<Row>({ name: "practice-keys", text: keysText })).rows;
}

async function readKeysOf(pool: Pool, practiceIds: readonly string[]): Promise<readonly Row[]> {
  const text = `${keysText} WHERE practice_id = ANY ($1::text[])`;
  return (await pool.query<Row>({ name: "practice-keys-of", text, values: [practiceIds] })).rows;
}

/** Whether all keys have to open, or each practice does with those of its own that do. The service's own always has to. */
type Needed = "every" | "what-opens";

const newPractice = (): OfPractice => ({ seal: new Map(), unopened: new Set(), current: 0 });

/** A key does not change once it is made, so what was unwrapped before is kept. */
function unwrapAll(
  rows: readonly Row[],
  ring: KeyRing,
  { before, needed }: { readonly before: ReadonlyMap<string, OfPractice>; readonly needed: Needed },
): Map<string, OfPractice> {
  const keys = new Map<string, OfPractice>();
  for (const row of rows) {
    const old = before.get(row.practice_id);
    const of = keys.get(row.practice_id) ?? newPractice();
    keys.set(row.practice_id, of);
    const one = (row.use === "find" ? old?.find : old?.seal.get(row.version)) ?? unwrapRow(row, ring);
    if (one instanceof KeyRingError) {
      if (needed === "every" || row.practice_id === serviceKeys) throw one;
      if (row.use === "seal") of.unopened.add(row.version);
      continue;
    }
    if (row.use === "find") of.find = one;
    else of.seal.set(row.version, one);
    if (row.use === "seal" && row.active) of.current = Math.max(of.current, row.version);
  }
  return keys;
}

function unwrapRow(
  { practice_id: practiceId, use: word, version, wrapped, wrapped_by: by }: Row,
  ring: KeyRing,
): KeyObject | KeyRingError {
  const use = knownWord(keyUses, word, "practice_key.use");
  const wrapping = ring.find(({ id }) => id === by);
  if (!wrapping) return new KeyRingError(wrongRing);
  try {
    return createSecretKey(unwrapKey(wrapping, wrapped, { practiceId, use, version }));
  } catch {
    return new KeyRingError("A practice's key in the database was changed or moved: restore the table practice_key.");
  }
}

/**
 * Makes the keys of practices that have none; of two processes one decides. Practices older than all keys keep being
 * found by what was derived from the ring, so that their members' hashes stay true.
 */
async function makeKeys(pool: Pool, ring: KeyRing, practiceIds: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT p.id FROM practice p JOIN practice_key k ON k.practice_id = $1 AND k.use = 'seal' AND k.version = 1
      WHERE p.id = ANY ($2::text[]) AND p.created_at < k.made_at`,
    [serviceKeys, practiceIds],
  );
  const older = new Set(rows.map(({ id }) => id));
  for (const practiceId of practiceIds) {
    const find = older.has(practiceId) ? earlierFindKey(ring) : randomBytes(32);
    const seal = wrapKey(ring[0], randomBytes(32), { practiceId, use: "seal", version: 1 });
    const found = wrapKey(ring[0], find, { practiceId, use: "find", version: 1 });
    await pool.query(
      `INSERT INTO practice_key (practice_id, use, version, wrapped, wrapped_by)
       VALUES ($1, 'seal', 1, $2, $4), ($1, 'find', 1, $3, $4) ON CONFLICT DO NOTHING`,
      [practiceId, seal, found, ring[0].id],
    );
  }
}

type OneRevision = { row: string; practice_id: string; service_review: Uint8Array };

/**
 * Before the first key is made in a database that has cases already, the ring must open one of them; otherwise its
 * values would be lost behind keys of another ring.
 */
async function proveEarlierRing(pool: Pool, sealer: Sealer): Promise<void> {
  const one = await anyRevision(pool);
  if (!one) return;
  const place = { table: "revision", column: "service_review", row: one.row, practiceId: one.practice_id };
  try {
    sealer.open(one.service_review, place);
  } catch {
    throw new KeyRingError(wrongRing);
  }
}

/** Of whatever practice: this pool is no store, so the transaction says itself that it acts across practices. */
async function anyRevision(pool: Pool): Promise<OneRevision | undefined> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN READ ONLY");
    await client.query(scopeStatement(everyPractice));
    const { rows } = await client.query<OneRevision>(
      "SELECT task_id || '/' || number AS row, practice_id, service_review FROM revision LIMIT 1",
    );
    await client.query("COMMIT");
    client.release();
    return rows[0];
  } catch (error) {
    // A connection whose transaction failed is not given to anybody else.
    client.release(true);
    throw error;
  }
}

const wrongRing =
  "The sealing key is not this database's: set SEALING_KEY, or the file in SEALING_KEY_FILE, to the key it was made with. A database restored from before `pa key wrap` needs the key that led the ring then.";

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
