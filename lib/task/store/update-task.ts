import { type AuditEntry, auditDetail } from "#lib/audit/model/entry";
import { actorName } from "#lib/access/model/actor";
import { query } from "#lib/db/db";
import { lockingChain } from "#lib/db/practice-share";
import type { SubmissionUpdate } from "#lib/submission/store/save-submission";
import type { Event } from "#lib/task/model/lifecycle/event";
import { sealFacts } from "./events.ts";
import type { LoadedTask } from "./load-task.ts";
import { type KeptReport, reportParts } from "./save-report.ts";
import { type TaskData, type WrittenColumn, writtenColumns } from "./task-columns.ts";

type NextTask = Partial<TaskData> & Pick<TaskData, "version">;

/** What one statement writes with the next version of a task: rows that nothing else of the change waits for. */
type WrittenAlong = {
  readonly submission?: SubmissionUpdate | undefined;
  /** When to ask the payer next, and how often it was asked; a null time ends the asking. */
  readonly inquiry?: { readonly at: Date | null; readonly count: number } | undefined;
  /** The case is over: what it is listed by, and since when. */
  readonly closed?: { readonly codes: readonly string[]; readonly at: Date } | undefined;
  /** What the payer said. */
  readonly report?: KeptReport | undefined;
  /** Its entry in the audit log, where nothing is written after it: the chain stays locked until the commit. */
  readonly entry?: AuditEntry | undefined;
  /** Nothing else is written before or after it: where another change came first, there is nothing to undo. */
  readonly isLast?: boolean | undefined;
};

/** `seq`: the number of the audit entry, where it was written along. */
export type UpdatedTask = { readonly seq: number | undefined };

/**
 * Makes of the version that was read its next one, with the events that made it and what is written along, in one
 * statement. Undefined when another change came first: then nothing was written.
 */
export async function updateTask(
  { tx, row }: Pick<LoadedTask, "tx" | "row">,
  data: NextTask,
  events: readonly Event[],
  along: WrittenAlong = {},
): Promise<UpdatedTask | undefined> {
  const { version } = data;
  const place = { taskId: row.id, practiceId: row.practice_id, version };
  const facts = events.map((event, index) => sealFacts(tx, event, { ...place, position: index + 1 }));
  const values: unknown[] = [row.id, row.practice_id, row.version, row.now, events.map(({ type }) => type), facts];
  const next: Place = (value) => `$${values.push(value)}`;
  const report = along.report ? reportParts({ tx, row }, along.report, next, "changed") : [];
  const text = statementOf(writtenColumns(data), { ...along, report }, next);
  const write = () => query<{ seq: number | null }>(tx, { text, values, isLast: along.isLast });
  const [updated] = await (along.entry ? lockingChain(tx, row.practice_id, write) : write());
  return updated && { seq: updated.seq ?? undefined };
}

/** Gives a parameter its place. */
type Place = (value: unknown) => string;

/** Everything follows from the row of `changed`, of which there is none when another change came first. */
function statementOf(
  columns: readonly WrittenColumn[],
  { submission, inquiry, closed, report, entry }: Omit<WrittenAlong, "report"> & { readonly report: readonly string[] },
  place: Place,
): string {
  const parts = [
    `changed AS (
      UPDATE task SET ${assigned(columns, place)} WHERE id = $1::uuid AND practice_id = $2 AND version = $3::int
      RETURNING id, practice_id, version)`,
    `happened AS (
      INSERT INTO task_event (task_id, version, position, practice_id, type, facts, occurred_at)
      SELECT changed.id, changed.version, one.position, changed.practice_id, one.type, one.facts, $4::timestamptz
        FROM changed CROSS JOIN unnest($5::text[], $6::bytea[]) WITH ORDINALITY AS one (type, facts, position))`,
    ...(submission ? [submissionPart(submission, place)] : []),
    ...(inquiry ? [inquiryPart(inquiry, place)] : []),
    ...(closed ? [closedPart(closed, place)] : []),
    ...report,
  ];
  return `WITH ${parts.join(", ")} SELECT ${entry ? entryPart(entry, place) : "NULL::int"} AS seq FROM changed`;
}

function assigned(columns: readonly WrittenColumn[], place: Place): string {
  return columns.map(({ name, type, value }) => `${name} = ${place(value)}::${type}`).join(", ");
}

function submissionPart({ gateId, columns }: SubmissionUpdate, place: Place): string {
  return `submitted AS (
      UPDATE transmission x SET ${assigned(columns, place)} FROM changed
       WHERE x.gate_id = ${place(gateId)}::uuid AND x.practice_id = changed.practice_id)`;
}

/** Apart from the task, whose indexes a change of it would write. */
function inquiryPart({ at, count }: NonNullable<WrittenAlong["inquiry"]>, place: Place): string {
  if (at === null) return "unasked AS (DELETE FROM next_inquiry i USING changed WHERE i.task_id = changed.id)";
  const [dueAt, inquiries] = [`${place(at)}::timestamptz`, `${place(count)}::int`];
  return `again AS (
      UPDATE next_inquiry i SET due_at = ${dueAt}, inquiries = ${inquiries} FROM changed WHERE i.task_id = changed.id
      RETURNING i.task_id),
    asked AS (
      INSERT INTO next_inquiry (task_id, practice_id, due_at, inquiries)
      SELECT id, practice_id, ${dueAt}, ${inquiries} FROM changed WHERE NOT EXISTS (SELECT FROM again)
          ON CONFLICT (task_id) DO UPDATE SET due_at = excluded.due_at, inquiries = excluded.inquiries)`;
}

/** Nobody else writes these rows, which only a case that closes again has: behind the lock of the task there is no conflict to allow for. */
function closedPart({ codes, at }: NonNullable<WrittenAlong["closed"]>, place: Place): string {
  const [given, closedAt] = [`${place([...codes])}::text[]`, `${place(at)}::timestamptz`];
  return `relisted AS (
      UPDATE closed_code k SET changed_at = ${closedAt} FROM changed WHERE k.task_id = changed.id AND k.code = ANY (${given})
      RETURNING k.code),
    listed AS (
      INSERT INTO closed_code (task_id, code, practice_id, changed_at)
      SELECT changed.id, code, changed.practice_id, ${closedAt}
        FROM changed CROSS JOIN (SELECT DISTINCT code FROM unnest(${given}) AS c (code)) each
       WHERE code NOT IN (SELECT code FROM relisted))`;
}

function entryPart({ actor, act, detail }: AuditEntry, place: Place): string {
  const [by, what, text] = [place(actorName(actor)), place(act), place(auditDetail(detail))];
  return `audit_append(changed.practice_id, ${by}, ${what}, changed.id, ${text})::int`;
}
