import type { Context } from "#lib/access/context";
import { actorName } from "#lib/access/model/actor";
import { recordCaseDenial } from "#lib/access/record-case-denial";
import { appendAudit, hasEntry } from "#lib/audit/shared/append-audit";
import type { AuditEntry } from "#lib/audit/model/entry";
import { insertDelivery } from "#lib/channel/webhook/store/deliveries";
import { announce } from "#lib/db/announce";
import { query, type Store, tryCommit, type Tx, unscoped } from "#lib/db/db";
import { stillReviews } from "#lib/person/shared/still-reviews";
import { NothingDone, type PerhapsDone } from "#lib/db/retry";
import { issueReceipt } from "#lib/gate/store/decision-receipts";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import type { Command } from "#lib/task/model/lifecycle/command";
import { decideAll } from "#lib/task/model/lifecycle/decide";
import type { Event } from "#lib/task/model/lifecycle/event";
import { actOf, decisionIn } from "#lib/task/model/lifecycle/projections";
import { stateOf, type Task } from "#lib/task/model/task";
import { type LoadedTask, loadTask, type Scope } from "#lib/task/store/load-task";
import { changedAt, nextVersion, type PreparedGate, saveTask, type TaskWrites } from "#lib/task/store/save-task";
import { insertReport } from "#lib/task/store/save-report";
import { rowToTask, type TaskRow } from "#lib/task/store/task-rows";
import { DatabaseBusyError } from "#lib/db/unavailable";
import type { RequestedWebhook } from "#lib/channel/webhook/model/requested-webhook";
import { saveTaskWebhook } from "#lib/channel/webhook/store/task-webhooks";
import { insertMessage, type KeptMessage } from "#lib/task/store/messages";
import { keepFiles, listFiles, type RevisionFiles } from "#lib/task/store/attachments";
import { type DecisionKey, keepDecision, type KeptDecision } from "#lib/gate/store/decision-keys";
import {
  insertNote,
  insertPayerInquiryNote,
  insertRecourseNote,
  type UnconfirmedResolution,
} from "#lib/submission/store/payer-inquiry-notes";
import { type HandledPush, markHandled } from "#lib/submission/store/handled-pushes";
import type { RecourseNote } from "#lib/submission/store/recourse-notes";
import { keepUnread, keptReport, type PayerReport } from "#lib/submission/payer-event";
import type { ReceivedFile } from "#lib/task/model/attachment";
import type { Refusal } from "./refusal.ts";

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
  /** The row after it, for a channel, which is answered with it; nobody else needs it read again. */
  readonly after?: TaskRow | undefined;
  readonly practiceId: string;
  readonly task: Task;
  readonly events: readonly Event[];
  readonly value?: Value | undefined;
};

type Decide<Value> = (loaded: LoadedTask) => Promise<Result<Change<Value>, Refusal>>;

type Options = {
  /** Called before the commit, when all is written but what is committed in one round trip with it. */
  readonly onWritten?: ((events: readonly Event[]) => void) | undefined;
  /** It seldom needs Prisma, and so gets a plain transaction, with others if they are asked for at the same time. */
  readonly isShared?: boolean | undefined;
};

/**
 * The only way to change a task. Reads it within the actor's practices, decides, and writes what follows from the
 * events over exactly the version that was read: task, gates, submissions, records, audit entry, and the signed receipt
 * of a person's decision. All of it commits together. Whoever comes second decides again on the new state. A task
 * outside the practices is `not-found`, also for a person who no longer reviews for its practice. If the connection is
 * lost during the commit, the audit log tells whether an agent's or a person's change was stored.
 */
export async function changeTask<Value = undefined>(
  ctx: Context,
  scope: Scope,
  decide: Decide<Value>,
  options: Options = {},
): Promise<Result<TaskChange<Value>, Refusal>> {
  const request = { ctx, scope, decide, options };
  const changed = await takeTurns(ctx.store, scope.taskId, (since) => untilDone(request, since));
  if (changed.ok && actOf(changed.value.events) !== undefined) {
    announce(ctx.store, "cases", changed.value.practiceId);
    announce(ctx.store, "tasks", scope.taskId);
  }
  if (!changed.ok && changed.refusal.type === "not-found") await recordCaseDenial(ctx, scope.taskId);
  return changed;
}

/** What a change would make happen to the task as it was read. Writes nothing. */
export function tryChange({ row, task }: LoadedTask, { commands, prepared, missing }: Change<unknown>) {
  return decideAll(commands, task, { at: row.now, gate: prepared?.gate, missing });
}

class LostRace extends Error {}

/** Identifies a commit: the audit entry it wrote, and the result to return if it was stored. */
type Mark<Value> = { readonly entry: AuditEntry; readonly seq: number; readonly changed: TaskChange<Value> };

type ChangeRequest<Value> = {
  readonly ctx: Context;
  readonly scope: Scope;
  readonly decide: Decide<Value>;
  readonly options: Options;
};

/** An attempt whose commit may or may not have been stored. Without a mark, it wrote no audit entry. */
type DoubtfulAttempt<Value> = {
  readonly type: "in-doubt";
  readonly doubt: PerhapsDone;
  readonly mark: Mark<Value> | undefined;
};

/** `lost-race`: the task had changed since it was read, and nothing was stored. */
type AttemptOutcome<Value> =
  | { readonly type: "done"; readonly changed: Result<TaskChange<Value>, Refusal> }
  | { readonly type: "lost-race" }
  | DoubtfulAttempt<Value>;

/** Attempts the change until it is stored or refused. Each attempt first looks for the entries of those in doubt. */
async function untilDone<Value>(
  request: ChangeRequest<Value>,
  since: number,
): Promise<Result<TaskChange<Value>, Refusal>> {
  let doubtful: readonly DoubtfulAttempt<Value>[] = [];
  for (let isFirst = true; performance.now() - since < waitMaxMs; isFirst = false) {
    const attempted = await attempt({ ...request, isFirst, doubtful });
    if (attempted.type === "done") return attempted.changed;
    if (attempted.type === "in-doubt") doubtful = [...doubtful, attempted];
  }
  const busy = new DatabaseBusyError("A task was changed by others for as long as a change of it was tried.");
  throw doubtful[0]?.doubt ?? new NothingDone(busy);
}

type Attempt<Value> = ChangeRequest<Value> & {
  readonly isFirst: boolean;
  readonly doubtful: readonly DoubtfulAttempt<Value>[];
};

async function attempt<Value>({ isFirst, doubtful, ...request }: Attempt<Value>): Promise<AttemptOutcome<Value>> {
  const { ctx, scope, options } = request;
  const marks = doubtful.flatMap(({ mark }) => mark ?? []);
  try {
    const attempting = async (tx: Tx) => {
      if (!isFirst) await lockTurn(tx, scope.taskId);
      return attemptChange({ ...request, tx, marks });
    };
    // Whoever takes turns with other processes waits for them.
    const ways = isFirst ? { isShared: options.isShared } : { isPlain: options.isShared };
    const { value, doubt } = await tryCommit(ctx.store, attempting, ways);
    if (!doubt) return { type: "done", changed: value.changed };
    // The worker lets its attempts lapse instead, because its claim may not be in the audit log.
    if (ctx.actor.kind === "worker") throw doubt;
    return { type: "in-doubt", doubt, mark: value.mark };
  } catch (error) {
    if (error instanceof LostRace) return { type: "lost-race" };
    throw error instanceof NothingDone ? (doubtful[0]?.doubt ?? error) : error;
  }
}

type ChangeAttempt<Value> = ChangeRequest<Value> & { readonly tx: Tx; readonly marks: readonly Mark<Value>[] };

type AttemptResult<Value> = {
  readonly changed: Result<TaskChange<Value>, Refusal>;
  readonly mark?: Mark<Value> | undefined;
};

async function attemptChange<Value>(attempt: ChangeAttempt<Value>): Promise<AttemptResult<Value>> {
  const { ctx, tx, scope, decide, marks } = attempt;
  const row = await loadTask(tx, scope);
  if (!row || !(await mayStillChange(attempt, row))) return { changed: refuse({ type: "not-found" }) };
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

/** A person's session was read before the transaction, and they may have lost what it says since. */
async function mayStillChange(
  { ctx, tx }: Pick<ChangeAttempt<unknown>, "ctx" | "tx">,
  { practice_id: practiceId }: TaskRow,
): Promise<boolean> {
  return ctx.actor.kind !== "person" || stillReviews(tx, { personId: ctx.actor.id, practiceId });
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
    return { changed: ok({ after: row, practiceId: row.practice_id, task, events, value }) };
  }
  const [reports, others] = divided(records);
  const report = reports[0] && keptReport(loaded, reports[0]);
  const update = { events, task, frozen: prepared?.frozen, writes, report };
  const version = nextVersion(row);
  const moved = { from: stateOf(loaded.task), to: stateOf(task), version };
  const chain = row.practice_id;
  const entry = { chain, actor: ctx.actor, act, taskId: row.id, detail: { ...detail, ...moved } };
  // A worker's audit entry goes along with the task, the last that is written, and often with the commit.
  const isWorkers = ctx.actor.kind === "worker";
  const isLast = others.length === 0 && !row.has_webhook;
  if (isWorkers && !(await saveRecords(loaded, others))) throw new LostRace();
  if (isWorkers) options.onWritten?.(events);
  const saved = await saveTask(loaded, update, isWorkers ? { entry, isLast } : undefined);
  if (!saved) throw new LostRace();
  if (!isWorkers && !(await saveRecords(loaded, others))) throw new LostRace();
  const after = ctx.actor.kind === "channel" ? await loadTask(tx, scope) : undefined;
  const seq = saved.seq ?? (await appendAudit(tx, entry));
  if (row.has_webhook) await insertDelivery(tx, { ...tellingOf(row), version, state: stateOf(task) });
  const decision = decisionIn(events);
  if (decision && ctx.actor.kind === "person")
    await issueReceipt({ tx, store: ctx.store }, { row, auditSeq: seq, decision, by: ctx.actor });
  if (!isWorkers) options.onWritten?.(events);
  const changed = { after, practiceId: row.practice_id, task, events, value };
  return { changed: ok(changed), mark: { entry, seq, changed } };
}

/** What the payer said, which goes along with the task, and the other records. */
function divided(records: readonly ChangeRecord[]) {
  const reports = records.flatMap((record) => (record.type === "payer-report" ? [record.report] : []));
  assert(reports.length <= 1, "a change has one report of the payer's");
  return [reports, records.filter(({ type }) => type !== "payer-report")] as const;
}

function tellingOf(row: TaskRow) {
  return { taskId: row.id, practiceId: row.practice_id, changedAt: changedAt(row) };
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

/** How long anybody waits for their turn; less than most callers wait for a reply. */
const waitMaxMs = 25_000;

/** For each task, the last one in this process to queue for a turn. */
const lines = new WeakMap<Store, Map<string, Promise<unknown>>>();

/**
 * Lets those who change a task take turns in the order they came: one at a time within a process, and nobody holds a
 * connection while waiting. Another process may still come first; whoever loses such a race takes turns with the other
 * processes too, from the next attempt on. A turn gets the instant at which the wait for it began.
 */
async function takeTurns<Value>(store: Store, taskId: string, take: (since: number) => Promise<Value>): Promise<Value> {
  const whole = unscoped(store);
  let line = lines.get(whole);
  if (!line) lines.set(whole, (line = new Map()));
  const since = performance.now();
  const before = line.get(taskId);
  const turn = before ? before.then(() => take(since)) : take(since);
  const over = turn.catch(() => undefined);
  line.set(taskId, over);
  try {
    return await turn;
  } finally {
    if (line.get(taskId) === over) line.delete(taskId);
  }
}

/**
 * Waits for other processes that take turns at the task. A separate lock, because the task's row is locked after
 * channels, practices and people; locking it first could cause a deadlock.
 */
async function lockTurn(tx: Tx, taskId: string): Promise<void> {
  const text = "SELECT true AS held FROM pg_advisory_xact_lock(hashtextextended('turn:' || $1, 0))";
  await query(tx, { name: "lock-turn", text, values: [taskId] });
}

/** What is stored with a change in addition to what follows from its events. */
export type ChangeRecord =
  /** The message that asked for the change. A copy of it may have come first. */
  | { readonly type: "message"; readonly message: KeptMessage }
  /** Where its channel wants further changes told. */
  | { readonly type: "webhook"; readonly webhook: RequestedWebhook & { readonly channelId: string } }
  /** The files of a new revision. */
  | { readonly type: "files"; readonly files: RevisionFiles }
  /** A payer's letter: a file of the task that belongs to no revision, so it is not submitted to a payer. */
  | { readonly type: "letter"; readonly letter: ReceivedFile }
  | { readonly type: "payer-report"; readonly report: PayerReport }
  /** An answer to an inquiry that was not understood, for a person to look at. */
  | { readonly type: "unread-answer"; readonly bytes: Uint8Array }
  /** What a person bases a record on. */
  | { readonly type: "note"; readonly kind: string; readonly text: string }
  | { readonly type: "inquiry-note"; readonly note: UnconfirmedResolution }
  /** `at`: when a peer-to-peer review is or was. */
  | { readonly type: "recourse-note"; readonly note: RecourseNote; readonly at?: Date | undefined }
  /** The payer's notification that this change answers. */
  | { readonly type: "heard-push"; readonly push: HandledPush }
  /** The key of a form, so that its decision is made once. A copy of the request may have come first. */
  | { readonly type: "decision-key"; readonly key: DecisionKey; readonly decision: KeptDecision };

/** Writes the records. False if a copy was written first. */
async function saveRecords(loaded: LoadedTask, records: readonly ChangeRecord[]): Promise<boolean> {
  for (const record of records) if (!(await saveRecord(loaded, record))) return false;
  return true;
}

async function saveRecord(loaded: LoadedTask, record: ChangeRecord): Promise<boolean> {
  const { tx, row } = loaded;
  const place = { taskId: row.id, practiceId: row.practice_id };
  switch (record.type) {
    case "message":
      return insertMessage(tx, record.message);
    case "webhook":
      await saveTaskWebhook(tx, { ...record.webhook, ...place });
      return true;
    case "files":
      await keepFiles(tx, record.files);
      await listFiles(tx, record.files);
      return true;
    case "letter":
      await keepFiles(tx, { ...place, received: [record.letter], at: row.now });
      return true;
    case "payer-report":
      await insertReport(loaded, keptReport(loaded, record.report));
      return true;
    case "unread-answer":
      await keepUnread(loaded, record.bytes);
      return true;
    case "note":
      await insertNote(loaded, record);
      return true;
    case "inquiry-note":
      await insertPayerInquiryNote(loaded, record.note);
      return true;
    case "recourse-note":
      await insertRecourseNote(loaded, record.note, record.at);
      return true;
    case "heard-push":
      await markHandled(tx, record.push, { practiceId: row.practice_id, at: row.now });
      return true;
    case "decision-key":
      return keepDecision(tx, record.key, { ...record.decision, practiceId: row.practice_id, at: row.now });
  }
}
