import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import { gateOf } from "#lib/task/model/task";
import { ok } from "#lib/platform/result";
import { tasksOnRoute } from "#lib/submission/store/work";
import { changeTask } from "#lib/task/change";
import { holdAgain } from "./transmission.ts";

const reason = "The route to the payer changed.";

/**
 * After a route changed: every open gate and unclaimed release it touches is
 * superseded by a gate on the new route. What was missed here the claim catches.
 * Returns how many gates were superseded.
 */
export async function rerouteTasks(
  ctx: Context<WorkerActor>,
  route: { practiceId: string; payerId: string },
): Promise<number> {
  const touched = await tasksOnRoute(ctx.store, route);
  const changed = await Promise.all(touched.map((taskId) => reroute(ctx, taskId)));
  return changed.filter(Boolean).length;
}

async function reroute(ctx: Context<WorkerActor>, taskId: string): Promise<boolean> {
  const changed = await changeTask(ctx, { taskId, practices: "every" }, async (loaded) => {
    const { motion } = loaded.task;
    const waits = motion.kind === "held" || motion.kind === "released";
    if (!waits || !gateOf(loaded.task)) return ok("nothing");
    return holdAgain(loaded, { reason, channelLost: false });
  });
  return changed.ok && changed.value.before.version !== changed.value.after.version;
}
