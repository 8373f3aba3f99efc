import type { Freeze } from "#lib/gate/freeze-gate";
import type { LoadedTask } from "./change.ts";
import { contestedOf, earlierAuthorization, loadPriorSubmissions } from "./open-revision.ts";

/** What the gate of a task's next revision is frozen with besides the request itself, whoever sends or edits it. */
export async function nextRevisionContext({
  tx,
  row,
  task,
}: Pick<LoadedTask, "tx" | "row" | "task">): Promise<Omit<Freeze, "review" | "route" | "attachments">> {
  return {
    taskId: row.id,
    action: "transmit",
    update: row.payer_receipt === "yes",
    revision: row.revision + 1,
    now: row.now,
    sent: await loadPriorSubmissions(tx, row),
    payerReference: row.reference ?? undefined,
    informationRequest: task.payer.informationRequest,
    earlier: await earlierAuthorization(tx, row),
    contested: contestedOf(tx, row),
  };
}
