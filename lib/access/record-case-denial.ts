import type { Context } from "./context.ts";
import { recordCaseDenials } from "#lib/access/store/person-denials";
import { reviewedBy } from "#lib/task/desk-refusal";

/** Puts on record that a person asked for a case which is there and not theirs. */
export async function recordCaseDenial({ actor, store }: Context, taskId: string): Promise<void> {
  return noteDenials({ actor, store }, [taskId]);
}

/** The same of several cases. */
export async function noteDenials({ actor, store }: Context, taskIds: readonly string[]): Promise<void> {
  if (actor.kind === "person") await recordCaseDenials(store, actor, { taskIds, practices: reviewedBy(actor) });
}
