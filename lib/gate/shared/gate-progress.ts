import { ownersOf } from "#lib/task/shared/case-owners";
import type { Store } from "#lib/db/db";

/** Who has released a case at its gate so far, of how many needed; or until when a release can be undone. */
export type GateProgress = {
  readonly needed: number;
  readonly released: number;
  /** The latest vote that counts. */
  readonly last?: { readonly name: string; readonly at: Date } | undefined;
  readonly recallUntil?: Date | undefined;
};

type Row = {
  id: string;
  needed: number;
  released: number;
  last_name: string | null;
  last_at: Date | null;
  claimable_at: Date | null;
};

/** By task, for those of the tasks that are held or released. Each is found by its key. */
export async function loadProgress(
  store: Store,
  { taskIds, practices }: { taskIds: readonly string[]; practices: readonly string[] },
): Promise<ReadonlyMap<string, GateProgress>> {
  if (taskIds.length === 0) return new Map();
  const { rows } = await store.pool.query<Row>({
    name: "load-progress",
    text: `
      SELECT t.id, coalesce(r.votes, 1) AS needed, given.released, given.last_name, given.last_at,
             CASE WHEN t.stage = 'released' AND NOT g.is_manual THEN x.claimable_at END AS claimable_at
        FROM task t JOIN gate g ON g.id = t.gate_id
        LEFT JOIN transmission x ON x.gate_id = g.id
        LEFT JOIN vote_rule r ON r.practice_id = g.practice_id AND r.action = g.action AND r.risk = g.risk
       CROSS JOIN LATERAL (
         SELECT count(*)::int AS released, (array_agg(p.name ORDER BY v.at DESC))[1] AS last_name, max(v.at) AS last_at
           FROM vote v JOIN person p ON p.id = v.person_id
          WHERE v.gate_id = g.id AND v.answer = 'release' AND p.status = 'active'
            AND EXISTS (SELECT FROM person_role pp WHERE pp.person_id = p.id AND pp.role = 'reviewer' AND pp.practice_id = t.practice_id)
            AND p.id NOT IN (SELECT answering.owner_id FROM (${ownersOf("t.id")}) answering)) given
       WHERE t.id = ANY ($1::uuid[]) AND t.practice_id = ANY ($2::text[]) AND t.stage IN ('held', 'released')`,
    values: [taskIds, practices],
  });
  return new Map(rows.map((row) => [row.id, progressOf(row)]));
}

function progressOf({ needed, released, last_name: name, last_at: at, claimable_at: until }: Row): GateProgress {
  return { needed, released, last: name !== null && at ? { name, at } : undefined, recallUntil: until ?? undefined };
}
