import { assert } from "#lib/platform/result";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Db } from "#lib/db/db";
import { query } from "#lib/db/query";
import { openText } from "#lib/db/sealed";

/** A revision as it was accepted, the digest of its bytes and when. */
export type KeptRevision = { readonly review: ServiceReview; readonly digest: string; readonly createdAt: Date };

type RevisionRow = { readonly service_review: Uint8Array; readonly digest: string; readonly created_at: Date };

export async function loadRevision(
  db: Db,
  { taskId, number, practiceId }: { taskId: string; number: number; practiceId: string },
): Promise<KeptRevision> {
  const [row] = await query<RevisionRow>(db, {
    name: "load-revision",
    text: `SELECT service_review, digest, created_at FROM revision
            WHERE task_id = $1::uuid AND number = $2::int AND practice_id = $3`,
    values: [taskId, number, practiceId],
  });
  assert(row, "a task's revision exists");
  const text = openText(db, "revision.service_review", { row: `${taskId}/${number}`, practiceId }, row.service_review);
  // Safe because the edge parsed it before it was sealed, and the seal shows it is unchanged.
  return { review: JSON.parse(text) as ServiceReview, digest: row.digest, createdAt: row.created_at };
}
