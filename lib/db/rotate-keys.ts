import { randomBytes } from "node:crypto";
import type { Store, Tx } from "./db.ts";
import { staleAfterMs } from "./practice-keys.ts";
import { knownWord } from "#lib/platform/known-word";
import { type KeyPlace, type KeyRing, keyUses, unwrapKey, wrapKey } from "#lib/platform/key-ring";

/** A practice's key as it is kept; never the key itself. */
export type KeyRecord = {
  /** `:service` for what belongs to no practice. */
  readonly practiceId: string;
  readonly use: KeyPlace["use"];
  readonly version: number;
  /** The ring's key that opens it. */
  readonly wrappedBy: string;
  readonly activeAt: Date;
};

export async function listKeyRecords({ prisma }: Store): Promise<readonly KeyRecord[]> {
  const select = { practiceId: true, use: true, version: true, wrappedBy: true, activeAt: true } as const;
  const rows = await prisma.practiceKey.findMany({
    select,
    orderBy: [{ practiceId: "asc" }, { use: "asc" }, { version: "asc" }],
  });
  return rows.map((row) => ({ ...row, use: knownWord(keyUses, row.use, "practice_key.use") }));
}

/**
 * Gives a practice its next sealing key, which begins to seal so many seconds later: by then every process has read it.
 * The caller holds the practice.
 */
export async function insertSealingKey(
  { tx, ring }: { tx: Tx; ring: KeyRing },
  { practiceId, inSeconds }: { practiceId: string; inSeconds: number },
): Promise<number> {
  const { _max } = await tx.practiceKey.aggregate({ where: { practiceId, use: "seal" }, _max: { version: true } });
  const version = (_max.version ?? 0) + 1;
  const wrapped = wrapKey(ring[0], randomBytes(32), { practiceId, use: "seal", version });
  await tx.$executeRaw`
    INSERT INTO practice_key (practice_id, use, version, wrapped, wrapped_by, active_at)
    VALUES (${practiceId}, 'seal', ${version}, ${wrapped}, ${ring[0].id}, clock_timestamp() + make_interval(secs => ${inSeconds}))`;
  return version;
}

/** The newest of these practices' keys that not every process seals under yet, and from when on all do. */
export async function findNewKey(
  { pool }: Store,
  practiceIds: readonly string[],
): Promise<{ readonly practiceId: string; readonly until: Date } | undefined> {
  const { rows } = await pool.query<{ practiceId: string; until: Date }>(
    `SELECT * FROM (
       SELECT practice_id AS "practiceId", active_at + $2 * interval '1 millisecond' AS until FROM practice_key
        WHERE practice_id = ANY ($1::text[]) AND use = 'seal' AND version > 1) key
      WHERE until > clock_timestamp() ORDER BY until DESC LIMIT 1`,
    [practiceIds, staleAfterMs],
  );
  return rows[0];
}

type KeyRow = { readonly practice_id: string; readonly use: KeyPlace["use"]; readonly version: number } & {
  readonly wrapped: Uint8Array;
  readonly wrapped_by: string;
};

const batch = 500;

/**
 * Wraps by the ring's first key some of what another of its keys wrapped; how many, none where all are. Every process
 * with both keys goes on meanwhile. What another wraps at the same time is waited for and counted there.
 */
export async function wrapBatch({ tx, ring }: { tx: Tx; ring: KeyRing }): Promise<number> {
  const rows = await tx.$queryRawUnsafe<KeyRow[]>(
    `SELECT practice_id, use, version, wrapped, wrapped_by FROM practice_key
      WHERE wrapped_by <> $1 AND wrapped_by = ANY ($2::text[]) ORDER BY practice_id, use, version LIMIT ${batch} FOR UPDATE`,
    ring[0].id,
    ring.map(({ id }) => id),
  );
  const fresh = rows.map((row) => wrappedAnew(ring, row));
  await tx.$executeRawUnsafe(
    `UPDATE practice_key k SET wrapped = n.fresh, wrapped_by = $1
       FROM unnest($2::text[], $3::text[], $4::int[], $5::bytea[]) n (practice_id, use, version, fresh)
      WHERE k.practice_id = n.practice_id AND k.use = n.use AND k.version = n.version`,
    ring[0].id,
    rows.map((row) => row.practice_id),
    rows.map((row) => row.use),
    rows.map((row) => row.version),
    fresh,
  );
  return rows.length;
}

function wrappedAnew(
  ring: KeyRing,
  { practice_id: practiceId, use, version, wrapped, wrapped_by: by }: KeyRow,
): Buffer {
  const place = { practiceId, use, version };
  const wrapping = ring.find(({ id }) => id === by) ?? ring[0];
  return wrapKey(ring[0], unwrapKey(wrapping, wrapped, place), place);
}
