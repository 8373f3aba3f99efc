import { env } from "#lib/platform/env";
import { sharedStore, type Store } from "#lib/db/db";
import { readCommitStanding } from "#lib/db/replication";
import { readRecordStops } from "#lib/submission/shared/record-stops";
import { readHeartbeats, stoppedAfterS } from "./store/worker-heartbeats.ts";

/**
 * Why nothing is submitted: the service was started that way, the audit log of some or all practices lacks entries, no
 * standby has to confirm what is acknowledged although one must, the workers that there were have stopped, or none of
 * those at work may submit.
 */
export type SubmissionNotice = "off" | "stopped" | "partly-stopped" | "not-replicated" | WorkerNotice;
type WorkerNotice = "no-worker" | "not-submitting";

/** The notice at the top of every page. A page is shown even if the database does not answer. */
export async function submissionNotice(): Promise<SubmissionNotice | undefined> {
  const store = sharedStore();
  const [stops, workers, commits] = await Promise.all([
    readRecordStops(store).catch(() => []),
    workerNotice(store).catch(() => undefined),
    store.needsStandby ? readCommitStanding(store).catch(() => undefined) : undefined,
  ]);
  if (stops.some(({ isShared }) => isShared)) return "stopped";
  if (stops.length > 0) return "partly-stopped";
  if (env().SUBMISSIONS === "off") return "off";
  if (commits !== undefined && commits !== "confirmed") return "not-replicated";
  return workers;
}

/** Undefined while a worker is at work that may submit, and where there never was one. */
export async function workerNotice(store: Store): Promise<WorkerNotice | undefined> {
  const reports = await readHeartbeats(store);
  const atWork = reports.filter(({ silentS }) => silentS <= stoppedAfterS);
  if (atWork.length === 0) return reports.length === 0 ? undefined : "no-worker";
  return atWork.some(({ maySubmit }) => maySubmit) ? undefined : "not-submitting";
}
