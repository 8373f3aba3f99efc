import type { Store } from "#lib/db/db";

export type CallAllowance = {
  readonly calls: number;
  /** If none was left: milliseconds until there is one. */
  readonly waitMs: number;
};

/**
 * Takes up to `wanted` of the calls that a channel may still make, for this process to admit. All processes take from
 * one row, which refills at `perSecond` and holds one second's worth.
 */
export async function useCalls(
  { pool }: Store,
  { channelId, perSecond, wanted }: { channelId: string; perSecond: number; wanted: number },
): Promise<CallAllowance> {
  const { rows } = await pool.query<{ taken: number; calls: number }>({
    name: "take-calls",
    text: `
      INSERT INTO call_allowance AS a (channel_id, calls, taken, at)
      VALUES ($1::uuid, $2::float8 - least($2::int, $3::int), least($2::int, $3::int), clock_timestamp())
      ON CONFLICT (channel_id) DO UPDATE SET (calls, taken, at) = (
        SELECT had - taking, taking, now
          FROM (SELECT clock_timestamp() AS now) clock,
               LATERAL (SELECT least($2::float8, a.calls + greatest(0, extract(epoch FROM now - a.at)) * $2::int) AS had) filled,
               LATERAL (SELECT least($3::int, floor(had)::int) AS taking) one)
      RETURNING taken, calls`,
    values: [channelId, perSecond, wanted],
  });
  const [{ taken, calls } = { taken: 0, calls: 0 }] = rows;
  return { calls: taken, waitMs: taken > 0 ? 0 : Math.ceil(((1 - calls) / perSecond) * 1_000) };
}

/** How long a process may use the room it holds without asking again. */
export const roomMs = 10_000;

const until = `extract(epoch FROM clock_timestamp())::float8 + ${roomMs / 1_000}`;

/**
 * Reserves room for up to `wanted` concurrent calls of a channel in this process, and returns what is not needed. All
 * processes together hold at most `atOnce`. Returns how many it holds now.
 */
export async function holdRoom(
  { pool }: Store,
  { channelId, processId, atOnce, wanted }: { channelId: string; processId: string; atOnce: number; wanted: number },
): Promise<number> {
  const { rows } = await pool.query<{ held: number }>({
    name: "hold-room",
    text: `
      INSERT INTO call_room AS r (channel_id, held)
      VALUES ($1::uuid, jsonb_build_object($2::text, jsonb_build_array(least($3::int, $4::int), ${until})))
      ON CONFLICT (channel_id) DO UPDATE SET held = (
        SELECT coalesce(jsonb_object_agg(process, room) FILTER (WHERE room IS NOT NULL), '{}') ||
               jsonb_build_object($2::text, jsonb_build_array(
                 greatest(0, least($4::int, $3::int - coalesce(sum((room ->> 0)::int), 0)::int)), ${until}))
          FROM (SELECT) one LEFT JOIN jsonb_each(r.held) AS others (process, room)
            ON process <> $2::text AND (room ->> 1)::float8 > extract(epoch FROM clock_timestamp()))
      RETURNING (held -> $2::text ->> 0)::int AS held`,
    values: [channelId, processId, atOnce, wanted],
  });
  return rows[0]?.held ?? 0;
}
