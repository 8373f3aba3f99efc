import { env } from "#lib/platform/env";
import { sharedStore } from "#lib/db/db";
import { readRecordStops } from "#lib/submission/store/record-stops";

/** Why nothing is submitted: it was started so, or the record of all or some practices lacks what was in it. */
export type SubmissionNotice = "off" | "stopped" | "partly-stopped";

/** What every page says at its top; a page is shown all the same where the database does not answer. */
export async function submissionNotice(): Promise<SubmissionNotice | undefined> {
  const stops = await readRecordStops(sharedStore()).catch(() => []);
  if (stops.some(({ isShared }) => isShared)) return "stopped";
  if (stops.length > 0) return "partly-stopped";
  return env().SENDING === "off" ? "off" : undefined;
}
