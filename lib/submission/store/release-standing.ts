import type { Atom } from "#lib/access/model/actor";
import { query, type Tx } from "#lib/db/db";

/** Whether a release may still be submitted, by the practice, the channel and the people as they are now. */
export type ReleaseStanding = {
  readonly practiceActive: boolean;
  readonly channelEntitled: boolean;
  /**
   * Whose release stands: that of people, with at least one vote and as many valid ones as it needs, or had; or the
   * automatic one, which has conditions of its own. Undefined if none does.
   */
  readonly release: "people" | "automatic" | undefined;
};

type Release = {
  readonly taskId: string;
  readonly gateId: string;
  readonly practiceId: string;
  readonly channelId: string;
  /** What the channel needs to be permitted. */
  readonly atom: Atom;
};

type Row = {
  readonly active: boolean;
  readonly entitled: boolean;
  readonly automatic: boolean;
  readonly stands: boolean;
};

/**
 * A channel is entitled while it is active, has a live key, reaches the practice and has the permission. Whoever takes a
 * right away waits for this transaction, or this transaction waits for them and sees that the right is gone.
 */
export async function loadStanding(
  tx: Tx,
  { taskId, gateId, practiceId, channelId, atom }: Release,
): Promise<ReleaseStanding> {
  const rows = await query<Row>(tx, {
    name: "release-standing",
    text: `SELECT active, entitled, automatic, stands FROM release_standing($1::uuid, $2, $3, $4::uuid, $5::uuid)`,
    values: [channelId, practiceId, atom, gateId, taskId],
  });
  const [row] = rows;
  if (!row) return { practiceActive: false, channelEntitled: false, release: undefined };
  const release = row.automatic ? "automatic" : row.stands ? "people" : undefined;
  return { practiceActive: row.active, channelEntitled: row.entitled, release };
}
