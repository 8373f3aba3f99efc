import type { Atom } from "#lib/access/model/actor";
import type { Tx } from "#lib/db/db";

/** Whether what was released may still leave, as practice, route and channel stand now. */
export type ReleaseStanding = {
  readonly practiceActive: boolean;
  readonly routeVersion: number;
  readonly channelEntitled: boolean;
};

/** A channel is entitled while it is active, has a live key, reaches the practice and holds the atom. */
export async function loadStanding(
  tx: Tx,
  { channelId, practiceId, payerId, atom }: { channelId: string; practiceId: string; payerId: string; atom: Atom },
): Promise<ReleaseStanding> {
  // Whoever takes something away waits for this transaction, or this one sees that it is gone; the read comes after the wait.
  await tx.$queryRaw`SELECT FROM channel WHERE id = ${channelId}::uuid FOR SHARE`;
  await tx.$queryRaw`SELECT FROM practice WHERE id = ${practiceId} FOR SHARE`;
  const rows = await tx.$queryRaw<{ active: boolean; version: number; entitled: boolean }[]>`
    SELECT p.status = 'active' AS active,
           coalesce((SELECT max(version) FROM route WHERE practice_id = p.id AND payer_id = ${payerId}), 0) AS version,
           EXISTS (
             SELECT FROM channel c JOIN channel_practice cp ON cp.channel_id = c.id AND cp.practice_id = p.id
              WHERE c.id = ${channelId}::uuid AND c.status = 'active' AND ${atom} = ANY (c.atoms)
                AND EXISTS (SELECT FROM channel_key k WHERE k.channel_id = c.id AND k.revoked_at IS NULL
                               AND k.expires_at > clock_timestamp())) AS entitled
      FROM practice p WHERE p.id = ${practiceId}`;
  const [row] = rows;
  if (!row) return { practiceActive: false, routeVersion: 0, channelEntitled: false };
  return { practiceActive: row.active, routeVersion: row.version, channelEntitled: row.entitled };
}
