import { query, type Store, type Tx } from "./db.ts";
import { commitsAlone } from "./replication.ts";
import { forMany } from "./statement.ts";

/**
 * Which database this is: the cluster, its timeline, which a promotion and a restore to a point in time change, and the
 * database within the cluster, which a restored dump changes. How far its log of writes is on disk goes back where a
 * copy of the cluster's files is put in its place.
 */
export type DatabaseIdentity = { readonly identity: string; readonly lsn: bigint };

/** Anybody may ask this of a primary. The timeline in the control file is that of the last checkpoint, which may be older. */
const identityColumns = `
  (SELECT system_identifier::text FROM pg_control_system()) || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
    || '/' || (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS identity`;

export async function readDatabaseIdentity(store: Store): Promise<DatabaseIdentity & { readonly now: Date }> {
  const { rows } = await store.pool.query<{ identity: string; lsn: string; now: Date }>({
    name: "database-identity",
    text: `SELECT ${identityColumns}, (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text AS lsn, clock_timestamp() AS now`,
  });
  const [row] = rows;
  if (!row) throw new Error("A statement without a table has one row.");
  return { identity: row.identity, lsn: BigInt(row.lsn), now: row.now };
}

type FenceRow = { readonly identity: string; readonly hash: string | null; readonly isAlone: boolean };

const fenceText = `SELECT ${identityColumns}, ${commitsAlone} AS "isAlone", (SELECT hash FROM audit_entry WHERE chain = $1 AND seq = $2::bigint) AS hash`;
const manyFences = forMany("fence", fenceText, { types: ["text", "bigint"] });

/** Within a transaction: which database it commits to, whether its commit waits for no standby, and the hash of an entry there. */
export async function readFence(
  tx: Tx,
  { chain, seq }: { readonly chain: string; readonly seq: number },
): Promise<FenceRow> {
  const rows = await query<FenceRow>(tx, { name: "fence", text: fenceText, values: [chain, seq], many: manyFences });
  const [row] = rows;
  if (!row) throw new Error("A statement without a table has one row.");
  return row;
}

/** What a worker knows of the database from outside it, asked in the transaction that claims or starts a submission. */
export type Fence = (tx: Tx, practiceId: string) => Promise<FenceResult>;

export type FenceResult =
  /** What was released before is held again: the database may be another than the one it was released in. */
  | { readonly isTrusted: true; readonly heldBefore: Date }
  /** The database is not the one that was compared last, lacks an entry that was seen, or confirms no commit. */
  | { readonly isTrusted: false };
