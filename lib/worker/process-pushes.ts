import type { Logger } from "pino";
import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import { recordPush } from "#lib/payer/inbox/record-push";

/** Acts on the waiting notifications about a task, in the order of their arrival. */
export async function processPushes(ctx: Context<WorkerActor>, log: Logger, taskId: string): Promise<void> {
  for (;;) {
    const recorded = await recordPush(ctx, { taskId });
    if (!recorded.ok)
      return log.warn({ taskId, refusal: recorded.refusal.type }, "a notification could not be recorded");
    if (recorded.value === "none-waits" || recorded.value === "later") return;
    log.info({ taskId, answer: recorded.value }, "recorded a payer's notification");
  }
}
