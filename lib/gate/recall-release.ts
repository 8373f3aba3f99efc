import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import { gateOf, stateOf } from "#lib/task/model/task";
import { decideOnce, type DecisionResult } from "./decide-once.ts";
import { firstHeldAt } from "#lib/gate/store/gates";
import { refreeze } from "#lib/task/open-revision";
import type { Refusal } from "#lib/task/refusal";

/**
 * Stops a release nobody has claimed yet; the action is held again at a new gate without votes. It waits for people
 * from when it was first held: what was late is late still.
 */
export async function recallRelease(
  ctx: Context<PersonActor>,
  { taskId, gateId, key }: { taskId: string; gateId: string; key?: string | undefined },
): Promise<Result<DecisionResult, Refusal>> {
  const asked = { taskId, key, intent: "recall", content: { gateId } };
  return decideOnce(ctx, asked, async ({ tx, store, row, task }) => {
    const gate = gateOf(task);
    if (task.motion.kind !== "released" || !gate)
      return refuse({ type: "out-of-state", state: stateOf(task), event: "recalled" });
    const { action } = gate;
    const held = { taskId: row.id, practiceId: row.practice_id, action, revision: row.revision };
    const again = await refreeze({ tx, store }, row, { action, heldSince: await firstHeldAt(tx, held) });
    if (!again.gate) return reheld(again.missing);
    return ok({
      events: [{ type: "recalled", gateId, gate: again.gate }],
      act: "gate.recalled",
      detail: { gateId, gate: again.gate.digest },
      frozen: again.frozen,
    });
  });
}

function reheld(missing: readonly string[]) {
  assert(missing.length > 0, "a gate is missing only where something is");
  const reason = "The route changed and needs more than this revision holds.";
  return ok({ events: [{ type: "re-held", missing, reason }], act: "gate.recalled" } as const);
}
