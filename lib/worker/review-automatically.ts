import type { Logger } from "pino";
import type { Store } from "#lib/db/db";
import { eachAlone } from "#lib/db/each-alone";
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
    await eachAlone(await dueAutoReviews(store, [...left.keys()]), async ({ taskId, practiceId, gateId }) => {
      // Before it is tried, so that one that fails is left as well and hides none behind it.
      left.set(gateId, now + leaveMs);
      const ctx = { actor: { kind: "auto-reviewer", practiceId }, store: forPractices(store, [practiceId]) } as const;
      const released = await autoRelease(ctx, { taskId, gateId });
      if (released.ok) left.delete(gateId);
      log.info({ taskId, released: released.ok ? true : released.refusal.type }, "reviewed automatically");
    });
  };
}
