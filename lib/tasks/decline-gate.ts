import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import type { Seen } from "#lib/domain/event";
import { ok, type Result } from "#lib/domain/result";
import { decideOnce, type Decided } from "./decide-once.ts";
import { explainStale } from "./explain-stale.ts";
import type { Refusal } from "./refusal.ts";

/**
 * Says no to exactly what the page showed, with a reason the agent is told. A
 * first transmission ends `declined`; an update or a void leaves the case as
 * the payer has it.
 */
export async function declineGate(
  ctx: Context<PersonActor>,
  { taskId, seen, reason, key }: { taskId: string; seen: Seen; reason: string; key?: string | undefined },
): Promise<Result<Decided, Refusal>> {
  const asked = { taskId, key, intent: "decline", content: { seen, reason } };
  const changed = await decideOnce(ctx, asked, async ({ row }) =>
    ok({
      events: [{ type: "declined", seen, at: row.now, reason }],
      act: "gate.declined",
      detail: { gate: seen.digest, gateId: seen.gateId, revision: seen.revision },
      decision: { by: ctx.actor.id, reason },
      writes: { vote: { gateId: seen.gateId, personId: ctx.actor.id, answer: "decline" } },
    }),
  );
  return changed.ok ? changed : explainStale(ctx, { taskId, seen }, changed.refusal);
}
