import type { Tx } from "./db.ts";

/** A decision as it was asked for with a key, and what its asker was told. */
export type KeptDecision = {
  readonly taskId: string;
  readonly intent: string;
  readonly contentDigest: string;
  /** JSON of states and instants; never patients' data. */
  readonly answer: string;
};

type Key = { readonly personId: string; readonly key: string };

/** What this person decided with this key; nothing of what others did. */
export async function findDecision(tx: Tx, { personId, key }: Key): Promise<KeptDecision | undefined> {
  const where = { personId_key: { personId, key } };
  const select = { taskId: true, intent: true, contentDigest: true, answer: true };
  return (await tx.decisionKey.findUnique({ where, select })) ?? undefined;
}

/** False when a twin of the same request wrote it first. */
export async function keepDecision(
  tx: Tx,
  { personId, key }: Key,
  decision: KeptDecision & { practiceId: string; at: Date },
): Promise<boolean> {
  const { count } = await tx.decisionKey.createMany({ data: { ...decision, personId, key }, skipDuplicates: true });
  return count > 0;
}
