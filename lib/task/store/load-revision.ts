import { assert } from "#lib/platform/result";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Store, Tx } from "#lib/db/db";
import { openText } from "#lib/db/seal";
import { revisionPlace } from "./save-task.ts";

/** A revision as it was accepted, the digest of its bytes and when. */
export type KeptRevision = { readonly review: ServiceReview; readonly digest: string; readonly createdAt: Date };

type RevisionRow = { readonly service_review: Uint8Array; readonly digest: string; readonly created_at: Date };

export async function loadRevision(
  { tx, store }: { tx: Tx; store: Store },
  { taskId, number, practiceId }: { taskId: string; number: number; practiceId: string },
): Promise<KeptRevision> {
  const [row] = await tx.$queryRaw<RevisionRow[]>`
    SELECT service_review, digest, created_at FROM revision
     WHERE task_id = ${taskId}::uuid AND number = ${number} AND practice_id = ${practiceId}`;
  assert(row, "a task's revision exists");
  const text = openText(store.sealer, row.service_review, revisionPlace(taskId, number, practiceId));
  // Safe because the edge parsed it before it was sealed, and the seal shows it is unchanged.
  return { review: JSON.parse(text) as ServiceReview, digest: row.digest, createdAt: row.created_at };
}
