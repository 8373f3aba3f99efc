import type { ChainHead } from "#lib/audit/shared/chain-heads";
import type { Store, Tx } from "#lib/db/db";

/** SQL: whether the audit log of a practice lacks an entry that was seen. One index probe while no chain lacks any. */
export const isRecordStopped = (practice: string) =>
  `EXISTS (SELECT FROM record_stop rs WHERE rs.is_shared OR rs.chain = ${practice})`;

/** A chain that lacks an entry, and the furthest entry that was seen. */
export type RecordStop = ChainHead & { readonly isShared: boolean; readonly at: Date };

export async function readRecordStops(store: Store): Promise<readonly RecordStop[]> {
  const stops = await store.prisma.recordStop.findMany({ orderBy: { chain: "asc" } });
  return stops.map((stop) => ({ ...stop, seq: Number(stop.seq) }));
}

/** Whether nothing is accepted for a practice now. */
export async function recordIsStopped(store: Store, practiceId: string): Promise<boolean> {
  const { rows } = await store.pool.query<{ stopped: boolean }>(`SELECT ${isRecordStopped("$1")} AS stopped`, [
    practiceId,
  ]);
  return rows[0]?.stopped === true;
}

/** Stops these chains, including those that are stopped already. */
export async function writeRecordStops(store: Store, places: readonly ChainHead[]): Promise<void> {
  await store.pool.query(
    `INSERT INTO record_stop (chain, is_shared, seq, hash)
     SELECT chain, NOT EXISTS (SELECT FROM practice p WHERE p.id = lacking.chain) AND (chain LIKE '%:%' OR chain = 'people'), seq, hash
       FROM unnest($1::text[], $2::bigint[], $3::text[]) AS lacking (chain, seq, hash)
     ON CONFLICT (chain) DO NOTHING`,
    [places.map(({ chain }) => chain), places.map(({ seq }) => seq), places.map(({ hash }) => hash)],
  );
}

/** Takes back stops that this worker wrote for these places, once they no longer count. */
export async function withdrawRecordStops(store: Store, places: readonly ChainHead[]): Promise<void> {
  await store.pool.query(
    "DELETE FROM record_stop WHERE (chain, hash) IN (SELECT * FROM unnest($1::text[], $2::text[]))",
    [places.map(({ chain }) => chain), places.map(({ hash }) => hash)],
  );
}

/** Lets these chains continue. Call it in the transaction that records what they lack. */
export async function clearRecordStops(tx: Tx, chains: readonly string[]): Promise<void> {
  await tx.recordStop.deleteMany({ where: { chain: { in: [...chains] } } });
}
