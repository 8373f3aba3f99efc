import type { Context } from "#lib/access/context";
import { actorName } from "#lib/access/model/actor";
import { recordCaseDenial } from "#lib/access/record-case-denial";
import { appendAudit, hasEntry, type AuditEntry } from "#lib/audit/store/audit";
import { insertDelivery } from "#lib/channel/webhook/store/deliveries";
import { announce } from "#lib/db/announce";
import { inTransaction, type Tx } from "#lib/db/db";
import { NothingDone, PerhapsDone } from "#lib/db/retry";
import { issueReceipt } from "#lib/gate/store/decision-receipts";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import type { Command } from "#lib/task/model/lifecycle/command";
import { decideAll } from "#lib/task/model/lifecycle/decide";
import type { Event } from "#lib/task/model/lifecycle/event";
import { actOf, decisionIn } from "#lib/task/model/lifecycle/projections";
import { stateOf, type Task } from "#lib/task/model/task";
import { loadTask, type Scope } from "#lib/task/store/load-task";
import { saveTask, type PreparedGate, type TaskWrites } from "#lib/task/store/save-task";
import { rowToTask, type TaskRow } from "#lib/task/store/task-rows";
import { saveRecords, type ChangeRecord } from "./change-records.ts";
import type { LoadedTask } from "#lib/task/store/load-task";
import type { Refusal } from "./refusal.ts";
import { lockTurn, lostRace, takeTurns, type Attempt } from "./turns.ts";

export type { LoadedTask };

/**
 * What a verb asks of a task, what it prepared, and what is stored with it. Without commands, the task does not change.
 */
export type Change<Value = undefined> = {
  readonly commands: readonly Command[];
  /** For the gate that the commands may open. */
  readonly prepared?: PreparedGate | undefined;
  /** JSON pointers of what the payer connection still needs. If there are any, no gate is prepared. */
  readonly missing?: readonly string[] | undefined;
  /** For the audit log: ids, digests, numbers, states; never patient data. */
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly writes?: TaskWrites;
  readonly records?: readonly ChangeRecord[];
  /** What the caller gets once the change is stored. */
  readonly value?: Value | undefined;
};

/** The task does not change; the caller gets this value. */
export function unchanged<Value>(value?: Value): Change<Value> {
  return { commands: [], value };
}

/** What happened, the task after it, and the verb's own value. */
export type TaskChange<Value = undefined> = {
  readonly after: TaskRow;
  readonly task: Task;
  readonly events: readonly Event[];
  readonly value?: Value | undefined;
};

type Decide<Value> = (loaded: LoadedTask) => Promise<Result<Change<Value>, Refusal>>;

type Options = {
  /** Called when everything is written, before the commit. */
  readonly onWritten?: ((events: readonly Event[]) => void) | undefined;
};

/**
 * The only way to change a task. Reads it within the actor's practices, decides, and writes what follows from the
 * events over exactly the version that was read: task, gates, submissions, records, audit entry, and the signed receipt
 * of a person's decision. All of it commits together. Whoever comes second decides again on the new state. A task
 * outside the practices is `not-found`. If the connection is lost during the commit, the audit log tells whether an
 * agent's or a person's change was stored.
 */
export async function changeTask<Value = undefined>(
  ctx: Context,
  scope: Scope,
  decide: Decide<Value>,
  options: Options = {},
): Promise<Result<TaskChange<Value>, Refusal>> {
  const changed = await takeTurns(ctx.store, scope.taskId, attempts({ ctx, scope, decide, options }));
  if (changed.ok && actOf(changed.value.events) !== undefined) {
    const { practice_id: practiceId, id } = changed.value.after;
    announce(ctx.store, "cases", practiceId);
    announce(ctx.store, "tasks", id);
  }
  if (!changed.ok && changed.refusal.type === "not-found") await recordCaseDenial(ctx, scope.taskId);
  return changed;
}

/** What a change would make happen to the task as it was read. Writes nothing. */
export function tryChange({ row, task }: LoadedTask, { commands, prepared, missing }: Change<unknown>) {
  return decideAll(commands, task, { at: row.now, gate: prepared?.gate, missing });
}

class LostRace extends Error {}

/** Identifies a commit whose fate is unknown: the audit entry it wrote, and the result to return if it was stored. */
type Mark<Value> = { readonly entry: AuditEntry; readonly seq: number; readonly changed: TaskChange<Value> };

type ChangeRequest<Value> = {
  readonly ctx: Context;
  readonly scope: Scope;
  readonly decide: Decide<Value>;
  readonly options: Options;
};

/**
 * Repeated attempts at one change. Each attempt first looks for the entries of earlier ones whose commit is in doubt.
 */
function attempts<Value>(request: ChangeRequest<Value>): Attempt<Result<TaskChange<Value>, Refusal>> {
  const { ctx, scope } = request;
  const marks: Mark<Value>[] = [];
  let doubt: PerhapsDone | undefined;
  return async (isFirst) => {
    let mark: Mark<Value> | undefined;
    try {
      return await inTransaction(ctx.store, async (tx) => {
        if (!isFirst) await lockTurn(tx, scope.taskId);
        const result = await attemptChange({ ...request, tx, marks });
        mark = result.mark;
        return result.changed;
      });
    } catch (error) {
      if (error instanceof LostRace) return lostRace;
      // The worker lets its attempts lapse instead, because its claim may not be in the audit log.
      if (error instanceof PerhapsDone && ctx.actor.kind !== "worker") {
        doubt ??= error;
        if (mark) marks.push(mark);
        return lostRace;
      }
      throw error instanceof NothingDone ? (doubt ?? error) : error;
    }
  };
}

type ChangeAttempt<Value> = ChangeRequest<Value> & { readonly tx: Tx; readonly marks: readonly Mark<Value>[] };

type AttemptResult<Value> = {
  readonly changed: Result<TaskChange<Value>, Refusal>;
  readonly mark?: Mark<Value> | undefined;
};

async function attemptChange<Value>(attempt: ChangeAttempt<Value>): Promise<AttemptResult<Value>> {
  const { ctx, tx, scope, decide, marks } = attempt;
  const row = await loadTask(tx, scope);
  if (!row) return { changed: refuse({ type: "not-found" }) };
  const loaded: LoadedTask = { tx, row, task: rowToTask(tx, row) };
  // Looked for after the task was read, so that if the task shows such a commit, the audit log shows it too.
  const kept = await keptOf(tx, marks);
  if (kept) return { changed: ok({ ...kept.changed, after: row, task: loaded.task }) };
  const accepts = ctx.actor.kind === "channel" || ctx.actor.kind === "person";
  if (row.record_stopped && accepts) return { changed: refuse({ type: "record-stopped" }) };
  if (row.commits_alone && ctx.store.needsStandby && accepts) return { changed: refuse({ type: "not-replicated" }) };
  const decided = await decide(loaded);
  if (!decided.ok) return { changed: decided };
  const happened = tryChange(loaded, decided.value);
  if (!happened.ok) return { changed: happened };
  return save(attempt, loaded, decided.value, happened.value);
}

/** Writes what happened, and everything that goes with it. */
async function save<Value>(
  { ctx, tx, scope, options }: ChangeAttempt<Value>,
  loaded: LoadedTask,
  { prepared, writes, detail, records = [], value }: Change<Value>,
  { events, task }: { readonly events: readonly Event[]; readonly task: Task },
): Promise<AttemptResult<Value>> {
  const { row } = loaded;
  const act = actOf(events);
  if (act === undefined) {
    if (!(await saveRecords(loaded, records))) throw new LostRace();
    return { changed: ok({ after: row, task, events, value }) };
  }
  const update = { events, task, frozen: prepared?.frozen, writes };
  if (!(await saveTask(loaded, update))) throw new LostRace();
  if (!(await saveRecords(loaded, records))) throw new LostRace();
  const after = await loadTask(tx, scope);
  assert(after, "a task just written is there");
  const moved = { from: stateOf(loaded.task), to: stateOf(task), version: after.version };
  const chain = row.practice_id;
  const entry = { chain, actor: ctx.actor, act, taskId: row.id, detail: { ...detail, ...moved } };
  const seq = await appendAudit(tx, entry);
  if (row.has_webhook) await insertDelivery(tx, { ...tellingOf(after), state: stateOf(task) });
  const decision = decisionIn(events);
  if (decision && ctx.actor.kind === "person")
    await issueReceipt({ tx, signer: ctx.store.signer }, { row, auditSeq: seq, decision, by: ctx.actor });
  options.onWritten?.(events);
  const changed = { after, task, events, value };
  return { changed: ok(changed), mark: { entry, seq, changed } };
}

function tellingOf({ id: taskId, practice_id: practiceId, version, changed_at: changedAt }: TaskRow) {
  return { taskId, practiceId, version, changedAt };
}

async function keptOf<Value>(tx: Tx, marks: readonly Mark<Value>[]): Promise<Mark<Value> | undefined> {
  for (const mark of marks) if (await hasEntry(tx, mark.entry, mark.seq)) return mark;
  return undefined;
}

/** The practices in which an actor may change tasks. */
export function practicesOf({ actor }: Context): Scope["practices"] {
  switch (actor.kind) {
    case "channel":
      return actor.practices;
    case "person":
      return actor.roles.includes("reviewer") ? actor.practices : [];
    case "auto-reviewer":
      return [actor.practiceId];
    case "worker":
      return "every";
    case "operator":
      throw new Error(`${actorName(actor)} changes no task.`);
  }
}
