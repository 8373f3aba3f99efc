import type { Context } from "./context.ts";
import { recordCaseDenials } from "#lib/access/shared/person-denials";
import { reviewedBy } from "#lib/task/desk-refusal";

/** Puts into the audit log that a person requested a case that exists but is outside their practices. */
export async function recordCaseDenial({ actor, store }: Context, taskId: string): Promise<void> {
  return recordDeniedCases({ actor, store }, [taskId]);
}

/** The same for several cases. */
export async function recordDeniedCases({ actor, store }: Context, taskIds: readonly string[]): Promise<void> {
  if (actor.kind === "person") await recordCaseDenials(store, actor, { taskIds, practices: reviewedBy(actor) });
}
