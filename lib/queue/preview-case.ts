import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { recordCaseDenial } from "#lib/access/record-case-denial";
import { ok, type Result } from "#lib/platform/result";
import { loadAssignee, type Assignee } from "#lib/queue/store/assignees";
import { loadSnooze, type Snooze } from "#lib/queue/store/snoozes";
import type { Refusal } from "#lib/task/refusal";
import { reviewTask } from "#lib/task/review-task";
import { recordReading } from "#lib/task/shared/readings";
import type { CaseView } from "#lib/task/views";

/** A case beside its list. */
export type CasePreview = {
  readonly view: CaseView;
  readonly assignee?: Assignee | undefined;
  readonly snooze?: Snooze | undefined;
};

/**
 * A case as it is shown beside a list, for a reviewer of its practice. The audit log records it once a day for each
 * revision, before anything is returned. It does not count as opened: who has seen no more than this has not read it.
 */
export async function previewCase(
  ctx: Context<PersonActor>,
  { taskId }: { readonly taskId: string },
): Promise<Result<CasePreview, Refusal>> {
  const { actor, store } = ctx;
  const found = await reviewTask(ctx, { taskId });
  if (!found.ok) {
    await recordCaseDenial(ctx, taskId);
    return found;
  }
  const view = found.value;
  const place = { taskId: view.taskId, practiceId: view.practice.id };
  const revision = view.revision.number;
  const part = `preview:${revision}`;
  const [assignee, snooze] = await Promise.all([
    loadAssignee(store, place),
    loadSnooze(store, place),
    recordReading(store, { actor, ...place, part, act: "case.previewed", detail: { revision } }),
  ]);
  return ok({ view, assignee, snooze });
}
