import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import type { Seen } from "#lib/domain/event";
import { ok, type Result } from "#lib/domain/result";
import { stateOf, type State } from "#lib/domain/task";
import { changeTask, practicesOf } from "./change.ts";
import { explainStale } from "./explain-stale.ts";
import type { Refusal } from "./refusal.ts";

/**
 * Says no to exactly what the page showed, with a reason the agent is told. A
 * first transmission ends `declined`; an update or a void leaves the case as
 * the payer has it.
 */
export async function declineGate(
  ctx: Context<PersonActor>,
  { taskId, seen, reason }: { taskId: string; seen: Seen; reason: string },
): Promise<Result<{ state: State }, Refusal>> {
  const changed = await changeTask(ctx, { taskId, practices: practicesOf(ctx) }, async ({ row }) =>
    ok({
      events: [{ type: "declined", seen, at: row.now, reason }],
      act: "gate.declined",
      detail: { gate: seen.digest, gateId: seen.gateId, revision: seen.revision },
      decision: { by: ctx.actor.id, reason },
      writes: { vote: { gateId: seen.gateId, personId: ctx.actor.id, answer: "decline" } },
    }),
  );
  if (changed.ok) return ok({ state: stateOf(changed.value.task) });
  return explainStale(ctx, { taskId, seen }, changed.refusal);
}
