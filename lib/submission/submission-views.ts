import { traceNumber } from "#lib/payer/trace";
import type { Db } from "#lib/db/db";
import { rowToSubmissions } from "#lib/submission/store/submissions";
import type { RecordRow } from "#lib/task/store/task-rows";
import type { SubmissionView } from "#lib/task/views";

/** The last submission of each action, with the trace number under which the payer knows it. */
export function submissionViews(db: Db, row: RecordRow): readonly SubmissionView[] {
  return rowToSubmissions(db, row).map((submission) => {
    const { refusals, ...shown } = submission;
    const { action, revision } = submission;
    return { ...shown, traceNumber: traceNumber({ taskId: row.id, revision, action, refusals }) };
  });
}
