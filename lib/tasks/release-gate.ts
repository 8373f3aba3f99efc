import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import type { Seen } from "#lib/domain/event";
import { assert, ok, type Result } from "#lib/domain/result";
import { stateOf, type State } from "#lib/domain/task";
import { loadWay } from "#lib/store/destinations";
import { changeTask, practicesOf } from "./change.ts";
import { expireGate } from "./expire-gate.ts";
import { explainStale } from "./explain-stale.ts";
import type { Refusal } from "./refusal.ts";

export type Released = { readonly state: State; readonly claimableAt: Date };

/**
 * Releases exactly what the page showed, and nothing that changed since. The
 * vote, the work for the worker and the audit entry commit together. Whoever
 * comes second is told who decided, or what changed.
 */
export async function releaseGate(
  ctx: Context<PersonActor>,
  { taskId, seen }: { taskId: string; seen: Seen },
): Promise<Result<Released, Refusal>> {
  const changed = await changeTask(ctx, { taskId, practices: practicesOf(ctx) }, async ({ tx, row }) => {
    const way = await loadWay(tx, row.practice_id, row.payer_id);
    assert(way, "a task's practice exists");
    // What a person sends waits for that person; there is nothing to hold back.
    const recallMs = row.gate_by_hand ? 0 : way.practice.recallWindowS * 1000;
    const claimableAt = new Date(row.now.getTime() + recallMs);
    return ok({
      events: [{ type: "released", seen, at: row.now, claimableAt }],
      act: "gate.released",
      detail: { gate: seen.digest, gateId: seen.gateId, revision: seen.revision },
      decision: { by: ctx.actor.id },
      writes: { vote: { gateId: seen.gateId, personId: ctx.actor.id, answer: "release" } },
    });
  });
  if (changed.ok) {
    const { task } = changed.value;
    assert(task.motion.kind === "released", "a release leaves the task released");
    return ok({ state: stateOf(task), claimableAt: task.motion.claimableAt });
  }
  if (changed.refusal.type === "gate-expired") await expireGate(ctx, { taskId });
  return explainStale(ctx, { taskId, seen }, changed.refusal);
}
