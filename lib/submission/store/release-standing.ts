import type { Atom } from "#lib/access/model/actor";
import type { Tx } from "#lib/db/db";

/** Whether a release may still be submitted, by the practice and channel as they are now. */
export type ReleaseStanding = {
  readonly practiceActive: boolean;
  readonly channelEntitled: boolean;
};

/** A channel is entitled while it is active, has a live key, reaches the practice and has the permission. */
export async function loadStanding(
  tx: Tx,
  { channelId, practiceId, atom }: { channelId: string; practiceId: string; atom: Atom },
): Promise<ReleaseStanding> {
  // Whoever takes a right away waits for this transaction, or this transaction waits for them: the read comes after the
  // lock.
  await tx.$queryRaw`SELECT FROM channel WHERE id = ${channelId}::uuid FOR SHARE`;
  await tx.$queryRaw`SELECT FROM practice WHERE id = ${practiceId} FOR SHARE`;
  const rows = await tx.$queryRaw<{ active: boolean; entitled: boolean }[]>`
    SELECT p.status = 'active' AS active,
           EXISTS (
             SELECT FROM channel c JOIN channel_practice cp ON cp.channel_id = c.id AND cp.practice_id = p.id
              WHERE c.id = ${channelId}::uuid AND c.status = 'active' AND ${atom} = ANY (c.atoms)
                AND EXISTS (SELECT FROM channel_key k WHERE k.channel_id = c.id AND k.revoked_at IS NULL
                               AND k.expires_at > clock_timestamp())) AS entitled
      FROM practice p WHERE p.id = ${practiceId}`;
  const [row] = rows;
  if (!row) return { practiceActive: false, channelEntitled: false };
  return { practiceActive: row.active, channelEntitled: row.entitled };
}
