import type { Logger } from "pino";
import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import { recordPush } from "#lib/payer/inbox/record-push";

/** Acts on everything that was pushed about a task and waits, first things first. */
export async function processPushes(ctx: Context<WorkerActor>, log: Logger, taskId: string): Promise<void> {
  for (;;) {
    const heard = await recordPush(ctx, { taskId });
    if (!heard.ok) return log.warn({ taskId, refusal: heard.refusal.type }, "a push could not be recorded");
    if (heard.value === "none-waits" || heard.value === "later") return;
    log.info({ taskId, answer: heard.value }, "heard what the payer pushed");
  }
}
