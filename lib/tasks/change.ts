import type { Context } from "#lib/context";
import { actorName } from "#lib/domain/actor";
import type { Event } from "#lib/domain/event";
import { assert, ok, type Result } from "#lib/domain/result";
import { riskOf } from "#lib/domain/risk";
import type { Step } from "#lib/domain/step";
import { stateOf, type Task } from "#lib/domain/task";
import { transition } from "#lib/domain/transition";
import type { Decision } from "#lib/receipt/receipt";
import { announce } from "#lib/store/announce";
import { appendAudit, type TaskAct } from "#lib/store/audit";
import { inTransaction, type Store, type Tx } from "#lib/store/db";
import { issueReceipt } from "#lib/store/decision-receipts";
import { loadTask, type Scope } from "#lib/store/load-task";
import { saveTask, type Answered, type FrozenGate, type Writes } from "#lib/store/save-task";
import { rowToTask, type TaskRow } from "#lib/store/task-rows";
import { refuse } from "#lib/domain/result";
import { noteDenial } from "./note-denial.ts";
import type { Refusal } from "./refusal.ts";

/** A task as it was read, inside the transaction that may change it. */
export type Loaded = { readonly tx: Tx; readonly store: Store; readonly row: TaskRow; readonly task: Task };

/** What a verb wants to happen: events for the lifecycle, and what is written with them. */
export type Change = {
  readonly events: readonly Event[];
  readonly act: TaskAct;
  /** For the audit record: ids, digests, numbers, states; never patients' data. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** What was frozen for the gates the events may open. */
  readonly frozen?: readonly FrozenGate[];
  readonly writes?: Omit<Writes, "closed" | "opened">;
  /** Who closed the gate and what they said to it. */
  readonly decision?: Answered;
  /** Rows that go with the change, written after it won. False when a twin wrote them first. */
  readonly alongside?: (loaded: Loaded, after: Task) => Promise<boolean>;
};

/** The task after the change, and before it. */
export type Changed = { readonly before: TaskRow; readonly after: TaskRow; readonly task: Task };

type Decide = (loaded: Loaded) => Promise<Result<Change | "nothing", Refusal>>;

class LostRace extends Error {}

const triesMax = 8;

/**
 * The one way a task changes: read it in the asker's practices, decide, apply
 * the events, write task, gates and audit entry over exactly the version read,
 * with the signed receipt of what a person decided, and commit together. Whoever comes second decides again on what is there now.
 * A task outside the practices is `not-found`.
 */
export async function changeTask(ctx: Context, scope: Scope, decide: Decide): Promise<Result<Changed, Refusal>> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    try {
      const changed = await inTransaction(ctx.store, (tx) => attemptChange(ctx, tx, scope, decide));
      if (changed.ok && changed.value.after !== changed.value.before) {
        announce(ctx.store, "cases", changed.value.after.practice_id);
      }
      if (!changed.ok && changed.refusal.type === "not-found") await noteDenial(ctx, scope.taskId);
      return changed;
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
    }
  }
  throw new Error(`A task changed ${triesMax} times while one change was tried.`);
}

async function attemptChange(ctx: Context, tx: Tx, scope: Scope, decide: Decide): Promise<Result<Changed, Refusal>> {
  const { store } = ctx;
  const row = await loadTask(tx, scope);
  if (!row) return refuse({ type: "not-found" });
  const accepts = ctx.actor.kind === "channel" || ctx.actor.kind === "person";
  if (row.record_stopped && accepts) return refuse({ type: "record-stopped" });
  const loaded: Loaded = { tx, store, row, task: rowToTask(row, store.sealer) };
  const decided = await decide(loaded);
  if (!decided.ok) return decided;
  if (decided.value === "nothing") return ok({ before: row, after: row, task: loaded.task });
  const change = decided.value;
  const folded = fold(loaded.task, change);
  if (!folded.ok) return folded;
  const { task, writes } = folded.value;
  if (!(await saveTask({ tx, sealer: store.sealer, row }, task, writes))) throw new LostRace();
  if (change.alongside && !(await change.alongside(loaded, task))) throw new LostRace();
  const after = await loadTask(tx, scope);
  assert(after, "a task just written is there");
  const auditSeq = await appendAudit(tx, {
    chain: row.practice_id,
    actor: ctx.actor,
    act: change.act,
    taskId: row.id,
    detail: { ...change.detail, from: stateOf(loaded.task), to: stateOf(task), version: after.version },
  });
  const decision = decisionsByAct[change.act];
  if (decision && ctx.actor.kind === "person")
    await issueReceipt({ tx, store }, { row, auditSeq, decision, by: ctx.actor });
  return ok({ before: row, after, task });
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
function fold(before: Task, change: Change): Result<{ task: Task; writes: Writes }, Refusal> {
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
