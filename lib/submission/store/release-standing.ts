import type { Atom } from "#lib/access/model/actor";
import { query, type Tx } from "#lib/db/db";
import { forMany } from "#lib/db/statement";
import type { Gate } from "#lib/task/model/task";

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

type RequestedAction = Pick<Release, "taskId" | "practiceId"> & Pick<Gate, "action" | "revision">;

/**
 * The channel that asked for this last: for a void by requesting it, for a submission by the message that made the revision
 * or, where a reviewer corrected it, the one before. Undefined where nothing of that is kept.
 */
export async function loadRequester(
  tx: Tx,
  { taskId, practiceId, action, revision }: RequestedAction,
): Promise<string | undefined> {
  const [row] =
    action === "void"
      ? await query<{ channel: string }>(tx, {
          name: "void-requester",
          text: `SELECT substring(actor FROM '^channel:(.+)$') AS channel FROM audit_entry
                  WHERE task_id = $1::uuid AND chain = $2 AND act = 'void.requested' ORDER BY seq DESC LIMIT 1`,
          values: [taskId, practiceId],
        })
      : await query<{ channel: string }>(tx, {
          name: "revision-requester",
          text: `SELECT channel_id::text AS channel FROM message
                  WHERE task_id = $1::uuid AND practice_id = $2 AND revision <= $3 ORDER BY revision DESC LIMIT 1`,
          values: [taskId, practiceId, revision],
        });
  return row?.channel;
}

type Row = {
  readonly active: boolean;
  readonly entitled: boolean;
  readonly automatic: boolean;
  readonly stands: boolean;
};

const standingText =
  "SELECT active, entitled, automatic, stands FROM release_standing($1::uuid, $2, $3, $4::uuid, $5::uuid)";
const manyStandings = forMany("release-standing", standingText, { types: ["uuid", "text", "text", "uuid", "uuid"] });

/**
 * A channel is entitled while it is active, has a live key, reaches the practice and has the permission. Whoever takes a
 * right away waits for this transaction, or this transaction waits for them and sees that the right is gone.
 */
export async function loadStanding(
  tx: Tx,
  { taskId, gateId, practiceId, channelId, atom }: Release,
): Promise<ReleaseStanding> {
  const values = [channelId, practiceId, atom, gateId, taskId];
  const rows = await query<Row>(tx, { name: "release-standing", text: standingText, values, many: manyStandings });
  const [row] = rows;
  if (!row) return { practiceActive: false, channelEntitled: false, release: undefined };
  const release = row.automatic ? "automatic" : row.stands ? "people" : undefined;
  return { practiceActive: row.active, channelEntitled: row.entitled, release };
}
