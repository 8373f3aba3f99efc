import { knownWord } from "#lib/platform/known-word";
import { deliveries, type Delivery } from "#lib/task/model/delivery";
import { environments } from "#lib/task/model/environment";
import { submissionResults, type SubmissionResult } from "#lib/task/model/submission-result";
import { actions } from "#lib/task/model/vote-rule";
import type { Action } from "#lib/task/model/task";
import type { Db } from "#lib/db/db";
import { openText } from "#lib/db/sealed";

/** The last submission of each action, with its outcome. */
export type Submission = {
  readonly action: Action;
  readonly update: boolean;
  readonly manual: boolean;
  readonly revision: number;
  /** How often the payer had rejected this action on this revision before. */
  readonly refusals: number;
  readonly attempt: number;
  readonly gateDigest: string;
  readonly documentDigests: readonly string[];
  readonly environment: "live" | "test";
  readonly sentAt: Date;
  readonly result: SubmissionResult;
  readonly answeredAt?: Date | undefined;
  readonly reference?: string | undefined;
  /** Why the payer rejected it. */
  readonly reason?: string | undefined;
  /** For a manual submission: how it was submitted. */
  readonly delivery?: Delivery | undefined;
};

/** A row of `task_submissions`: instants as Postgres writes them in JSON, bytes as base64. */
export type SubmissionRow = {
  gate_id: string;
  action: string;
  is_update: boolean;
  is_manual: boolean;
  revision: number;
  refusals: number;
  attempt: number;
  digest: string;
  document_digests: string[];
  environment: string;
  sent_at: string;
  result: string;
  answered_at: string | null;
  reference: string | null;
  reason: string | null;
  delivery: string | null;
};

/** A column for a query over `task t`. It costs nothing until something was submitted. */
export const submissionsColumn = "CASE WHEN t.sent_at IS NOT NULL THEN task_submissions(t.id) END AS submissions";

type SubmittedRow = { readonly submissions?: SubmissionRow[] | null; readonly practice_id: string };

export function rowToSubmissions(
  db: Db,
  { submissions, practice_id: practiceId }: SubmittedRow,
): readonly Submission[] {
  return (submissions ?? []).map((row) => {
    const of = { row: row.gate_id, practiceId };
    return {
      action: knownWord(actions, row.action, "gate.action"),
      update: row.is_update,
      manual: row.is_manual,
      revision: row.revision,
      refusals: row.refusals,
      attempt: row.attempt,
      gateDigest: row.digest,
      documentDigests: row.document_digests,
      environment: knownWord(environments, row.environment, "gate.environment"),
      sentAt: new Date(row.sent_at),
      result: knownWord(submissionResults, row.result, "transmission.result"),
      answeredAt: row.answered_at === null ? undefined : new Date(row.answered_at),
      reference: row.reference ?? undefined,
      reason:
        row.reason === null ? undefined : openText(db, "transmission.reason", of, Buffer.from(row.reason, "base64")),
      delivery: row.delivery === null ? undefined : knownWord(deliveries, row.delivery, "transmission.delivery"),
    };
  });
}
