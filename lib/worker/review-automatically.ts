import type { Logger } from "pino";
import type { Store } from "#lib/db/db";
import { forPractices } from "#lib/db/for-practices";
import { autoRelease } from "#lib/gate/auto-release";
import { dueAutoReviews } from "#lib/gate/shared/auto-review";

/** What could not be released is left to people for so long, and then tried once more. */
const leaveMs = 60_000;

/** Rounds of releasing what practices of test data let be released without a person. */
export function autoReviewRounds({ store, log }: { readonly store: Store; readonly log: Logger }): () => Promise<void> {
  const left = new Map<string, number>();
  return async () => {
    const now = performance.now();
    for (const [gateId, until] of left) if (until < now) left.delete(gateId);
    for (const { taskId, practiceId, gateId } of await dueAutoReviews(store, [...left.keys()])) {
      const ctx = { actor: { kind: "auto-reviewer", practiceId }, store: forPractices(store, [practiceId]) } as const;
      const released = await autoRelease(ctx, { taskId, gateId });
      if (!released.ok) left.set(gateId, now + leaveMs);
      log.info({ taskId, released: released.ok ? true : released.refusal.type }, "reviewed automatically");
    }
  };
}
