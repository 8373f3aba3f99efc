import { traceNumber } from "#lib/payer/trace";
import type { Store } from "#lib/db/db";
import { rowToSendings } from "#lib/submission/store/sendings";
import type { RecordRow } from "#lib/task/store/task-rows";
import type { SendingView } from "#lib/task/views";

/** The last sending of each action that left, by the trace number the payer knows it under. */
export function sendingViews({ sealer }: Store, row: RecordRow): readonly SendingView[] {
  return rowToSendings(row, sealer).map((sending) => {
    const { refusals, ...shown } = sending;
    const { action, revision } = sending;
    return { ...shown, traceNumber: traceNumber({ taskId: row.id, revision, action, refusals }) };
  });
}
