import type { Store } from "#lib/db/db";
import { readHeartbeats, stoppedAfterS } from "#lib/submission/store/worker-heartbeats";

/**
 * Since when no worker has reported, though one did before: nothing is submitted and no payer is asked. Undefined while one
 * is at work.
 */
export async function workersSilentSince(store: Store): Promise<Date | undefined> {
  const [latest] = await readHeartbeats(store);
  return latest && latest.silentS > stoppedAfterS ? latest.beatAt : undefined;
}
