import type { Tx } from "#lib/db/db";

/** A decision that was requested with a key, and the answer it got. */
export type KeptDecision = {
  readonly taskId: string;
  readonly intent: string;
  readonly contentDigest: string;
  /** JSON of states and instants. Never patient data. */
  readonly answer: string;
};

/** The key of a form, and the person it was made for. */
export type DecisionKey = { readonly personId: string; readonly key: string };

/** What this person decided with this key. Never another person's decision. */
export async function findDecision(tx: Tx, { personId, key }: DecisionKey): Promise<KeptDecision | undefined> {
  const [kept] = await tx.$queryRaw<KeptDecision[]>`
    SELECT task_id AS "taskId", intent, content_digest AS "contentDigest", answer FROM decision_key
     WHERE person_id = ${personId}::uuid AND key = ${key}::uuid`;
  return kept;
}

/** False if a copy of the same request wrote it first. */
export async function keepDecision(
  tx: Tx,
  { personId, key }: DecisionKey,
  { practiceId, taskId, intent, contentDigest, answer, at }: KeptDecision & { practiceId: string; at: Date },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO decision_key (person_id, key, practice_id, task_id, intent, content_digest, answer, at)
    VALUES (${personId}::uuid, ${key}::uuid, ${practiceId}, ${taskId}::uuid, ${intent}, ${contentDigest}, ${answer}, ${at})
    ON CONFLICT (person_id, key) DO NOTHING`;
  return count > 0;
}
