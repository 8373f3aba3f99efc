import { isUtf8 } from "node:buffer";
import canonicalize from "canonicalize";
import { lastAuthorizedDay, reasonCodes, type Determination } from "#lib/task/model/determination";
import { gateOf, type Gate, type NewGate, type Task, stateOf } from "#lib/task/model/task";
import type { Event } from "#lib/task/model/lifecycle/event";
import { adopterIn, gatesClosed, gatesOpened, mayReopen, votesOf } from "#lib/task/model/lifecycle/projections";
import { riskOf, type Risk } from "#lib/task/model/vote-rule";
import { timesAfter, type LearnedTimes, type Times } from "#lib/task/model/times";
import type { Db } from "#lib/db/db";
import { updateTask } from "./events.ts";
import { filterBits } from "#lib/platform/clever/filter-bits";
import { listColumns } from "./list-columns.ts";
import { leftAt, saveSubmissions, type SubmissionReport } from "#lib/submission/store/save-submission";
import { memberHash, sealBytes, sealText } from "#lib/db/sealed";
import type { LoadedTask } from "./load-task.ts";
import { insertNumbers } from "./numbered-cases.ts";
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
};

/**
 * Writes what follows from the events over exactly the version that was read: the task, its gates, votes and
 * submissions. False when another change came first: then nothing was written.
 */
export async function saveTask(loaded: LoadedTask, update: TaskUpdate): Promise<boolean> {
  const { tx, row } = loaded;
  const { events, task, writes = {} } = update;
  const gate = gateOf(task);
  const opened = openedIn(update);
  const adoptedBy = adopterIn(events);
  const times = timesOf(row, events, { ...writes.reported, leftAt: leftAt(row, events, writes) });
  const payerId = writes.revision?.payerId ?? row.payer_id;
  const connection = opened?.frozen.connection ?? writes.revision?.connection ?? row.route_payer_id ?? row.payer_id;
  const data = {
    version: nextVersion(row),
    ...taskToData(tx, task, row),
    gateId: gate?.id ?? opened?.gate.id ?? row.gate_id,
    changedAt: changedAt(row),
    ...timesToData(times),
    ...(await listColumns(loaded, task, { ...writes, events, opened, times, connection })),
    routePayerId: connection === payerId ? null : connection,
    environment: opened?.frozen.environment ?? row.environment,
    ...(adoptedBy ? { adoptedBy } : {}),
    ...revisionColumns(loaded, writes),
  } satisfies Partial<TaskData>;
  if (!(await updateTask(loaded, data, events))) return false;
  if (writes.revision) await insertRevision(loaded, task.revision, writes.revision);
  await closeGates(loaded, events);
  for (const vote of votesOf(events)) await saveVote(tx, row.practice_id, vote, row.now);
  if (opened) await insertGate(loaded, opened);
  await saveSubmissions(loaded, update);
  if (writes.poll) await saveInquiry(loaded, writes.poll);
  await listByCodes(loaded, task, events);
  return true;
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

type NewDetermination = {
  readonly id: string;
  readonly determination: Determination;
  /** The payer's own instant, as it gave it. */
  readonly decidedAt: Date | undefined;
  readonly environment: "live" | "test";
  /** The determination this one takes the place of. */
  readonly supersedes: string | undefined;
  /** The revision of the request that it answers. */
  readonly revision: number | undefined;
};

/** Keeps a determination beside the task; the one it supersedes stays. */
export async function insertDetermination(
  { tx, row }: Pick<LoadedTask, "tx" | "row">,
  { id, determination, decidedAt, environment, supersedes, revision }: NewDetermination,
) {
  const of = { row: id, practiceId: row.practice_id };
  await tx.determination.create({
    data: {
      id,
      taskId: row.id,
      practiceId: row.practice_id,
      outcome: determination.outcome,
      environment,
      document: sealText(tx, "determination.document", of, canonicalize(determination) ?? ""),
      decidedAt: decidedAt ?? null,
      receivedAt: row.now,
      supersedes: supersedes ?? null,
      revision: revision ?? null,
      validTo: endOf(determination),
      reasons: [...reasonCodes(determination)],
    },
  });
  await insertNumbers(tx, row, determination);
}

/** The last day of an authorization, where the payer named a whole day. */
function endOf(determination: Determination): Date | null {
  const last = lastAuthorizedDay(determination) ?? "";
  if (!/^\d{4}-\d{2}-\d{2}$/.test(last)) return null;
  const day = new Date(`${last}T00:00:00Z`);
  // Postgres has no year 0.
  return day.getUTCFullYear() >= 1900 ? day : null;
}

/** Keeps what the payer said. False when the same was kept before: then there is nothing new to record. */
export async function insertPayerEvent(
  { tx, row }: Pick<LoadedTask, "tx" | "row">,
  event: {
    id: string;
    kind: string;
    digest: string;
    payload: Uint8Array | undefined;
    payerAt?: Date | undefined;
    unread?: boolean | undefined;
  },
): Promise<boolean> {
  const of = { row: event.id, practiceId: row.practice_id };
  const { count } = await tx.payerEvent.createMany({
    data: {
      id: event.id,
      taskId: row.id,
      practiceId: row.practice_id,
      gateId: row.gate_id,
      kind: event.kind,
      digest: event.digest,
      payload: event.payload ? sealBytes(tx, "payer_event.payload", of, event.payload) : null,
      payerAt: event.payerAt ?? null,
      receivedAt: row.now,
      handledAt: row.now,
      unread: event.unread === true && event.payload !== undefined,
    },
    skipDuplicates: true,
  });
  return count > 0;
}

/** Apart from the task, whose indexes a change of it would write. */
async function saveInquiry({ tx, row }: LoadedTask, { at, count }: NonNullable<TaskWrites["poll"]>): Promise<void> {
  const { id: taskId, practice_id: practiceId } = row;
  const next = { dueAt: at ?? row.now, inquiries: count };
  if (at !== null)
    await tx.nextInquiry.upsert({ where: { taskId }, create: { taskId, practiceId, ...next }, update: next });
  else if (row.inquiries !== null) await tx.nextInquiry.deleteMany({ where: { taskId, practiceId } });
}

/** Keeps a case that is over listed by its codes, from the row just written, until it goes on again. */
async function listByCodes({ tx, row }: LoadedTask, task: Task, events: readonly Event[]): Promise<void> {
  const { id: taskId, practice_id: practiceId } = row;
  if (closedStates.includes(stateOf(task))) {
    await tx.$executeRaw`
      INSERT INTO closed_code (task_id, code, practice_id, changed_at)
      SELECT DISTINCT t.id, c.code, t.practice_id, t.changed_at FROM task t CROSS JOIN unnest(t.procedure_codes) AS c (code)
       WHERE t.id = ${taskId}::uuid AND t.practice_id = ${practiceId}
          ON CONFLICT (task_id, code) DO UPDATE SET changed_at = excluded.changed_at`;
  } else if (mayReopen(events)) {
    await tx.closedCode.deleteMany({ where: { taskId, practiceId } });
  }
}
