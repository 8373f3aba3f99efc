import type { Store } from "#lib/db/db";
import { isReading } from "./presences.ts";

/** Something a list shows about a case: who else has it open, how many notes it has, or that the reader opened it. */
export type KeptMark =
  | { readonly kind: "reader"; readonly taskId: string; readonly name: string }
  | { readonly kind: "notes"; readonly taskId: string; readonly count: number }
  | { readonly kind: "opened"; readonly taskId: string };

type MarksQuery = {
  readonly taskIds: readonly string[];
  readonly practices: readonly string[];
  /** The reader, who is not shown to themselves. */
  readonly personId: string;
};

type Row = { kind: KeptMark["kind"]; task_id: string; name: string; count: number };

/**
 * The marks of these cases, in these practices; whoever came first is first. One round trip, because a list waits for
 * it.
 */
export async function loadDeskMarks(
  store: Store,
  { taskIds, practices, personId }: MarksQuery,
): Promise<readonly KeptMark[]> {
  if (taskIds.length === 0) return [];
  const { rows } = await store.pool.query<Row>({
    name: "load-desk-marks",
    text: `
      SELECT 'reader' AS kind, r.task_id, p.name, r.person_id, r.since, 0 AS count
        FROM presence r JOIN person p ON p.id = r.person_id AND p.status = 'active'
       WHERE r.task_id = ANY ($1::uuid[]) AND r.practice_id = ANY ($2::text[]) AND r.person_id <> $3::uuid AND ${isReading}
      UNION ALL
      SELECT 'notes', task_id, '', NULL, NULL, count(*)::int
        FROM case_note WHERE task_id = ANY ($1::uuid[]) AND practice_id = ANY ($2::text[]) GROUP BY task_id
      UNION ALL
      SELECT 'opened', t.id, '', NULL, NULL, 0
        FROM task t LEFT JOIN gate g ON g.id = t.gate_id AND (g.revision = t.revision OR g.action = 'void')
       WHERE t.id = ANY ($1::uuid[]) AND t.practice_id = ANY ($2::text[])
         AND EXISTS (SELECT FROM reading r WHERE r.person_id = $3::uuid AND r.task_id = t.id
                        AND r.part IN ('revision:' || coalesce(g.revision, t.revision), 'gate:' || g.id))
       ORDER BY since, person_id`,
    values: [[...taskIds], [...practices], personId],
  });
  return rows.map(({ kind, task_id: taskId, name, count }) => {
    if (kind === "opened") return { kind, taskId };
    return kind === "notes" ? { kind, taskId, count } : { kind, taskId, name };
  });
}
