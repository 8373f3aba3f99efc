import type { Tx } from "#lib/db/db";

/** What was pushed about a task and is acted on with a change, or found to ask for nothing. */
export type HeardPush = {
  readonly id: string;
  /** A reviewer is to look at it. */
  readonly unread: boolean;
};

/** Notes that a push was heard, so that it is acted on once. */
export async function markHeard(
  tx: Tx,
  { id, unread }: HeardPush,
  { practiceId, at }: { readonly practiceId: string; readonly at: Date },
): Promise<void> {
  await tx.payerEvent.update({ where: { id, practiceId }, data: { handledAt: at, ...(unread ? { unread } : {}) } });
}
