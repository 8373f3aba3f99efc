import type { Context } from "#lib/access/context";
import { ok, type Result } from "#lib/platform/result";
import type { PersonActor, WorkerActor } from "#lib/access/model/actor";
import { changeTask, practicesOf, type TaskChange } from "#lib/task/change";
import type { Refusal } from "#lib/task/refusal";

/** Closes a gate that nobody answered in time, by the database's clock. */
export async function expireGate(
  ctx: Context<PersonActor | WorkerActor>,
  { taskId }: { taskId: string },
): Promise<Result<TaskChange, Refusal>> {
  return changeTask(
    { store: ctx.store, actor: { kind: "worker" } },
    { taskId, practices: practicesOf(ctx) },
    async ({ row }) =>
      ok({
        commands: [{ type: "expire" }],
        detail: { gateId: row.gate_id, gate: row.gate_digest },
      }),
  );
}
