import type { Context } from "#lib/access/context";
import { actorName } from "#lib/access/model/actor";
import type { Event } from "#lib/task/model/event";
import { assert, ok, type Result } from "#lib/platform/result";
import { riskOf } from "#lib/task/model/risk";
import type { Step } from "#lib/task/model/step";
import { stateOf, type Task } from "#lib/task/model/task";
import { transition } from "#lib/task/model/transition";
import type { Decision } from "#lib/gate/receipt/receipt";
import { announce } from "#lib/db/announce";
import { appendAudit, hasEntry, type AuditEntry, type TaskAct } from "#lib/audit/store/audit";
import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { issueReceipt } from "#lib/gate/store/decision-receipts";
import { loadTask, type Scope } from "#lib/task/store/load-task";
import { NothingDone, PerhapsDone } from "#lib/db/retry";
import { saveTask, type GateAnswer, type FrozenGate, type TaskWrites } from "#lib/task/store/save-task";
import { rowToTask, type TaskRow } from "#lib/task/store/task-rows";
import { refuse } from "#lib/platform/result";
import { recordCaseDenial } from "#lib/access/record-case-denial";
import type { Refusal } from "./refusal.ts";
import { lockTurn, lostRace, takeTurns, type Attempt } from "./turns.ts";

/** A task as it was read, inside the transaction that may change it. */
export type LoadedTask = { readonly tx: Tx; readonly store: Store; readonly row: TaskRow; readonly task: Task };

/** What a verb wants to happen: events for the lifecycle, and what is written with them. */
export type Change = {
  readonly events: readonly Event[];
  readonly act: TaskAct;
  /** For the audit record: ids, digests, numbers, states; never patients' data. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** What was frozen for the gates the events may open. */
  readonly frozen?: readonly FrozenGate[];
  readonly writes?: Omit<TaskWrites, "closed" | "opened">;
  /** Who closed the gate and what they said to it. */
  readonly decision?: GateAnswer;
  /** Rows that go with the change, written after it won. False when a twin wrote them first. */
  readonly alongside?: (loaded: LoadedTask, after: Task) => Promise<boolean>;
};

/** The task after the change, and before it. */
export type TaskChange = { readonly before: TaskRow; readonly after: TaskRow; readonly task: Task };

type Decide = (loaded: LoadedTask) => Promise<Result<Change | "nothing", Refusal>>;

/**
 * The one way a task changes: read it in the asker's practices, decide, apply
 * the events, write task, gates and audit entry over exactly the version read,
 * with the signed receipt of what a person decided, and commit together. Whoever comes second decides again on what is there now.
 * A task outside the practices is `not-found`. Where the connection was lost
 * during the commit, the record says whether an agent's or a person's change
 * was kept.
 */
export async function changeTask(ctx: Context, scope: Scope, decide: Decide): Promise<Result<TaskChange, Refusal>> {
  const attempt = attempts(ctx, scope, decide);
  const changed = await takeTurns(ctx.store, scope.taskId, attempt);
  if (changed.ok && changed.value.after !== changed.value.before) {
    announce(ctx.store, "cases", changed.value.after.practice_id);
  }
  if (!changed.ok && changed.refusal.type === "not-found") await recordCaseDenial(ctx, scope.taskId);
  return changed;
}

class LostRace extends Error {}

/** What a commit in doubt has written where it was kept: this entry, and a task that was this one before. */
type Mark = { readonly entry: AuditEntry; readonly seq: number; readonly before: TaskRow };

/** Attempts at one change, one after the other; each that failed in doubt is looked for by those after it. */
function attempts(ctx: Context, scope: Scope, decide: Decide): Attempt<Result<TaskChange, Refusal>> {
  const marks: Mark[] = [];
  let doubt: PerhapsDone | undefined;
  return async (isFirst) => {
    let mark: Mark | undefined;
    try {
      return await inTransaction(ctx.store, async (tx) => {
        if (!isFirst) await lockTurn(tx, scope.taskId);
        const attempted = await attemptChange({ ctx, tx, scope, decide, marks });
        mark = attempted.mark;
        return attempted.changed;
      });
    } catch (error) {
      if (error instanceof LostRace) return lostRace;
      // The worker leaves its attempts to lapse: what it holds in hand is not what the record says.
      if (error instanceof PerhapsDone && ctx.actor.kind !== "worker") {
        doubt ??= error;
        if (mark) marks.push(mark);
        return lostRace;
      }
      throw error instanceof NothingDone ? (doubt ?? error) : error;
    }
  };
}

type Attempting = {
  readonly ctx: Context;
  readonly tx: Tx;
  readonly scope: Scope;
  readonly decide: Decide;
  readonly marks: readonly Mark[];
};

type Attempted = { readonly changed: Result<TaskChange, Refusal>; readonly mark?: Mark };

async function attemptChange({ ctx, tx, scope, decide, marks }: Attempting): Promise<Attempted> {
  const { store } = ctx;
  const row = await loadTask(tx, scope);
  if (!row) return { changed: refuse({ type: "not-found" }) };
  const loaded: LoadedTask = { tx, store, row, task: rowToTask(row, store.sealer) };
  // Looked for after the task was read, so that whatever the task shows of a commit in doubt, the record shows too.
  const kept = await keptOf(tx, marks);
  if (kept) return { changed: ok({ before: kept.before, after: row, task: loaded.task }) };
  const accepts = ctx.actor.kind === "channel" || ctx.actor.kind === "person";
  if (row.record_stopped && accepts) return { changed: refuse({ type: "record-stopped" }) };
  const decided = await decide(loaded);
  if (!decided.ok) return { changed: decided };
  if (decided.value === "nothing") return { changed: ok({ before: row, after: row, task: loaded.task }) };
  const change = decided.value;
  const folded = fold(loaded.task, change);
  if (!folded.ok) return { changed: folded };
  const { task, writes } = folded.value;
  if (!(await saveTask({ tx, sealer: store.sealer, row }, task, writes))) throw new LostRace();
  if (change.alongside && !(await change.alongside(loaded, task))) throw new LostRace();
  const after = await loadTask(tx, scope);
  assert(after, "a task just written is there");
  const entry = {
    chain: row.practice_id,
    actor: ctx.actor,
    act: change.act,
    taskId: row.id,
    detail: { ...change.detail, from: stateOf(loaded.task), to: stateOf(task), version: after.version },
  };
  const seq = await appendAudit(tx, entry);
  const decision = decisionsByAct[change.act];
  if (decision && ctx.actor.kind === "person")
    await issueReceipt({ tx, store }, { row, auditSeq: seq, decision, by: ctx.actor });
  return { changed: ok({ before: row, after, task }), mark: { entry, seq, before: row } };
}

async function keptOf(tx: Tx, marks: readonly Mark[]): Promise<Mark | undefined> {
  for (const mark of marks) if (await hasEntry(tx, mark.entry, mark.seq)) return mark;
  return undefined;
}

/** What a person decides at a gate: each of these acts has its receipt. */
const decisionsByAct: Readonly<Partial<Record<TaskAct, Decision>>> = {
  "gate.released": "released",
  "gate.declined": "declined",
  "gate.sent-back": "sent-back",
  "gate.recalled": "recalled",
  "task.adopted": "adopted",
};

/** Applies the events in order, and gathers what became of the gates on the way. */
function fold(before: Task, change: Change): Result<{ task: Task; writes: TaskWrites }, Refusal> {
  const steps: Step[] = [];
  let task = before;
  for (const event of change.events) {
    const next = transition(task, event);
    if (!next.ok) return next;
    steps.push(next.value);
    task = next.value.task;
  }
  const closed = steps.flatMap((step) => (step.closed ? [{ ...step.closed, ...change.decision }] : []));
  const opened = steps.flatMap(({ opened: gate, task: at }) => {
    if (!gate) return [];
    const frozen = change.frozen?.find(({ id }) => id === gate.id);
    assert(frozen, "a gate opens with what was frozen for it");
    const determined = at.payer.determination !== undefined;
    return [{ gate, frozen, risk: riskOf({ action: gate.action, determined, warnings: frozen.warnings }) }];
  });
  return ok({ task, writes: { ...change.writes, closed, opened } });
}

/** The practices an actor may change tasks in. */
export function practicesOf({ actor }: Context): Scope["practices"] {
  switch (actor.kind) {
    case "channel":
      return actor.practices;
    case "person":
      return actor.roles.includes("reviewer") ? actor.practices : [];
    case "worker":
      return "every";
    case "operator":
      throw new Error(`${actorName(actor)} changes no task.`);
  }
}
