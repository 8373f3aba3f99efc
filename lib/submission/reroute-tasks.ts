import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import { ok } from "#lib/platform/result";
import { tasksOnRoute } from "#lib/submission/store/work";
import { changeTask, unchanged } from "#lib/task/change";
import { holdAgain } from "./transmission.ts";

const reason = "The route to the payer changed.";

/**
 * After a payer connection changed: every open gate and unclaimed release that used it is replaced by a gate on the new
 * connection. What is missed here is found by the claim. Returns how many gates were replaced.
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
    const { stage } = loaded.task;
    if (stage.kind !== "held" && stage.kind !== "released") return ok(unchanged());
    return ok(await holdAgain(loaded, { reason, channelLost: false }));
  });
  return changed.ok && changed.value.before.version !== changed.value.after.version;
}
