import { env } from "#lib/platform/env";
import { sharedStore } from "#lib/db/db";
import { workersSilentSince } from "#lib/submission/worker-standing";
import { readRecordStops } from "#lib/submission/store/record-stops";

/**
 * Why nothing is submitted: the service was started that way, the audit log of some or all practices lacks entries, or
 * the workers that there were have stopped.
 */
export type SubmissionNotice = "off" | "stopped" | "partly-stopped" | "no-worker";

/** The notice at the top of every page. A page is shown even if the database does not answer. */
export async function submissionNotice(): Promise<SubmissionNotice | undefined> {
  const store = sharedStore();
  const [stops, silentSince] = await Promise.all([
    readRecordStops(store).catch(() => []),
    workersSilentSince(store).catch(() => undefined),
  ]);
  if (stops.some(({ isShared }) => isShared)) return "stopped";
  if (stops.length > 0) return "partly-stopped";
  if (env().SENDING === "off") return "off";
  return silentSince === undefined ? undefined : "no-worker";
}
