import type { Tx } from "#lib/db/db";

/** Whether any release was given at a gate. */
export async function hasVotes(tx: Tx, gateId: string): Promise<boolean> {
  return (await tx.vote.count({ where: { gateId, answer: "release" } })) > 0;
}
