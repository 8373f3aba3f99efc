import { assert } from "#lib/platform/result";
import { knownWord } from "#lib/platform/known-word";
import { environments } from "#lib/task/model/environment";
import { acrossPractices } from "#lib/db/for-practices";
import { query, type Store, type Tx } from "#lib/db/db";
import type { AutoReleaseFacts } from "#lib/gate/model/auto-release";

type Gate = { readonly gateId: string; readonly practiceId: string };

type Settings = Pick<AutoReleaseFacts, "autoReview" | "practiceEnvironment" | "votesNeeded" | "wasLive">;

/** What the practice has set, held until the commit: whoever changes it does so before this release or after it. */
export async function lockAutoReview(tx: Tx, { gateId, practiceId }: Gate): Promise<Settings> {
  const held = query(tx, {
    name: "hold-practice",
    text: "SELECT FROM practice WHERE id = $1 FOR SHARE",
    values: [practiceId],
  });
  const reading = query<{ auto_review: boolean; environment: string; votes: number; was_live: boolean }>(tx, {
    name: "auto-review",
    text: `SELECT p.auto_review, p.environment, coalesce(r.votes, 1) AS votes,
                  EXISTS (SELECT FROM gate before WHERE before.task_id = g.task_id AND before.environment = 'live') AS was_live
             FROM gate g JOIN practice p ON p.id = g.practice_id
             LEFT JOIN vote_rule r ON r.practice_id = g.practice_id AND r.action = g.action AND r.risk = g.risk
            WHERE g.id = $1::uuid AND g.practice_id = $2`,
    values: [gateId, practiceId],
  });
  const [, [row]] = await Promise.all([held, reading]);
  assert(row, "a gate has its practice");
  return {
    autoReview: row.auto_review,
    practiceEnvironment: knownWord(environments, row.environment, "practice.environment"),
    votesNeeded: row.votes,
    wasLive: row.was_live,
  };
}

/** Whether any case of the practice is live, or its last gate was. */
export async function hasLiveCases(tx: Tx, practiceId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ live: boolean }[]>`
    SELECT EXISTS (SELECT FROM task WHERE practice_id = ${practiceId} AND environment = 'live') AS live`;
  return row?.live === true;
}

export type DueReview = { readonly taskId: string; readonly practiceId: string; readonly gateId: string };

/** The most that a round looks at in one practice. */
const batchMax = 50;

/** Open gates of the practices with automatic review, but none of these. */
export async function dueAutoReviews(store: Store, except: readonly string[]): Promise<readonly DueReview[]> {
  const { rows } = await acrossPractices(store, "due-work").pool.query<DueReview>({
    name: "due-auto-reviews",
    text: `
      SELECT held.* FROM practice p CROSS JOIN LATERAL (
        SELECT t.id AS "taskId", t.practice_id AS "practiceId", t.gate_id AS "gateId" FROM task t
         WHERE t.practice_id = p.id AND t.state IN ('transmit-held', 'void-held') AND t.gate_id <> ALL ($2::uuid[])
         ORDER BY t.due_at LIMIT $1) held
       WHERE p.auto_review AND p.status = 'active'`,
    values: [batchMax, [...except]],
  });
  return rows;
}
