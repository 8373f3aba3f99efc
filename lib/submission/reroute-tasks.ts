import type { Context } from "#lib/access/context";
import type { WorkerActor } from "#lib/access/model/actor";
import { ok } from "#lib/platform/result";
import { forPractices } from "#lib/db/for-practices";
import { isUnavailable } from "#lib/db/unavailable";
import { heldTasksOfPayer, tasksOnRoute } from "#lib/submission/shared/work";
import { changeTask, unchanged, type LoadedTask } from "#lib/task/change";
import { openRevision, rowAtGate } from "#lib/task/open-revision";
import { reasons } from "#lib/messages/reasons/case";
import { holdAgain } from "./transmission.ts";

const reason = reasons.connectionChanged;

/**
 * After a payer connection changed: every open gate and unclaimed release that used it is replaced by a gate on the new
 * connection. What is missed here, because something of a case does not open or the database is away, is found by the
 * claim. Returns how many gates were replaced; where none could be, it fails as the first did.
 */
export async function rerouteTasks(
  ctx: Context<WorkerActor>,
  route: { practiceId: string; payerId: string },
): Promise<number> {
  return holdAllAgain(ctx, route, { tasks: await tasksOnRoute(ctx.store, route), isTouched: () => true });
}

/** The same after the rules of a payer changed, for the requests that now go over another connection. */
export async function rechooseRoutes(
  ctx: Context<WorkerActor>,
  payer: { practiceId: string; payerId: string },
): Promise<number> {
  const isTouched: Condition = async (loaded) => {
    const { destination } = (await openRevision(loaded.tx, rowAtGate(loaded.row, loaded.task))).route;
    return destination.routeId !== (loaded.row.gate_route_id ?? "");
  };
  return holdAllAgain(ctx, payer, { tasks: await heldTasksOfPayer(ctx.store, payer), isTouched });
}

type Condition = (loaded: LoadedTask) => boolean | Promise<boolean>;

/**
 * One after the other, within the practice's share of the connections: all of them wait for the practice's one audit
 * chain, and a thousand at once would hold every connection that others need.
 */
async function holdAllAgain(
  { actor, store }: Context<WorkerActor>,
  { practiceId }: { readonly practiceId: string },
  { tasks, isTouched }: { readonly tasks: readonly string[]; readonly isTouched: Condition },
): Promise<number> {
  const ctx = { actor, store: forPractices(store, [practiceId]) };
  let changed = 0;
  const failures: unknown[] = [];
  for (const taskId of tasks) {
    try {
      if (await reroute(ctx, taskId, isTouched)) changed += 1;
    } catch (error) {
      failures.push(error);
      if (isUnavailable(error)) break;
    }
  }
  if (changed === 0 && failures.length > 0) throw failures[0];
  return changed;
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
