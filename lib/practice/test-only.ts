import type { PracticeRecord } from "#lib/practice/store/admin-practices";

/** What is only for test data and keeps a practice from becoming live; undefined if nothing does. */
export function testOnlyProblem(
  { id, autoReview }: Pick<PracticeRecord, "id" | "autoReview">,
  testChannels: ReadonlyMap<string, string>,
): string | undefined {
  if (autoReview) return "can't be live while requests are released automatically: turn that off first";
  const channel = testChannels.get(id);
  return channel === undefined ? undefined : `can't be live while the test channel ${channel} reaches the practice`;
}
