import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { ShownGate } from "#lib/task/model/lifecycle/command";
import { ok, type Result } from "#lib/platform/result";
import { hasReleased } from "#lib/gate/store/votes";
import { decideOnce, type DecisionResult } from "./decide-once.ts";
import { explainStale } from "./explain-stale.ts";
import type { Refusal } from "#lib/task/refusal";

/** Withdraws one's own release while others are still needed. After the last one, only a recall can stop it. */
export async function withdrawVote(
  ctx: Context<PersonActor>,
  { taskId, seen, key }: { taskId: string; seen: ShownGate; key?: string | undefined },
): Promise<Result<DecisionResult, Refusal>> {
  const request = { taskId, key, intent: "take-back", content: { seen } };
  const changed = await decideOnce(ctx, request, async ({ tx, row }) => {
    const mine = row.gate_id ? { gateId: row.gate_id, personId: ctx.actor.id } : undefined;
    const released = mine !== undefined && (await hasReleased(tx, mine));
    return ok({
      commands: [{ type: "withdraw-vote", seen, by: ctx.actor.id, released }],
      detail: { gate: seen.digest, gateId: seen.gateId, revision: seen.revision },
    });
  });
  return changed.ok ? changed : explainStale(ctx, { taskId, seen }, changed.refusal);
}
