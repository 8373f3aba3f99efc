import type { Store } from "./db.ts";
import { newId } from "./new-id.ts";

/** Most that wait for a reviewer of one practice from one payer: past that, the payer is told to come back. */
const openMax = 200;

const payloadPlace = (id: string, practiceId: string) => ({
  table: "unmatched_push",
  column: "payload",
  row: id,
  practiceId,
});

type NewPush = {
  readonly routeId: string;
  readonly practiceId: string;
  readonly payerId: string;
  readonly digest: string;
  readonly body: Uint8Array;
};

/**
 * Keeps what was pushed for a reviewer of the practice; the same bytes once. False where too much waits already: then
 * nothing was kept.
 */
export async function keepUnmatched(store: Store, push: NewPush): Promise<boolean> {
  const id = newId();
  const { routeId, practiceId, payerId, digest, body } = push;
  await store.keys.ready([practiceId]);
  const { rows } = await store.pool.query<{ kept: boolean }>({
    name: "keep-unmatched",
    text: `
      WITH known AS (SELECT FROM unmatched_push WHERE route_id = $2 AND digest = $5),
      waiting AS (SELECT count(*) AS count FROM (SELECT FROM unmatched_push
                   WHERE practice_id = $3 AND payer_id = $4 AND handled_at IS NULL LIMIT $8) open),
      kept AS (
        INSERT INTO unmatched_push (id, route_id, practice_id, payer_id, digest, size, payload, received_at)
        SELECT $1, $2, $3, $4, $5, $6, $7, clock_timestamp() FROM waiting
         WHERE waiting.count < $8 AND NOT EXISTS (SELECT FROM known)
        ON CONFLICT (route_id, digest) DO NOTHING RETURNING 1)
      SELECT EXISTS (SELECT FROM known) OR waiting.count < $8 AS kept FROM waiting`,
    values: [
      ...[id, routeId, practiceId, payerId, digest, body.length],
      ...[store.sealer.seal(body, payloadPlace(id, practiceId)), openMax],
    ],
  });
  return rows[0]?.kept === true;
}
