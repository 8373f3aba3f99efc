import type { Store } from "./db.ts";

/** What is done where commits wait for no standby: nothing is accepted or submitted, an operator is told, or nothing. */
export type Replication = "required" | "warn" | "off";

/**
 * SQL: whether a commit of this connection waits for no standby, so that what it acknowledges is on one machine. Anybody
 * may ask, and the answer is that of the server that commits.
 */
export const commitsAlone = `(current_setting('synchronous_standby_names') = ''
  OR current_setting('synchronous_commit') NOT IN ('on', 'remote_apply', 'remote_write'))`;

export type Standbys = { readonly syncState: string; readonly count: number; readonly lagS: number };

/** SQL: the standbys there are, as JSON. */
export const standbysJson = `(SELECT coalesce(json_agg(json_build_object(
  'syncState', sync_state, 'count', standbys, 'lagS', lag_s)), '[]') FROM database_standbys())`;

/** `alone`: commits wait for nobody. `waiting`: they wait for a standby that is not there, and none succeeds. */
export type CommitStanding = "confirmed" | "waiting" | "alone";

export async function readCommitStanding(store: Store): Promise<CommitStanding> {
  const { rows } = await store.pool.query<{ alone: boolean; standbys: readonly Standbys[] }>({
    name: "commit-standing",
    text: `SELECT ${commitsAlone} AS alone, ${standbysJson} AS standbys`,
  });
  const [row] = rows;
  if (!row) throw new Error("A statement without a table has one row.");
  return commitStanding(row);
}

/** Where a standby's state is not shown, the server's own word that commits wait has to do. */
export function commitStanding({
  alone,
  standbys,
}: {
  readonly alone: boolean;
  readonly standbys: readonly Standbys[];
}): CommitStanding {
  if (alone) return "alone";
  return standbys.some(({ syncState }) => ["sync", "quorum", "not-shown"].includes(syncState))
    ? "confirmed"
    : "waiting";
}
