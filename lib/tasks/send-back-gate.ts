import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import type { Seen } from "#lib/domain/event";
import { ok, type Result } from "#lib/domain/result";
import { decideOnce, type Decided } from "./decide-once.ts";
import { explainStale } from "./explain-stale.ts";
import type { Refusal } from "./refusal.ts";

/** Returns a transmission to the agent with a question; a void cannot be sent back. */
export async function sendBackGate(
  ctx: Context<PersonActor>,
  { taskId, seen, question, key }: { taskId: string; seen: Seen; question: string; key?: string | undefined },
): Promise<Result<Decided, Refusal>> {
  const asked = { taskId, key, intent: "send-back", content: { seen, question } };
  const changed = await decideOnce(ctx, asked, async ({ row }) =>
    ok({
      events: [{ type: "sent-back", seen, at: row.now, question }],
      act: "gate.sent-back",
      detail: { gate: seen.digest, gateId: seen.gateId, revision: seen.revision },
      decision: { by: ctx.actor.id, reason: question },
      writes: { vote: { gateId: seen.gateId, personId: ctx.actor.id, answer: "send-back" } },
    }),
  );
  return changed.ok ? changed : explainStale(ctx, { taskId, seen }, changed.refusal);
}
