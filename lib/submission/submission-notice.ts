import { env } from "#lib/platform/env";
import { sharedStore, type Store } from "#lib/db/db";
import { readCommitStanding } from "#lib/db/replication";
import { readRecordStops } from "#lib/submission/shared/record-stops";
import { readHeartbeats, stoppedAfterS } from "./store/worker-heartbeats.ts";

/**
 * Why nothing is submitted: the service was started that way, the audit log of some or all practices lacks entries, no
 * standby has to confirm what is acknowledged although one must, or the workers that there were have stopped.
 */
export type SubmissionNotice = "off" | "stopped" | "partly-stopped" | "not-replicated" | "no-worker";

/** The notice at the top of every page. A page is shown even if the database does not answer. */
export async function submissionNotice(): Promise<SubmissionNotice | undefined> {
  const store = sharedStore();
  const [stops, silentSince, commits] = await Promise.all([
    readRecordStops(store).catch(() => []),
    workersSilentSince(store).catch(() => undefined),
    store.needsStandby ? readCommitStanding(store).catch(() => undefined) : undefined,
  ]);
  if (stops.some(({ isShared }) => isShared)) return "stopped";
  if (stops.length > 0) return "partly-stopped";
  if (env().SUBMISSIONS === "off") return "off";
  if (commits !== undefined && commits !== "confirmed") return "not-replicated";
  return silentSince === undefined ? undefined : "no-worker";
}

/**
 * Since when no worker has reported, though one did before: nothing is submitted and no payer is asked. Undefined while one
 * is at work.
 */
export async function workersSilentSince(store: Store): Promise<Date | undefined> {
  const [latest] = await readHeartbeats(store);
  return latest && latest.silentS > stoppedAfterS ? latest.beatAt : undefined;
}
