import { isUtf8 } from "node:buffer";
import { gateOf, type Gate, isAwaited, type NewGate, type Task, stateOf } from "#lib/task/model/task";
import type { Event } from "#lib/task/model/lifecycle/event";
import { adopterAfter, gatesClosed, gatesOpened, mayReopen, votesOf } from "#lib/task/model/lifecycle/projections";
import { riskOf, type Risk } from "#lib/task/model/vote-rule";
import { timesAfter, type LearnedTimes, type Times } from "#lib/task/model/times";
import type { Db } from "#lib/db/db";
import { insertReport, type KeptReport } from "./save-report.ts";
import { type UpdatedTask, updateTask } from "./update-task.ts";
import type { AuditEntry } from "#lib/audit/model/entry";
import { filterBits } from "#lib/platform/clever/filter-bits";
import { listColumns } from "./list-columns.ts";
import {
  leftAt,
  saveSubmissions,
  submissionUpdate,
  type SubmissionReport,
} from "#lib/submission/store/save-submission";
import { memberHash, sealBytes, sealText } from "#lib/db/sealed";
import type { LoadedTask } from "./load-task.ts";
import type { TaskData } from "./task-columns.ts";
import { rowToTimes, taskToData, timesToData, type TaskRow } from "./task-rows.ts";
import { saveVote } from "#lib/gate/store/votes";
import { assert } from "#lib/platform/result";
import type { ChosenRule } from "#lib/practice/model/route-rule";
import { closedStates } from "#lib/queue/model/queue";

/** What was frozen when a gate opened, as it is kept. */
export type FrozenGate = {
  readonly id: string;
  readonly calls: readonly { method: string; url: string; contentType: string; body: Uint8Array }[];
  readonly documentDigests: readonly string[];
  readonly routeId: string | undefined;
  readonly routeVersion: number;
  /** The payer id of the connection, and the rule that chose it where it is not the payer's own. */
  readonly connection: string;
  readonly rule?: ChosenRule | undefined;
  readonly connector: string;
  readonly environment: "live" | "test";
  readonly warnings: readonly string[];
  /** By when the practice wants it answered. */
  readonly dueAt: Date;
  /** Why the agent asked, for a void. */
  readonly purpose?: string | undefined;
};

/** A gate that a command may open, with the bytes that were frozen for it. */
export type PreparedGate = { readonly gate: NewGate; readonly frozen: FrozenGate };

/** What a change writes beside what follows from its events. */
export type TaskWrites = SubmissionReport & {
  readonly revision?:
    | {
        digest: string;
        bytes: Uint8Array;
        procedureCodes: readonly string[];
        payerId: string;
        /** The payer id of the connection it would go over. */
        connection: string;
        urgent: boolean;
        attachmentCount: number;
      }
    | undefined;
  readonly patient?: string | undefined;
  readonly memberId?: string | undefined;
  /** When to ask the payer next and how often it was asked; a null time ends the asking. */
  readonly poll?: { at: Date | null; count: number } | undefined;
};

/** What happened to a task, what it is after that, and what was frozen for the gate that opened. */
type TaskUpdate = {
  readonly events: readonly Event[];
  readonly task: Task;
  readonly frozen?: FrozenGate | undefined;
  readonly writes?: TaskWrites | undefined;
  /** What the payer said. */
  readonly report?: KeptReport | undefined;
};

/** What may go along where one statement writes everything. */
type Whole = {
  /** The number that comes back says that it was written. */
  readonly entry: AuditEntry;
  /** The caller writes nothing before or after it, so that it may be committed at once. */
  readonly isLast: boolean;
};

/**
 * Writes what follows from the events over exactly the version that was read: the task, its gates, votes and
 * submissions. Undefined when another change came first: then nothing was written of it.
 */
export async function saveTask(
  loaded: LoadedTask,
  update: TaskUpdate,
  whole?: Whole,
): Promise<UpdatedTask | undefined> {
  const { tx, row } = loaded;
  const { events, task, writes = {}, report } = update;
  const gate = gateOf(task);
  const opened = openedIn(update);
  const adoptedBy = adopterAfter(events);
  const left = leftAt(row, events, writes);
  const times = timesOf(row, events, { ...writes.reported, leftAt: left });
  const payerId = writes.revision?.payerId ?? row.payer_id;
  const connection = opened?.frozen.connection ?? writes.revision?.connection ?? row.route_payer_id ?? row.payer_id;
  const at = changedAt(row);
  const isClosed = closedStates.includes(stateOf(task));
  const data = {
    version: nextVersion(row),
    ...taskToData(tx, task, row),
    gateId: gate?.id ?? opened?.gate.id ?? row.gate_id,
    changedAt: at,
    closedAt: isClosed ? at : null,
    ...timesToData(times),
    ...(await listColumns(loaded, task, { ...writes, events, opened, times, connection, leftAt: left })),
    routePayerId: connection === payerId ? null : connection,
    environment: opened?.frozen.environment ?? row.environment,
    ...(adoptedBy === undefined ? {} : { adoptedBy }),
    ...revisionColumns(loaded, writes),
  } satisfies Partial<TaskData>;
  const submission = submissionUpdate(loaded, update);
  const isWhole = !opened && !writes.revision && submission !== "more" && !decidesGate(events);
  if (!isWhole && report) await insertReport(loaded, report);
  const updated = await updateTask(loaded, data, events, {
    submission: typeof submission === "string" ? undefined : submission,
    inquiry: inquiryAfter(row, writes, task),
    closed: isClosed ? { codes: writes.revision?.procedureCodes ?? row.procedure_codes, at } : undefined,
    ...(isWhole ? { report, ...whole } : {}),
  });
  if (updated && !isWhole) await saveRest(loaded, { ...update, opened, isMore: submission === "more" });
  return updated;
}

type Rest = TaskUpdate & { readonly opened: OpenedGate | undefined; readonly isMore: boolean };

/** What one statement with the task does not write. */
async function saveRest(loaded: LoadedTask, { opened, isMore, ...update }: Rest): Promise<void> {
  const { tx, row } = loaded;
  const { events, task, writes = {} } = update;
  if (writes.revision) await insertRevision(loaded, task.revision, writes.revision);
  await closeGates(loaded, events);
  for (const vote of votesOf(events)) await saveVote(tx, row.practice_id, vote, row.now);
  if (opened) await insertGate(loaded, opened);
  if (isMore) await saveSubmissions(loaded, update);
  if (goesOn(events, task)) await tx.closedCode.deleteMany({ where: { taskId: row.id, practiceId: row.practice_id } });
}

/** Whether rows of gates or votes are written. */
function decidesGate(events: readonly Event[]): boolean {
  return gatesClosed(events).length > 0 || votesOf(events).length > 0;
}

/** Whether a case that may have been over, and was listed by its codes, is open. */
function goesOn(events: readonly Event[], task: Task): boolean {
  return mayReopen(events) && !closedStates.includes(stateOf(task));
}

/** When to ask the payer next; undefined where nothing is to be written of it. */
/** Whatever ended here, a payer that still owes an answer goes on being asked. */
function inquiryAfter(row: TaskRow, { poll }: TaskWrites, task: Task) {
  const ends = poll?.at === null;
  if (ends && (row.inquiries === null || isAwaited(task))) return undefined;
  return poll;
}

type OpenedGate = { readonly gate: Gate; readonly frozen: FrozenGate; readonly risk: Risk };

/** A change opens one gate at most, which comes with what was frozen for it. */
function openedIn({ events, task, frozen }: TaskUpdate): OpenedGate | undefined {
  const [gate] = gatesOpened(events);
  if (!gate) return undefined;
  assert(frozen?.id === gate.id, "a gate opens with what was frozen for it");
  const determined = task.payer.determination !== undefined;
  return { gate, frozen, risk: riskOf({ action: gate.action, determined, warnings: frozen.warnings }) };
}

function timesOf(row: TaskRow, events: readonly Event[], learned: Omit<LearnedTimes, "now">): Times {
  const before = { ...rowToTimes(row), payerReceipt: row.payer_receipt };
  return timesAfter(before, events, { ...learned, now: row.now });
}

function revisionColumns({ tx, row }: LoadedTask, { revision, patient, memberId }: TaskWrites) {
  if (!revision) return {};
  const { procedureCodes: codes, payerId, urgent, attachmentCount } = revision;
  return {
    procedureCodes: [...codes],
    filterBits: filterBits({ payerId, channelId: row.channel_id, codes }),
    revisionDigest: revision.digest,
    payerId,
    urgent,
    attachmentCount,
    patient: patient ? sealText(tx, "task.patient", { row: row.id, practiceId: row.practice_id }, patient) : null,
    memberHash: memberId ? memberHash(tx, memberId, row.practice_id) : null,
  };
}

/** The version that a change of this row makes. */
export function nextVersion(row: TaskRow): number {
  return row.version + 1;
}

/** When a change of this row is. An agent goes by it, so it never goes back, whatever became of the database's clock. */
export function changedAt(row: TaskRow): Date {
  return row.now > row.changed_at ? row.now : row.changed_at;
}

async function insertRevision({ tx, row }: LoadedTask, number: number, revision: NonNullable<TaskWrites["revision"]>) {
  await tx.revision.create({
    data: {
      taskId: row.id,
      number,
      practiceId: row.practice_id,
      digest: revision.digest,
      serviceReview: sealBytes(
        tx,
        "revision.service_review",
        revisionRow(row.id, number, row.practice_id),
        revision.bytes,
      ),
      createdAt: row.now,
    },
  });
}

export function revisionRow(taskId: string, number: number, practiceId: string) {
  return { row: `${taskId}/${number}`, practiceId };
}

async function closeGates({ tx, row }: LoadedTask, events: readonly Event[]) {
  for (const { gateId, as, by, automatic, reason, reasonCode, fields } of gatesClosed(events)) {
    const of = { row: gateId, practiceId: row.practice_id };
    await tx.gate.update({
      where: { id: gateId },
      data: {
        status: as,
        decidedAt: row.now,
        ...(by ? { decidedBy: by } : {}),
        ...(automatic ? { autoReleased: true } : {}),
        ...(reason ? { reason: sealText(tx, "gate.reason", of, reason) } : {}),
        ...(reasonCode ? { reasonCode } : {}),
        ...(fields ? { fields: [...fields] } : {}),
      },
    });
  }
}

async function insertGate({ tx, row }: LoadedTask, { gate, frozen, risk }: OpenedGate) {
  const of = { row: gate.id, practiceId: row.practice_id };
  await tx.gate.create({
    data: {
      id: gate.id,
      taskId: row.id,
      practiceId: row.practice_id,
      action: gate.action,
      isUpdate: gate.update,
      isManual: gate.manual,
      revision: gate.revision,
      digest: gate.digest,
      documentDigests: [...frozen.documentDigests],
      calls: sealCalls(tx, frozen, row.practice_id),
      purpose: frozen.purpose === undefined ? null : sealText(tx, "gate.purpose", of, frozen.purpose),
      routeId: frozen.routeId ?? null,
      routeVersion: frozen.routeVersion,
      ...(frozen.rule ? { routeRule: ruleColumn(frozen.rule) } : {}),
      connector: frozen.connector,
      environment: frozen.environment,
      warnings: [...frozen.warnings],
      risk,
      status: "open",
      openedAt: gate.openedAt,
      expiresAt: gate.expiresAt,
    },
  });
}

/** The rule as its column holds it. */
function ruleColumn({ codes, serviceTypes, linesOfBusiness, ...rule }: ChosenRule) {
  const lists = { serviceTypes: [...serviceTypes], linesOfBusiness: [...linesOfBusiness] };
  return { ...rule, ...lists, codes: codes.map((range) => ({ ...range })) };
}

/** The frozen calls in one sealed value; bodies are kept byte for byte, as text where they are UTF-8. */
export function sealCalls(db: Db, { id, calls }: Pick<FrozenGate, "id" | "calls">, practiceId: string) {
  const kept = calls.map(({ body, ...call }) => ({ ...call, ...keptBody(Buffer.from(body)) }));
  return sealText(db, "gate.calls", { row: id, practiceId }, JSON.stringify(kept));
}

function keptBody(body: Buffer): { readonly text: string } | { readonly body: string } {
  return isUtf8(body) ? { text: body.toString("utf8") } : { body: body.toString("base64") };
}
