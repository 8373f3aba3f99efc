import type { PracticeRecord } from "#lib/practice/shared/practices";
import { practiceProblems } from "#lib/messages/problems/admin";

/** What is only for test data and keeps a practice from becoming live; undefined if nothing does. */
export function testOnlyProblem(
  { id, autoReview }: Pick<PracticeRecord, "id" | "autoReview">,
  testChannels: ReadonlyMap<string, string>,
): string | undefined {
  if (autoReview) return practiceProblems.liveWithAutoRelease;
  const channel = testChannels.get(id);
  return channel === undefined ? undefined : practiceProblems.liveWithTestChannel(channel);
}
