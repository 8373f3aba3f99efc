import type { Store } from "#lib/db/db";

/** How many wait in these practices. */
export async function countUnmatched(store: Store, practices: readonly string[]): Promise<number> {
  return store.prisma.unmatchedPush.count({ where: { practiceId: { in: [...practices] }, handledAt: null } });
}
