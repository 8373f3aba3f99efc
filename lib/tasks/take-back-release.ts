import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import type { Seen } from "#lib/domain/event";
import { ok, type Result } from "#lib/domain/result";
import { stateOf, type State } from "#lib/domain/task";
import { hasReleased } from "#lib/store/votes";
import { changeTask, practicesOf } from "./change.ts";
import { explainStale } from "./explain-stale.ts";
import type { Refusal } from "./refusal.ts";

/** Takes one's own release back while others are still needed; once it was released there is only the recall. */
export async function takeBackRelease(
  ctx: Context<PersonActor>,
  { taskId, seen }: { taskId: string; seen: Seen },
): Promise<Result<{ state: State }, Refusal>> {
  const changed = await changeTask(ctx, { taskId, practices: practicesOf(ctx) }, async ({ tx, row }) => {
    const mine = row.gate_id ? { gateId: row.gate_id, personId: ctx.actor.id } : undefined;
    return ok({
      events: [
        { type: "taken-back", seen, at: row.now, released: mine !== undefined && (await hasReleased(tx, mine)) },
      ],
      act: "gate.vote-taken-back",
      detail: { gate: seen.digest, gateId: seen.gateId, revision: seen.revision },
      writes: { vote: { gateId: seen.gateId, personId: ctx.actor.id, answer: "none" } },
    });
  });
  if (changed.ok) return ok({ state: stateOf(changed.value.task) });
  return explainStale(ctx, { taskId, seen }, changed.refusal);
}
