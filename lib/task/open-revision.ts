import { type Action, gateOf, type Task } from "#lib/task/model/task";
import type { EarlierAuthorization } from "#lib/task/model/renewal";
import type { ServiceReview } from "#lib/task/model/service-review";
import { loadEarlierTask } from "#lib/task/store/earlier-task";
import type { PriorSubmission } from "#lib/payer/connector";
import type { Db } from "#lib/db/db";
import { type KeptRevision, loadRevision } from "#lib/task/store/load-task";
import { chooseRoute, resolveRoute, type ResolvedRoute, type RouteQuery } from "#lib/practice/shared/resolved-route";
import { countRefusals, lastReceivedRevision, loadPurpose, loadReceivedGates, openCalls } from "#lib/gate/shared/gates";
import { rowToDetermination, rowToTask, type TaskRow } from "#lib/task/store/task-rows";
import { assert } from "#lib/platform/result";
import type { PreparedGate } from "#lib/task/store/save-task";
import { openAttachments } from "#lib/task/store/attachments";
import { freezeGate, missingFor, type Freeze } from "#lib/gate/freeze-gate";
import { filesToSend } from "./revision-files.ts";

/** The row with the revision that its gate is about: for a void what the payer has, and else the current one. */
export function rowAtGate(row: TaskRow, task: Task): TaskRow {
  const gate = gateOf(task);
  return gate?.action === "void" ? { ...row, revision: gate.revision } : row;
}

/** The revision of a task that the row names, and the payer connection as it is now. */
export async function openRevision(db: Db, row: TaskRow): Promise<KeptRevision & { route: ResolvedRoute }> {
  const revision = await loadRevision(db, { taskId: row.id, number: row.revision, practiceId: row.practice_id });
  return { ...revision, route: await routeOfTask(db, row, revision.review) };
}

/**
 * The payer connection of a review of this task. What the payer has, or may have, stays on the connection over which it
 * was submitted.
 */
export async function routeOfTask(
  db: Db,
  row: Pick<TaskRow, "practice_id" | "payer_id" | "route_payer_id" | "gate_route_rule" | "payer_receipt">,
  review: ServiceReview,
): Promise<ResolvedRoute> {
  const kept = review.payer.id === row.payer_id ? keptRoute(row) : undefined;
  const route = await chooseRoute(db, { practiceId: row.practice_id, review, kept });
  assert(route, "a task's practice exists");
  return route;
}

/** The payer connection of a task as it is now. What was requested is opened only where its payer has rules to ask it. */
export async function currentRoute(db: Db, row: TaskRow): Promise<ResolvedRoute> {
  const { practice_id: practiceId, payer_id: payerId } = row;
  const own = await resolveRoute(db, practiceId, payerId);
  assert(own, "a task's practice exists");
  const kept = keptRoute(row);
  if (!kept && own.payer.rules.length === 0) return own;
  if (kept?.connection === payerId) return { ...own, rule: kept.rule };
  const { review } = await loadRevision(db, { taskId: row.id, number: row.revision, practiceId });
  const route = await chooseRoute(db, { practiceId, review, kept, own });
  assert(route, "a task's practice exists");
  return route;
}

type RouteColumns = Pick<TaskRow, "payer_id" | "route_payer_id" | "gate_route_rule" | "payer_receipt">;

/** The connection over which the payer has the request, or may have it. */
function keptRoute(row: RouteColumns): RouteQuery["kept"] {
  if (row.payer_receipt === "no") return undefined;
  return { connection: row.route_payer_id ?? row.payer_id, rule: row.gate_route_rule ?? undefined };
}

/** The revision the payer has: the last one it received, or the current one if none is known to have arrived. */
export async function payersRevision(db: Db, row: TaskRow): Promise<{ number: number; review: ServiceReview }> {
  const place = { taskId: row.id, practiceId: row.practice_id };
  const number = await payersRevisionNumber(db, row);
  return { number, review: (await loadRevision(db, { ...place, number })).review };
}

async function payersRevisionNumber(db: Db, row: TaskRow): Promise<number> {
  return (await lastReceivedRevision(db, { taskId: row.id, practiceId: row.practice_id })) ?? row.revision;
}

/** What was submitted electronically for this task and accepted by the payer, as it was frozen. */
export async function loadPriorSubmissions(db: Db, row: TaskRow): Promise<readonly PriorSubmission[]> {
  if (row.payer_receipt === "no") return [];
  const gates = await loadReceivedGates(db, { taskId: row.id, practiceId: row.practice_id });
  return Promise.all(
    gates.map(async (gate) => ({
      action: gate.action,
      revision: gate.revision,
      calls: await openCalls(db, gate),
    })),
  );
}

/** What the payer has, where what is being decided changes it. */
type PayersRevision = { readonly payersRevision?: number | undefined };

/**
 * Freezes a revision again: for a void the one that the payer has, for a submission that is held again the current one.
 * There is no gate if the payer connection needs more than the revision contains.
 */
export async function refreeze(
  db: Db,
  current: TaskRow,
  { action, reason, heldSince, payersRevision: had }: Pick<Freeze, "action" | "reason" | "heldSince"> & PayersRevision,
): Promise<{ readonly missing: readonly string[]; readonly route: ResolvedRoute; readonly prepared?: PreparedGate }> {
  const isVoid = action === "void";
  const row = isVoid ? { ...current, revision: had ?? (await payersRevisionNumber(db, current)) } : current;
  const { review, route } = await openRevision(db, row);
  const missing = action === "transmit" ? missingFor(route, review) : [];
  if (missing.length > 0) return { missing, route };
  const payerReference = row.reference ?? undefined;
  const update = action === "transmit" && row.payer_receipt === "yes";
  const { informationRequest } = rowToTask(db, row).payer;
  const known = { payerReference, informationRequest };
  const freeze = { taskId: row.id, action, update, revision: row.revision, review, route, now: row.now, ...known };
  const sent = await loadPriorSubmissions(db, row);
  const gates = { taskId: row.id, practiceId: row.practice_id, action, revision: row.revision };
  const refusals = await countRefusals(db, gates);
  const list = await filesToSend(db, row, { action, revision: row.revision });
  const place = { taskId: row.id, practiceId: row.practice_id };
  const attachments = await openAttachments(db, { ...place, list, received: [] });
  const because = reason ?? (await voidReason(db, row, action));
  const earlier = await earlierAuthorization(db, row);
  const contested = contestedOf(db, row);
  const prepared = freezeGate({
    ...freeze,
    refusals,
    sent,
    attachments,
    reason: because,
    heldSince,
    earlier,
    contested,
  });
  return { missing, route, prepared };
}

/** The determination in force, and until when it can be contested. */
export function contestedOf(db: Db, row: TaskRow): Freeze["contested"] {
  const determination = rowToDetermination(db, row);
  return determination && { ...determination, appealBy: rowToTask(db, row).payer.recourse?.terms?.by };
}

/** The authorization that this case renews or extends, where it does. */
export async function earlierAuthorization(
  db: Db,
  { earlier_task_id: taskId, practice_id: practiceId }: TaskRow,
): Promise<EarlierAuthorization | undefined> {
  return taskId === null ? undefined : loadEarlierTask(db, { taskId, practiceId });
}

async function voidReason(db: Db, row: TaskRow, action: Action): Promise<string | undefined> {
  if (action !== "void" || row.gate_action !== "void" || !row.gate_id) return undefined;
  return loadPurpose(db, { gateId: row.gate_id, practiceId: row.practice_id });
}
