import { AsyncLocalStorage } from "node:async_hooks";
import { createSecretKey, type KeyObject } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { Pool } from "pg";
import { env, type Env } from "#lib/platform/env";
import { assert } from "#lib/platform/result";
import { type Prisma, PrismaClient } from "#lib/db/generated/prisma/client";
import { noteBegun } from "#lib/platform/process/page-post";
import { openSigningKey, type SigningKey } from "#lib/platform/signing-keys";
import { createKeyRing, type KeyRing, readKeyRing } from "#lib/platform/key-ring";
import { createObjectStore, type ObjectStore } from "./object-store.ts";
import { noteFetches, withArchived } from "./archived.ts";
import { type ClientClass, clientsOf } from "./clients.ts";
import { columnTypes } from "./column-types.ts";
import { noteTransaction, openPracticeKeys, type PracticeKeys } from "./practice-keys.ts";
import { type Compression, createSealer, type Sealer } from "./seal.ts";
import { inPracticeShare, isChainSuspected } from "./practice-share.ts";
import { failingOf, PerhapsDone, retried, retriedPool, Undone } from "./retry.ts";
import { watchReach } from "./reach.ts";
import {
  inTenantScope,
  onlyPractice,
  outsideTenantScope,
  prepareScopes,
  scopedPool,
  scopeText,
  type TenantScope,
} from "./tenant-scope.ts";
import { sessionConfig } from "./session-settings.ts";
import { sharedTransaction } from "./shared-transaction.ts";
import { givingUpSilent, silentMs } from "./silence.ts";
import { NeedsPrisma, plainTransaction } from "./plain-transaction.ts";
import type { Statement } from "./statement.ts";
import { statementNames } from "./statement-names.ts";
import { clientOf, type HeldClient, holdingClient, noteHeld } from "./transaction-client.ts";

/** The database as the application may use it, and the sealer of what it keeps there. */
export type Store = {
  readonly prisma: PrismaClient;
  /** Prisma's own pool, for the few statements on the hot path. */
  readonly pool: Pool;
  readonly sealer: Sealer;
  /** What the sealer seals with; awaited where a practice's authority is read. */
  readonly keys: PracticeKeys;
  /** Signs the receipts of decisions; where there is none, no person decides anything. */
  readonly signer: SigningKey | undefined;
  /** Under which the secrets of channel keys are hashed; where there is none, no channel key is made or known. */
  readonly keyPepper: KeyObject | undefined;
  /** Whoever administers or audits anything needs a second factor. */
  readonly adminsSecondFactor: boolean;
  /** Whether nothing is accepted or submitted while commits wait for no standby. */
  readonly needsStandby: boolean;
  /** Where values of closed cases are kept; where there is none, none go there and none are read. */
  readonly archive: ObjectStore | undefined;
  /** How what is kept is compressed, where a setting says so and not the database. */
  readonly compression?: Compression | undefined;
  /** From when on nothing is released that a channel asked for which nobody answers; where there is none, never. */
  readonly ownersFrom?: Date | undefined;
  /** The practices its statements see and write; one without names none, and sees and writes no row of any practice. */
  readonly scope?: TenantScope;
  /** The store of the process this one was made from. */
  readonly whole?: Store;
  readonly close: () => Promise<void>;
};

export type { Statement };

/** One transaction; everything a transition writes goes through the same one. */
export type Tx = Prisma.TransactionClient;

/** The database, in a transaction or outside: which of them is its own business. */
export type Db = Store | Tx;

export type StoreOptions = {
  readonly url: string;
  /** One key, or a ring of them. */
  readonly sealingKey: Uint8Array | KeyRing;
  readonly receiptKey?: Uint8Array | undefined;
  readonly keyPepper?: Uint8Array | undefined;
  readonly adminsSecondFactor?: boolean | undefined;
  readonly needsStandby?: boolean | undefined;
  /** A pooler lends a connection for a transaction, so nothing can be set as one is made. */
  readonly isPooled?: boolean | undefined;
  readonly ownersFrom?: Date | undefined;
  readonly archive?: ObjectStore | undefined;
  /** Where it is not given, the database says from when on the dictionary is used. */
  readonly compression?: Compression | undefined;
  readonly connectionsMax: number;
  /** Longest a connection may say nothing while it is waited for; given by tests only. */
  readonly silentMs?: number | undefined;
};

/** Longest that a connection may take to be made or to become free. */
const connectMs = 3_000;

/** Longest that a database which may be away is given to let somebody in, and to answer them. */
const probeMs = 2_000;

/**
 * Opens a store of its own. What it does for practices goes through `forPractices`, or `acrossPractices` with a reason.
 * Every wait on the database is bounded by seconds.
 */
export function openStore({
  url,
  sealingKey,
  receiptKey,
  keyPepper: pepper,
  adminsSecondFactor = false,
  needsStandby = false,
  isPooled = false,
  ownersFrom,
  archive,
  compression,
  connectionsMax,
  silentMs: giveUpMs = silentMs,
}: StoreOptions): Store {
  const Client = clientsOf(url);
  const bounded = { Client, connectionTimeoutMillis: connectMs, ...sessionConfig({ isPooled }) };
  const silence = givingUpSilent(giveUpMs);
  const bare = new Pool({
    ...bounded,
    max: connectionsMax,
    // Whoever reads a case for a minute must not wait while each connection is made and plans every statement anew.
    idleTimeoutMillis: 60 * 60_000,
    // What stands between must neither forget an idle connection nor leave us waiting on one it forgot.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    types: columnTypes,
    onConnect: (client) => {
      silence.watch(client);
      return prepareScopes(client);
    },
  });
  silence.over(bare);
  const reach = watchReach(() => askOnce(Client));
  const pool = retriedPool(bare, reach);
  // An idle connection that breaks is replaced; but many break in the moment in which the database goes.
  pool.on("error", (error) => reach.failed(error));
  const prisma = new PrismaClient({
    adapter: new PrismaPg(scopedPool(pool), { statementNameGenerator: statementNames() }),
  });
  const ofKeys = { max: 1, idleTimeoutMillis: 5_000, application_name: "keys", onConnect: silence.watch };
  const keysPool = retriedPool(new Pool({ ...bounded, ...ofKeys }), reach);
  keysPool.on("error", () => undefined);
  const ring = sealingKey instanceof Uint8Array ? createKeyRing([sealingKey]) : sealingKey;
  const keys = openPracticeKeys(keysPool, ring);
  const close = async () => {
    reach.close();
    await prisma.$disconnect();
    await pool.end();
    await keys.close();
  };
  const signer = receiptKey && openSigningKey(receiptKey);
  // One key object, because making one for each hash would cost more than the hash.
  const keyPepper = pepper && createSecretKey(pepper);
  const sealer = createSealer(keys, () => compression ?? keys.compression());
  const rules = { adminsSecondFactor, needsStandby, ownersFrom, archive, compression };
  return { prisma, pool, sealer, keys, signer, keyPepper, ...rules, close };
}

/**
 * Rejects where the database cannot be asked anything. That it lets somebody in is not enough: PgBouncer does so while
 * it reaches no Postgres, and refuses the first statement.
 */
async function askOnce(Client: ClientClass): Promise<void> {
  const client = new Client({ connectionTimeoutMillis: probeMs, query_timeout: probeMs });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
  } finally {
    // Its end is not waited for: a network that loses everything would keep it.
    client.end().catch(() => undefined);
  }
}

/** The store of the process behind one with a scope, which queues and boxes belong to. */
export function unscoped(store: Store): Store {
  return store.whole ?? store;
}

const shared = globalThis as { priorAuthorizationStore?: Store };

/** The one store of this process, opened when first asked; Next bundles this module apart from the server's. */
export function sharedStore({ connectionsMax }: { readonly connectionsMax?: number } = {}): Store {
  noteBegun();
  const { RECEIPT_SIGNING_KEY: receiptKey, CHANNEL_KEY_PEPPER: keyPepper } = env();
  shared.priorAuthorizationStore ??= openStore({
    url: env().APP_DATABASE_URL,
    sealingKey: readKeyRing(env()),
    receiptKey: receiptKey === undefined ? undefined : Buffer.from(receiptKey, "base64"),
    keyPepper: keyPepper === undefined ? undefined : Buffer.from(keyPepper, "base64"),
    adminsSecondFactor: env().SECOND_FACTOR === "required",
    needsStandby: env().REPLICATION === "required",
    isPooled: env().DATABASE_POOLER === "transaction",
    ownersFrom: env().CHANNEL_OWNERS_FROM,
    archive: archiveOf(env()),
    compression: env().COMPRESSION,
    connectionsMax: connectionsMax ?? env().DATABASE_CONNECTIONS_MAX,
  });
  return shared.priorAuthorizationStore;
}

function archiveOf(settings: Env): ObjectStore | undefined {
  const { ARCHIVE_ENDPOINT: endpoint, ARCHIVE_BUCKET: bucket } = settings;
  const { ARCHIVE_ACCESS_KEY_ID: accessKeyId, ARCHIVE_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (endpoint === undefined || bucket === undefined) return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const { ARCHIVE_REGION: region, ARCHIVE_PREFIX: prefix } = settings;
  return createObjectStore({ endpoint, bucket, region, accessKeyId, secretAccessKey, prefix });
}

/** Closes the one store of this process, where it was opened. */
export async function closeSharedStore(): Promise<void> {
  await shared.priorAuthorizationStore?.close();
}

const transactionMs = 10_000;

/**
 * How long a transaction may take in all; each of its statements takes seconds at most. A plain one does without Prisma: for
 * what seldom asks it for anything, since it is then run again with Prisma. A shared one is plain, and one with others that
 * are asked for at the same time where nothing speaks against it.
 */
type TransactionLimits = {
  readonly longestMs?: number;
  readonly isPlain?: boolean | undefined;
  readonly isShared?: boolean | undefined;
};

/** What a transaction gave. `doubt`: the connection was lost during the commit, so it is not known whether it was kept. */
type Commit<Value> = { readonly value: Value; readonly doubt?: PerhapsDone };

/**
 * Runs one transaction, in the practices the store names; all of it again where it is certain that nothing was
 * kept, or where it needs archived values, so `run` changes nothing but the database. HTTP never happens inside. Fails with `PerhapsDone` where the
 * connection was lost while it was committed.
 */
export async function inTransaction<Value>(
  store: Store,
  run: (tx: Tx) => Promise<Value>,
  limits?: TransactionLimits,
): Promise<Value> {
  const { value, doubt } = await tryCommit(store, run, limits);
  if (doubt) throw doubt;
  return value;
}

/** The same, for callers that can find out later whether it was kept. */
export function tryCommit<Value>(
  store: Store,
  run: (tx: Tx) => Promise<Value>,
  { longestMs = transactionMs, isShared = false, isPlain = isShared }: TransactionLimits = {},
): Promise<Commit<Value>> {
  const practice = onlyPractice(store.scope);
  return withArchived(store.archive, (fetches) => {
    const fetching = (tx: Tx) => {
      noteFetches(tx, fetches);
      return run(tx);
    };
    let withPrisma = !isPlain;
    const attempt = async () => {
      if (withPrisma) return tryTransaction(store, fetching, longestMs);
      try {
        return await tryPlain(store, fetching, longestMs);
      } catch (error) {
        withPrisma = error instanceof NeedsPrisma;
        if (!withPrisma) throw error;
        return tryTransaction(store, fetching, longestMs);
      }
    };
    if (practice === undefined) return retried(attempt);
    const alone = () => inPracticeShare(store, practice, attempt);
    if (!isShared) return retried(alone);
    return retried(() => (isChainSuspected(store, practice) ? alone() : tryShared(store, fetching, alone)));
  });
}

async function tryTransaction<Value>(
  store: Store,
  run: (tx: Tx) => Promise<Value>,
  longestMs: number,
): Promise<Commit<Value>> {
  // Prisma gives no value of a transaction whose commit fails.
  let written: Commit<Value> | undefined;
  const held: HeldClient = { isTaken: false };
  const known = async (tx: Tx) => {
    noteTransaction(tx, store);
    noteHeld(tx, held);
    return (written = { value: await run(tx) });
  };
  const begin = (work: typeof known) =>
    holdingClient(held, () => unscoped(store).prisma.$transaction(work, { maxWait: connectMs, timeout: longestMs }));
  try {
    if (!store.scope) return await begin(known);
    return await inTenantScope(scopeText(store.scope), () => begin((tx) => outsideTenantScope(() => known(tx))));
  } catch (error) {
    const failing = failingOf(error);
    const isLost = failing === "perhaps" || failing === "silent";
    if (written && isLost) return { ...written, doubt: new PerhapsDone(error) };
    // What was never to be committed is undone with its connection.
    throw failing === "perhaps" ? new Undone(error) : error;
  }
}

function tryPlain<Value>(store: Store, run: (tx: Tx) => Promise<Value>, longestMs: number): Promise<Commit<Value>> {
  const practices = store.scope && scopeText(store.scope);
  const plan = { practices, longestMs };
  return plainTransaction(unscoped(store).pool, plan, (tx) => {
    noteTransaction(tx, store);
    return outsideTenantScope(() => run(tx));
  });
}

/** Whoever it is run for, it is run as what asked for it. */
function tryShared<Value>(
  store: Store,
  run: (tx: Tx) => Promise<Value>,
  alone: () => Promise<Commit<Value>>,
): Promise<Commit<Value>> {
  const practice = onlyPractice(store.scope);
  assert(practice !== undefined, "a transaction is shared by changes of one practice each");
  const inPlace = AsyncLocalStorage.snapshot();
  return sharedTransaction(unscoped(store).pool, {
    practice,
    alone: () => inPlace(alone),
    run: (tx) => {
      noteTransaction(tx, store);
      return outsideTenantScope(() => run(tx));
    },
    within: inPlace,
  });
}

const namesOfTexts = statementNames();

/** The rows of a statement, in a transaction or outside. */
export async function query<Row extends object>(
  db: Db,
  { name, text, values, isLast, many }: Statement,
): Promise<Row[]> {
  const named = { name: name ?? namesOfTexts({ sql: text }), text, values: [...values] };
  if ("pool" in db) return (await db.pool.query<Row>(named)).rows;
  const asking = clientOf(db);
  if (!asking) return prismaOf(db).$queryRawUnsafe<Row[]>(text, ...values);
  const { rows } = await asking.query({ ...named, isLast, many });
  // Safe because the caller says what the columns of its statement are.
  return rows as Row[];
}

/** Prisma's operations, in a transaction or outside. */
export function prismaOf(db: Db): Prisma.TransactionClient {
  return "pool" in db ? db.prisma : db;
}
