import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import type { CheckType } from "#lib/domain/check";
import { attentionOf, gateOf, stateOf } from "#lib/domain/task";
import { openText } from "#lib/store/seal";
import { listLatest, listWaiting, type ListedRow } from "#lib/store/queue";
import { rowToTask } from "#lib/store/task-rows";
import { caseClock } from "./case-clock.ts";
import { shortIdOf } from "./short-id.ts";
import type { QueueRow } from "./views.ts";

/** What waits for a reviewer of these practices, oldest first; empty for anyone who reviews for none. */
export async function listQueue(ctx: Context<PersonActor>): Promise<readonly QueueRow[]> {
  if (!ctx.actor.roles.includes("reviewer")) return [];
  const rows = await listWaiting(ctx.store, ctx.actor.practices);
  return rows.map((row) => rowToQueueRow(ctx, row));
}

/** The cases of the reviewer's practices whatever their state, the latest change first. */
export async function listRecent(ctx: Context<PersonActor>): Promise<readonly QueueRow[]> {
  if (!ctx.actor.roles.includes("reviewer")) return [];
  const rows = await listLatest(ctx.store, ctx.actor.practices);
  return rows.map((row) => rowToQueueRow(ctx, row));
}

function rowToQueueRow({ store }: Context, row: ListedRow): QueueRow {
  const task = rowToTask(row, store.sealer);
  const gate = gateOf(task);
  const held = task.motion.kind === "held" ? task.motion.gate : undefined;
  const place = { table: "task", column: "patient", row: row.id, practiceId: row.practice_id };
  return {
    taskId: row.id,
    shortId: shortIdOf(row.id),
    practice: { id: row.practice_id, name: row.practice_name },
    payer: { id: row.payer_id, name: row.payer_name ?? undefined },
    connector: gate ? (row.gate_connector ?? "manual") : (row.route_connector ?? "manual"),
    environment: row.environment,
    state: stateOf(task),
    attention: attentionOf(task),
    action: gate?.action,
    update: gate?.update ?? false,
    revision: row.revision,
    procedureCodes: row.procedure_codes,
    patient: row.patient ? openText(store.sealer, row.patient, place) : undefined,
    urgent: row.urgent,
    since: held?.openedAt ?? row.changed_at,
    expiresAt: held?.expiresAt,
    clock: caseClock(row),
    // Safe because `freezeGate` writes exactly these types.
    warnings: held ? ((row.gate_warnings ?? []) as CheckType[]) : [],
  };
}
