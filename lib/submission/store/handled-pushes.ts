import type { Tx } from "#lib/db/db";

/** A notification about a task that a change answers, or that asks for nothing. */
export type HandledPush = {
  readonly id: string;
  /** A reviewer must look at it. */
  readonly unread: boolean;
};

/** Marks a notification as handled, so that it is acted on once. */
export async function markHandled(
  tx: Tx,
  { id, unread }: HandledPush,
  { practiceId, at }: { readonly practiceId: string; readonly at: Date },
): Promise<void> {
  await tx.payerEvent.update({ where: { id, practiceId }, data: { handledAt: at, ...(unread ? { unread } : {}) } });
}
