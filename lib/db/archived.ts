import { createHash } from "node:crypto";
import { type ArchiveFailure, archiveFailureOf, archiveLostDigest } from "#lib/platform/outbound/archive-away";
import { instruments } from "#lib/platform/metrics/instruments";
import { ArchiveAwayError, type ObjectStore } from "./object-store.ts";
import type { Prisma } from "#lib/db/generated/prisma/client";
import { assert } from "#lib/platform/result";
import { isInTransaction } from "./transaction-client.ts";

/**
 * What stands in a sealed column in place of a value that is in the archive: 5, the version of the key that sealed it, the
 * SHA-256 of the sealed bytes, and their length.
 */
type Reference = { readonly digest: string; readonly bytes: number };

/** The first byte of a reference; those of sealed values are lower. */
export const referenceFormat = 5;
const [digestAt, lengthAt, referenceBytes] = [5, 37, 41];

/** Stands for these sealed bytes once they are in the archive. Its head says the same of the key as theirs. */
export function referenceTo(sealed: Uint8Array): Buffer<ArrayBuffer> {
  const reference = Buffer.alloc(referenceBytes, referenceFormat);
  reference.set(sealed.subarray(1, digestAt), 1);
  reference.set(createHash("sha256").update(sealed).digest(), digestAt);
  reference.writeUInt32BE(sealed.length, lengthAt);
  return reference;
}

/** What a stored value refers to; undefined for a sealed value, which stands for itself. */
export function referenceOf(value: Uint8Array): Reference | undefined {
  if (value[0] !== referenceFormat || value.length !== referenceBytes) return undefined;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.length);
  return { digest: bytes.toString("hex", digestAt, lengthAt), bytes: bytes.readUInt32BE(lengthAt) };
}

/** SQL: whether a value is in the archive. */
export const isArchived = (column: string) =>
  `(octet_length(${column}) = ${referenceBytes} AND get_byte(${column}, 0) = ${referenceFormat})`;

/** SQL: how many bytes a sealed value has, wherever it is kept. */
export const sealedBytes = (column: string) =>
  `CASE WHEN ${isArchived(column)} THEN ('x' || encode(substring(${column} FROM ${lengthAt + 1}), 'hex'))::bit(32)::int
        ELSE octet_length(${column}) END`;

/** The archive has no such object, or another one under its name. Asking again gives the same. */
export class ArchivedValueLostError extends Error {
  override readonly name = "ArchivedValueLostError";
  /** What a page's error boundary is told. */
  readonly digest = archiveLostDigest;
  readonly problem: "missing" | "changed";
  constructor(problem: "missing" | "changed") {
    super(`An archived value is ${problem}: \`pa archive verify\` says which.`);
    this.problem = problem;
  }
}

/** What reading gives, or undefined where the archive lost it. Fails as reading does where the archive is away. */
export async function unlessLost<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ArchivedValueLostError) return undefined;
    throw error;
  }
}

/** What was read, and whether the archive failed to give it or a part of it. */
export type ArchiveReading<Value> = { readonly value: Value; readonly failure: ArchiveFailure | undefined };

/** What reading gives; where the archive does not give it, what there is without, and why. */
export async function orWithout<Value>(reading: Promise<Value>, without: Value): Promise<ArchiveReading<Value>> {
  try {
    return { value: await reading, failure: undefined };
  } catch (error) {
    const failure = archiveFailureOf(error);
    if (failure === undefined) throw error;
    return { value: without, failure };
  }
}

/** Where an object of a practice is in the archive. Another practice's is elsewhere, so no reference leads to it. */
export const objectName = (practiceId: string, digest: string) => `${practiceId}/${digest}`;

/** The sealed bytes a reference stands for, exactly: anything else is refused. */
export async function fetchArchived(
  archive: ObjectStore | undefined,
  practiceId: string,
  { digest, bytes: length }: Reference,
): Promise<Uint8Array> {
  if (!archive) throw new ArchiveAwayError("no ARCHIVE_ENDPOINT is set");
  const bytes = await archive.get(objectName(practiceId, digest), length);
  if (!bytes) throw new ArchivedValueLostError("missing");
  if (bytes.length === length && createHash("sha256").update(bytes).digest("hex") === digest) return bytes;
  instruments().archiveExchanges.inc({ act: "get", outcome: "changed" });
  throw new ArchivedValueLostError("changed");
}

type WantedValue = { readonly practiceId: string; readonly reference: Reference };

/** What the tries of one transaction share: archived values that were fetched before, and those that were found to be needed. */
type Fetches = { readonly fetched: Map<string, Uint8Array>; readonly wanted: Map<string, WantedValue> };

const fetchesOf = new WeakMap<Prisma.TransactionClient, Fetches>();

/** Notes what was fetched for a transaction. */
export function noteFetches(tx: Prisma.TransactionClient, fetches: Fetches): void {
  fetchesOf.set(tx, fetches);
}

/**
 * Does what `transact` does. Where that needs archived values, it is undone, they are fetched while no transaction is open,
 * and all of it is done again.
 */
export async function withArchived<Value>(
  archive: ObjectStore | undefined,
  transact: (fetches: Fetches) => Promise<Value>,
): Promise<Value> {
  const fetches: Fetches = { fetched: new Map(), wanted: new Map() };
  for (;;) {
    try {
      return await transact(fetches);
    } catch (error) {
      if (fetches.wanted.size === 0) throw error;
      const wanted = [...fetches.wanted];
      fetches.wanted.clear();
      await Promise.all(
        wanted.map(async ([name, { practiceId, reference }]) =>
          fetches.fetched.set(name, await fetchArchived(archive, practiceId, reference)),
        ),
      );
    }
  }
}

type Holder = { readonly archive: ObjectStore | undefined } | Prisma.TransactionClient;

/**
 * The sealed bytes of a stored value, out of the archive where it is there. In a transaction nothing is fetched: what is not
 * at hand ends it, and `withArchived` begins it again.
 */
export async function sealedValue(db: Holder, practiceId: string, value: Uint8Array): Promise<Uint8Array> {
  const reference = referenceOf(value);
  if (!reference) return value;
  if ("archive" in db) {
    assert(!isInTransaction(), "the archive is asked while no transaction is open");
    return fetchArchived(db.archive, practiceId, reference);
  }
  const fetches = fetchesOf.get(db);
  assert(fetches, "archived values are read in a store, or in a transaction that a store began");
  const name = objectName(practiceId, reference.digest);
  const bytes = fetches.fetched.get(name);
  if (bytes) return bytes;
  fetches.wanted.set(name, { practiceId, reference });
  throw new Error("An archived value is fetched before the transaction is tried again.");
}
