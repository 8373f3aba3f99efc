import type { Context } from "#lib/access/context";
import { attachmentChanges } from "#lib/task/model/attachment-changes";
import { changesBetween } from "#lib/task/model/changes";
import type { ShownGate } from "#lib/task/model/lifecycle/command";
import { refuse, type Result } from "#lib/platform/result";
import { loadAttachments } from "#lib/task/store/attachments";
import { inTransaction } from "#lib/db/db";
import { loadDecision } from "#lib/gate/shared/gates";
import { loadRevision, loadTask } from "#lib/task/store/load-task";
import { practicesOf } from "#lib/task/change";
import { rowAtGate } from "#lib/task/open-revision";
import { rowToTask } from "#lib/task/store/task-rows";
import type { Refusal } from "#lib/task/refusal";
import { reasons } from "#lib/messages/reasons/case";

/**
 * Explains a stale page to its reviewer: who has decided at this gate, or what has changed since. Other refusals pass
 * through.
 */
export async function explainStale(
  ctx: Context,
  { taskId, seen }: { taskId: string; seen: ShownGate },
  refusal: Refusal,
): Promise<Result<never, Refusal>> {
  if (refusal.type !== "stale") return refuse(refusal);
  const { store } = ctx;
  return inTransaction(store, async (tx) => {
    const loaded = await loadTask(tx, { taskId, practices: practicesOf(ctx) });
    if (!loaded) return refuse({ type: "not-found" });
    const row = rowAtGate(loaded, rowToTask(store, loaded));
    const decision = await loadDecision(tx, { gateId: seen.gateId, taskId, practiceId: row.practice_id });
    if (decision) {
      const { byId, by, answer, at } = decision;
      const isOwn = ctx.actor.kind === "person" && ctx.actor.id === byId;
      return refuse({ type: "already-decided", isOwn, by, answer, at });
    }
    const place = { taskId: row.id, practiceId: row.practice_id };
    const known = Number.isInteger(seen.revision) && seen.revision > 0 && seen.revision < row.revision;
    if (!known) return refuse({ type: "changed", changes: [], why: reasons.gateClosed });
    const before = await loadRevision(tx, { ...place, number: seen.revision });
    const after = await loadRevision(tx, { ...place, number: row.revision });
    const filesOf = (revision: number) => loadAttachments(tx, { ...place, revision });
    const files = attachmentChanges(await filesOf(seen.revision), await filesOf(row.revision));
    const changes = [...changesBetween(before.review, after.review), ...files];
    return refuse({
      type: "changed",
      changes,
      why: row.edited_by.length > 0 ? reasons.requestCorrected(row.revision) : reasons.requestRevised(row.revision),
    });
  });
}
