import type { ServiceReview } from "#lib/domain/service-review";
import type { Store, Tx } from "./db.ts";
import { openText } from "./seal.ts";
import { revisionPlace } from "./save-task.ts";

/** A revision as it was accepted. */
export async function loadRevision(
  { tx, store }: { tx: Tx; store: Store },
  { taskId, number, practiceId }: { taskId: string; number: number; practiceId: string },
): Promise<{ review: ServiceReview; digest: string; createdAt: Date }> {
  const row = await tx.revision.findUniqueOrThrow({ where: { taskId_number: { taskId, number }, practiceId } });
  const text = openText(store.sealer, row.serviceReview, revisionPlace(taskId, number, practiceId));
  // Safe because the edge parsed it before it was sealed, and the seal shows it is unchanged.
  return { review: JSON.parse(text) as ServiceReview, digest: row.digest, createdAt: row.createdAt };
}
