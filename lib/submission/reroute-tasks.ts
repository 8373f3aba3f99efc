import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import { ok } from "#lib/platform/result";
import { heldTasksOfPayer, tasksOnRoute } from "#lib/submission/shared/work";
import { changeTask, unchanged, type LoadedTask } from "#lib/task/change";
import { openRevision, rowAtGate } from "#lib/task/open-revision";
import { reasons } from "#lib/messages/reasons/case";
import { holdAgain } from "./transmission.ts";

const reason = reasons.connectionChanged;

/**
 * After a payer connection changed: every open gate and unclaimed release that used it is replaced by a gate on the new
 * connection. What is missed here is found by the claim. Returns how many gates were replaced.
 */
export async function rerouteTasks(
  ctx: Context<WorkerActor>,
  route: { practiceId: string; payerId: string },
): Promise<number> {
  return holdAllAgain(ctx, await tasksOnRoute(ctx.store, route), () => true);
}

/** The same after the rules of a payer changed, for the requests that now go over another connection. */
export async function rechooseRoutes(
  ctx: Context<WorkerActor>,
  payer: { practiceId: string; payerId: string },
): Promise<number> {
  return holdAllAgain(ctx, await heldTasksOfPayer(ctx.store, payer), async (loaded) => {
    const { destination } = (await openRevision(loaded.tx, rowAtGate(loaded.row, loaded.task))).route;
    return destination.routeId !== (loaded.row.gate_route_id ?? "");
  });
}

type Condition = (loaded: LoadedTask) => boolean | Promise<boolean>;

async function holdAllAgain(ctx: Context<WorkerActor>, tasks: readonly string[], isTouched: Condition) {
  const changed = await Promise.all(tasks.map((taskId) => reroute(ctx, taskId, isTouched)));
  return changed.filter(Boolean).length;
}

async function reroute(ctx: Context<WorkerActor>, taskId: string, isTouched: Condition): Promise<boolean> {
  const changed = await changeTask(ctx, { taskId, practices: "every" }, async (loaded) => {
    const { stage } = loaded.task;
    if (stage.kind !== "held" && stage.kind !== "released") return ok(unchanged());
    if (!(await isTouched(loaded))) return ok(unchanged());
    return ok(await holdAgain(loaded, { reason, channelLost: false }));
  });
  return changed.ok && changed.value.events.length > 0;
}
