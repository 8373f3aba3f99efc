import { env } from "#lib/platform/env";
import { sharedStore } from "#lib/db/db";
import { readRecordStops } from "#lib/submission/store/record-stops";

/**
 * Why nothing is submitted: the service was started that way, or the audit log of some or all practices lacks entries.
 */
export type SubmissionNotice = "off" | "stopped" | "partly-stopped";

/** The notice at the top of every page. A page is shown even if the database does not answer. */
export async function submissionNotice(): Promise<SubmissionNotice | undefined> {
  const stops = await readRecordStops(sharedStore()).catch(() => []);
  if (stops.some(({ isShared }) => isShared)) return "stopped";
  if (stops.length > 0) return "partly-stopped";
  return env().SENDING === "off" ? "off" : undefined;
}
