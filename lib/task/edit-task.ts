import canonicalize from "canonicalize";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { decideOnce, type DecisionResult } from "#lib/gate/decide-once";
import { explainStale } from "#lib/gate/explain-stale";
import { freezeGate, missingFor } from "#lib/gate/freeze-gate";
import { revisionDigest } from "#lib/payer/digest";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import type { ShownGate } from "#lib/task/model/lifecycle/command";
import { editedReview } from "#lib/task/model/edited-review";
import { type ServiceReview, queueFacts } from "./model/service-review.ts";
import { stateOf } from "#lib/task/model/task";
import { loadAttachments, openAttachments } from "#lib/task/store/attachments";
import type { PreparedGate } from "#lib/task/store/save-task";
import type { ResolvedRoute } from "#lib/practice/shared/resolved-route";
import { caseProblems } from "#lib/messages/problems/reviewer";
import type { Change, LoadedTask } from "./change.ts";
import { nextRevisionContext } from "./next-revision-context.ts";
import { openRevision, routeOfTask } from "./open-revision.ts";
import type { Refusal } from "./refusal.ts";
import { revisionsMax } from "./task-limits.ts";

export type EditTask = {
  readonly taskId: string;
  readonly seen: ShownGate;
  /** What was typed, by the JSON pointers of the values. */
  readonly values: Readonly<Record<string, string>>;
  readonly key?: string | undefined;
};

/**
 * A reviewer corrects values of a request that waits for release. It becomes the next revision, in the reviewer's name,
 * with a new gate and newly frozen bytes; the gate that the page showed can no longer be released. Refused if anything
 * was decided or changed since, for values that an agent could not have sent, and where the payer connection would then
 * need more.
 */
export async function editTask(
  ctx: Context<PersonActor>,
  { taskId, seen, values, key }: EditTask,
): Promise<Result<DecisionResult, Refusal>> {
  const request = { taskId, key, intent: "edit", content: { seen, values } };
  const changed = await decideOnce(ctx, request, (loaded) => edit(ctx, loaded, { seen, values }));
  return changed.ok ? changed : explainStale(ctx, { taskId, seen }, changed.refusal);
}

async function edit(
  { actor }: Context<PersonActor>,
  loaded: LoadedTask,
  { seen, values }: Pick<EditTask, "seen" | "values">,
): Promise<Result<Change<DecisionResult>, Refusal>> {
  const { tx, row, task } = loaded;
  // What was typed belongs to the revision that the page showed.
  if (seen.revision !== row.revision) return refuse({ type: "stale", state: stateOf(task) });
  if (row.revision >= revisionsMax) return invalid([{ path: "", problem: caseProblems.revisionsFull(revisionsMax) }]);
  const { review: before } = await openRevision(tx, row);
  const edited = editedReview(before, values);
  if (!edited.ok) return invalid(edited.refusal);
  const { review, paths } = edited.value;
  if (paths.length === 0) return invalid([{ path: "", problem: caseProblems.noChange }]);
  const route = await routeOfTask(tx, row, review);
  const missing = missingFor(route, review);
  if (missing.length > 0) return invalid(missing.map((path) => ({ path, problem: caseProblems.requiredByConnection })));
  const text = canonicalize(review);
  assert(text !== undefined, "a review has a canonical form");
  const bytes = Buffer.from(text, "utf8");
  const place = { taskId: row.id, practiceId: row.practice_id };
  const files = await loadAttachments(tx, { ...place, revision: row.revision });
  const list = files.map(({ sha256 }) => sha256);
  const digest = revisionDigest(bytes, list);
  const prepared = await freezeEdited(loaded, { review, route, files });
  const { procedureCodes, patient, memberId, urgent } = queueFacts(review);
  const revision = row.revision + 1;
  const kept = { digest, bytes, payerId: review.payer.id, connection: route.connection };
  return ok({
    commands: [{ type: "edit", seen, by: actor.id, paths }],
    prepared,
    detail: { revision, digest, gate: prepared.gate.digest, gateId: seen.gateId, paths },
    writes: {
      revision: { ...kept, procedureCodes, urgent, attachmentCount: list.length },
      patient,
      memberId,
    },
    records: [{ type: "files", files: { ...place, revision, received: [], list, at: row.now } }],
  });
}

function invalid(problems: readonly { readonly path: string; readonly problem: string }[]): Result<never, Refusal> {
  return refuse({ type: "invalid", issues: problems.map(({ path, problem }) => ({ path: `value:${path}`, problem })) });
}

type CorrectedRequest = {
  readonly review: ServiceReview;
  readonly route: ResolvedRoute;
  readonly files: Awaited<ReturnType<typeof loadAttachments>>;
};

/** Freezes what the corrected request would submit. It stays due when it was due. */
async function freezeEdited(
  { tx, row, task }: LoadedTask,
  { review, route, files }: CorrectedRequest,
): Promise<PreparedGate> {
  const place = { taskId: row.id, practiceId: row.practice_id };
  const { gate, frozen } = freezeGate({
    ...(await nextRevisionContext({ tx, row, task })),
    review,
    route,
    attachments: await openAttachments(tx, { ...place, list: files, received: [] }),
  });
  return { gate, frozen: { ...frozen, dueAt: row.due_at ?? frozen.dueAt } };
}
