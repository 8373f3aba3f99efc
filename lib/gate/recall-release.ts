import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { gateOf, stateOf } from "#lib/task/model/task";
import { decideOnce, type DecisionResult } from "./decide-once.ts";
import { firstHeldAt } from "#lib/gate/shared/gates";
import { refreeze } from "#lib/task/open-revision";
import type { Refusal } from "#lib/task/refusal";

/**
 * Undoes a release that nobody has claimed yet. The action is held again at a new gate without votes. It stays due when
 * it was due first.
 */
export async function recallRelease(
  ctx: Context<PersonActor>,
  { taskId, gateId, key }: { taskId: string; gateId: string; key?: string | undefined },
): Promise<Result<DecisionResult, Refusal>> {
  const request = { taskId, key, intent: "recall", content: { gateId } };
  return decideOnce(ctx, request, async ({ tx, row, task }) => {
    const gate = gateOf(task);
    if (task.stage.kind !== "released" || !gate)
      return refuse({ type: "out-of-state", state: stateOf(task), command: "recall" });
    const { action } = gate;
    const held = { taskId: row.id, practiceId: row.practice_id, action, revision: gate.revision };
    const heldSince = await firstHeldAt(tx, held);
    const { prepared, missing } = await refreeze(tx, row, { action, heldSince });
    const detail = prepared ? { gateId, gate: prepared.gate.digest } : {};
    return ok({ commands: [{ type: "recall", gateId }], prepared, missing, detail });
  });
}
