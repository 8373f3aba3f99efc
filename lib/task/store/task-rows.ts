import { knownWord } from "#lib/platform/known-word";
import { assert } from "#lib/platform/result";
import type { Determination } from "#lib/task/model/determination";
import { declineCodes, type DeclineCode } from "#lib/task/model/decline-code";
import { environments } from "#lib/task/model/environment";
import type { InformationRequest } from "#lib/task/model/information-request";
import {
  outcomes,
  type Action,
  type Gate,
  type Outcome,
  type PayerFacts,
  type Remark,
  type Stage,
  type Task,
} from "#lib/task/model/task";
import { actions } from "#lib/task/model/vote-rule";
import type { ChosenRule } from "#lib/practice/model/route-rule";
import type { Recourse } from "#lib/task/model/recourse";
import { submissionResults, type SubmissionResult } from "#lib/task/model/submission-result";
import type { Times } from "#lib/task/model/times";
import { commitsAlone } from "#lib/db/replication";
import { isRecordStopped } from "#lib/submission/shared/record-stops";
import type { Db } from "#lib/db/db";
import { openText, sealText } from "#lib/db/sealed";
import type { SubmissionRow } from "#lib/submission/store/submissions";
import { taskColumnsRead, taskTable, type TaskColumnsRead, type TaskData } from "./task-columns.ts";
import { routePayer } from "#lib/task/shared/route-payer";

/** The practice's settings for the payer's deadline, read only if the payer has the case. */
const clockColumns = `
  CASE WHEN t.payer_received_at IS NOT NULL THEN practice_time_zone(t.practice_id) END AS time_zone,
  CASE WHEN t.payer_received_at IS NOT NULL
    THEN route_line_of_business(t.practice_id, ${routePayer("t")}) END AS line_of_business`;

/** Enough to tell whether an earlier answer is still current. */
export const versionColumns = `t.id, t.version, t.changed_at, ${clockColumns}`;

/** The columns of `versionColumns`. */
export type VersionRow = Pick<RecordRow, "id" | "version" | "changed_at" | "time_zone" | "line_of_business">;

/** What an agent is told of one task, read in one statement. */
export const recordColumns = `${taskColumnsRead("record")}, ${clockColumns},
  g.action AS gate_action, g.is_update AS gate_is_update, g.is_manual AS gate_is_manual, g.revision AS gate_revision,
  g.digest AS gate_digest, g.document_digests AS gate_document_digests, g.status AS gate_status,
  g.opened_at AS gate_opened_at, g.expires_at AS gate_expires_at, g.decided_at AS gate_decided_at,
  g.auto_released AS gate_auto_released,
  g.reason AS gate_reason, g.reason_code AS gate_reason_code, g.fields AS gate_fields,
  x.released_at, x.claimable_at, x.attempt, x.lease_until, x.started_at, x.result AS submission_result,
  d.outcome AS determination_outcome, d.document AS determination_document, d.decided_at AS determination_decided_at,
  d.received_at AS determination_received_at, d.supersedes AS determination_supersedes,
  d.environment AS determination_environment, d.revision AS determination_revision,
  clock_timestamp() AS now`;

/** And with it everything the lifecycle needs. */
export const taskColumns = `${recordColumns},
  ${taskColumnsRead("change")},
  (SELECT i.inquiries FROM next_inquiry i WHERE i.task_id = t.id) AS inquiries,
  g.decided_by AS gate_decided_by, g.route_id AS gate_route_id, g.route_rule AS gate_route_rule, g.connector AS gate_connector,
  g.warnings AS gate_warnings, ${isRecordStopped("t.practice_id")} AS record_stopped,
  ${commitsAlone} AS commits_alone`;

export const taskJoins = `
  LEFT JOIN gate g ON g.id = t.gate_id
  LEFT JOIN transmission x ON x.gate_id = t.gate_id
  LEFT JOIN determination d ON d.id = t.determination_id`;

export type RecordRow = TaskColumnsRead<"record"> & {
  /** Read only where the payer has the case, like the line of business: they are for its clock. */
  time_zone: string | null;
  line_of_business: string | null;
  gate_action: Action | null;
  gate_is_update: boolean | null;
  gate_is_manual: boolean | null;
  gate_revision: number | null;
  gate_digest: string | null;
  gate_document_digests: string[] | null;
  gate_status: string | null;
  gate_opened_at: Date | null;
  gate_expires_at: Date | null;
  gate_decided_at: Date | null;
  gate_auto_released: boolean | null;
  gate_reason: Uint8Array | null;
  gate_reason_code: DeclineCode | null;
  gate_fields: string[] | null;
  released_at: Date | null;
  claimable_at: Date | null;
  attempt: number | null;
  lease_until: Date | null;
  started_at: Date | null;
  /** What is known to have become of it so far: in doubt, also while it is sent again. */
  submission_result: SubmissionResult | null;
  determination_outcome: Outcome | null;
  determination_document: Uint8Array | null;
  determination_decided_at: Date | null;
  determination_received_at: Date | null;
  determination_supersedes: string | null;
  determination_environment: "live" | "test" | null;
  determination_revision: number | null;
  /** Read only where one task is; a list does without. */
  submissions?: SubmissionRow[] | null;
  now: Date;
};

export type TaskRow = RecordRow &
  TaskColumnsRead<"change"> & {
    /** How often the payer was asked since it last said something new; null where it is not to be asked. */
    inquiries: number | null;
    gate_decided_by: string | null;
    /** The connection at exactly this version; null for a manual submission that nobody configured. */
    gate_route_id: string | null;
    gate_route_rule: ChosenRule | null;
    gate_connector: string | null;
    gate_warnings: string[] | null;
    /** The practice's record lacks what was in it: nothing is accepted or submitted. */
    record_stopped: boolean;
    /** Commits wait for no standby. */
    commits_alone: boolean;
  };

type WordName = {
  [Name in keyof RecordRow]-?: string extends RecordRow[Name]
    ? never
    : NonNullable<RecordRow[Name]> extends string
      ? Name
      : never;
}[keyof RecordRow];

/** The columns that hold one of several words, with the words. */
const wordsOf: { readonly [Name in WordName]: readonly NonNullable<RecordRow[Name]>[] } = {
  environment: taskTable.environment.oneOf,
  stage: taskTable.stage.oneOf,
  stage_end: taskTable.stage_end.oneOf,
  payer_receipt: taskTable.payer_receipt.oneOf,
  voided: taskTable.voided.oneOf,
  attention: taskTable.attention.oneOf,
  remark_by: taskTable.remark_by.oneOf,
  payer_received_by: taskTable.payer_received_by.oneOf,
  gate_action: actions,
  gate_reason_code: declineCodes,
  submission_result: submissionResults,
  determination_outcome: outcomes,
  determination_environment: environments,
};

/** A row as it is stored: each of these columns may hold any text. */
export type StoredRow<Row extends RecordRow> = Omit<Row, WordName> & {
  [Name in WordName]: null extends RecordRow[Name] ? string | null : string;
};

/** The row with the words that the code knows. Throws where it holds another: it is never taken for one of them. */
export function knownRow<Row extends RecordRow>(row: StoredRow<Row>): Row {
  const stored: Readonly<Record<WordName, string | null>> = row;
  for (const [name, known] of Object.entries(wordsOf)) {
    // Safe because `wordsOf` has exactly these names.
    const word = stored[name as WordName];
    if (word !== null) knownWord<string>(known, word, name in taskTable ? `task.${name}` : name.replace("_", "."));
  }
  // Safe because each of its words was just found among those that the type allows.
  return row as unknown as Row;
}

/** The row as the lifecycle sees it; a row that makes no sense is a bug, not an answer. */
export function rowToTask(db: Db, row: RecordRow): Task {
  return {
    stage: rowToStage(row),
    payer: rowToPayerFacts(db, row),
    revision: row.revision,
    missing: row.missing,
    attention: row.attention ?? undefined,
    remark: rowToRemark(db, row),
    ...(row.edited_by.length > 0 ? { edited: { by: row.edited_by, paths: row.edited_paths } } : {}),
  };
}

/** The columns that a task is kept in, sealed where they are; `rowToTask` reads them. */
export function taskToData(
  db: Db,
  task: Task,
  { id: row, practice_id: practiceId }: Pick<RecordRow, "id" | "practice_id">,
) {
  const { stage, payer, remark } = task;
  const of = { row, practiceId };
  const { informationRequest, requestedBeside, recourse } = payer;
  return {
    stage: stage.kind,
    stageEnd: stage.kind === "ended" ? stage.end : null,
    payerReceipt: payer.payerReceipt,
    reference: payer.reference ?? null,
    informationRequest: informationRequest
      ? sealText(db, "task.information_request", of, JSON.stringify({ ...informationRequest, beside: requestedBeside }))
      : null,
    determinationId: payer.determination?.id ?? null,
    undecidedRevision: payer.undecided?.revision ?? null,
    recourse: recourse ? sealText(db, "task.recourse", of, JSON.stringify(recourse)) : null,
    voidPending: payer.voidPending ?? false,
    voided: payer.voided ?? null,
    revision: task.revision,
    missing: [...task.missing],
    editedBy: [...(task.edited?.by ?? [])],
    editedPaths: [...(task.edited?.paths ?? [])],
    attention: task.attention ?? null,
    remarkBy: remark?.by ?? null,
    remark: remark ? sealText(db, "task.remark", of, remark.text) : null,
  } satisfies Partial<TaskData>;
}

type TimesRow = Pick<RecordRow, "sent_at" | "payer_received_at" | "payer_received_by" | "decided_at" | "voided_at">;

/** When the case was sent, received, decided and voided. */
export function rowToTimes(row: TimesRow): Times {
  const { payer_received_at: at, payer_received_by: by } = row;
  return {
    sentAt: row.sent_at ?? undefined,
    received: at && by ? { at, by } : undefined,
    decidedAt: row.decided_at ?? undefined,
    voidedAt: row.voided_at ?? undefined,
  };
}

export function timesToData({ sentAt, received, decidedAt, voidedAt }: Times) {
  return {
    sentAt: sentAt ?? null,
    payerReceivedAt: received?.at ?? null,
    payerReceivedBy: received?.by ?? null,
    decidedAt: decidedAt ?? null,
    voidedAt: voidedAt ?? null,
  } satisfies Partial<TaskData>;
}

/** The full determination in force, with when it was received. */
export function rowToDetermination(db: Db, row: RecordRow) {
  const { determination_received_at: receivedAt, determination_environment: environment } = row;
  if (!row.determination_id || !row.determination_document || !receivedAt || !environment) return undefined;
  const document = openDetermination(db, row.determination_document, {
    id: row.determination_id,
    practiceId: row.practice_id,
  });
  const supersedes = row.determination_supersedes ?? undefined;
  const revision = row.determination_revision ?? undefined;
  return { ...document, id: row.determination_id, receivedAt, supersedes, environment, revision };
}

export function openDetermination(
  db: Db,
  document: Uint8Array,
  { id, practiceId }: { id: string; practiceId: string },
): Determination {
  // Safe because only `determinationParts` writes this column, from this type, under authentication.
  return JSON.parse(openText(db, "determination.document", { row: id, practiceId }, document)) as Determination;
}

function rowToStage(row: RecordRow): Stage {
  if (row.stage === "idle") return { kind: "idle" };
  if (row.stage === "ended") {
    assert(row.stage_end, "an ended task says how");
    return { kind: "ended", end: row.stage_end };
  }
  const gate = rowToGate(row);
  if (row.stage === "held") return { kind: "held", gate };
  const { released_at: releasedAt, claimable_at: claimableAt, attempt } = row;
  assert(releasedAt && claimableAt && attempt !== null, "a released gate has its transmission");
  if (row.stage === "released") return { kind: "released", gate, releasedAt, claimableAt, attempt };
  if (row.stage === "unconfirmed") return { kind: "unconfirmed", gate, releasedAt, attempt };
  const started = row.started_at !== null;
  const again = row.submission_result === "unconfirmed" || undefined;
  return { kind: "submitting", gate, releasedAt, attempt, leaseUntil: row.lease_until ?? undefined, started, again };
}

function rowToGate(row: RecordRow): Gate {
  assert(
    row.gate_id && row.gate_action && row.gate_digest && row.gate_opened_at && row.gate_expires_at,
    "a task at a gate has its gate",
  );
  return {
    id: row.gate_id,
    action: row.gate_action,
    update: row.gate_is_update ?? false,
    manual: row.gate_is_manual ?? false,
    revision: row.gate_revision ?? 0,
    digest: row.gate_digest,
    openedAt: row.gate_opened_at,
    expiresAt: row.gate_expires_at,
  };
}

function rowToPayerFacts(db: Db, row: RecordRow): PayerFacts {
  const of = { row: row.id, practiceId: row.practice_id };
  return {
    payerReceipt: row.payer_receipt,
    reference: row.reference ?? undefined,
    ...(row.information_request
      ? rowToRequest(openText(db, "task.information_request", of, row.information_request))
      : {}),
    determination:
      row.determination_id && row.determination_outcome
        ? {
            id: row.determination_id,
            outcome: row.determination_outcome,
            decidedAt: row.determination_decided_at ?? undefined,
            receivedAt: row.determination_received_at ?? undefined,
            revision: row.determination_revision ?? undefined,
          }
        : undefined,
    recourse: rowToRecourse(db, row),
    undecided: row.undecided_revision === null ? undefined : { revision: row.undecided_revision },
    voidPending: row.void_pending || undefined,
    voided: row.voided ?? undefined,
  };
}

function rowToRequest(text: string): Pick<PayerFacts, "informationRequest" | "requestedBeside"> {
  // Safe because only `taskToData` writes this column, from this type, under authentication.
  const { beside, ...informationRequest } = JSON.parse(text) as InformationRequest & { readonly beside?: number };
  return { informationRequest, requestedBeside: beside };
}

/** The instants in a recourse, because JSON has no type for them. */
const reviveAt = (name: string, value: unknown) =>
  name === "at" && typeof value === "string" ? new Date(value) : value;

function rowToRecourse(db: Db, { recourse, id, practice_id: practiceId }: RecordRow): Recourse | undefined {
  if (!recourse) return undefined;
  // Safe because only `taskToData` writes this column, from this type, under authentication.
  return JSON.parse(openText(db, "task.recourse", { row: id, practiceId }, recourse), reviveAt) as Recourse;
}

function rowToRemark(db: Db, row: RecordRow): Remark | undefined {
  if (!row.remark_by || !row.remark) return undefined;
  const of = { row: row.id, practiceId: row.practice_id };
  return { by: row.remark_by, text: openText(db, "task.remark", of, row.remark) };
}
