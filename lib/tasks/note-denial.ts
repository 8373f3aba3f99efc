import type { Context } from "#lib/context";
import { recordCaseDenials } from "#lib/store/person-denials";
import { reviewedBy } from "./desk-refusal.ts";

/** Puts on record that a person asked for a case which is there and not theirs. */
export async function noteDenial({ actor, store }: Context, taskId: string): Promise<void> {
  return noteDenials({ actor, store }, [taskId]);
}

/** The same of several cases. */
export async function noteDenials({ actor, store }: Context, taskIds: readonly string[]): Promise<void> {
  if (actor.kind === "person") await recordCaseDenials(store, actor, { taskIds, practices: reviewedBy(actor) });
}
