import type { Context } from "#lib/context";
import { recordCaseDenial } from "#lib/store/audit-denials";
import { reviewedBy } from "./desk-refusal.ts";

/** Puts on record that a person asked for a case which is there and not theirs. */
export async function noteDenial({ actor, store }: Context, taskId: string): Promise<void> {
  if (actor.kind === "person") await recordCaseDenial(store, actor, { taskId, practices: reviewedBy(actor) });
}
