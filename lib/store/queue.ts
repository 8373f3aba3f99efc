import type { Store } from "./db.ts";
import { taskColumns, taskJoins, type TaskRow } from "./task-rows.ts";

/** A task with the names a list shows beside it. */
export type ListedRow = TaskRow & { practice_name: string; payer_name: string | null; route_connector: string | null };

/** Most rows one list shows. */
const listMax = 200;

const listed = `
  SELECT ${taskColumns}, p.name AS practice_name, way.payer_name, way.connector AS route_connector
    FROM task t ${taskJoins}
    JOIN practice p ON p.id = t.practice_id
    LEFT JOIN LATERAL (
      SELECT payer_name, connector FROM route WHERE practice_id = t.practice_id AND payer_id = t.payer_id
       ORDER BY version DESC LIMIT 1) way ON true
   WHERE t.practice_id = ANY ($1::text[])`;

/** What waits for a person in these practices: open gates, and what asks for attention; oldest first. */
export async function listWaiting(store: Store, practices: readonly string[]): Promise<readonly ListedRow[]> {
  const text = `${listed}
     AND (t.motion = 'held' OR t.motion = 'unconfirmed' OR t.attention IS NOT NULL
          OR (t.motion IN ('released', 'sending') AND g.by_hand))
     AND (t.voided IS NULL OR t.attention IS NOT NULL)
   ORDER BY coalesce(CASE WHEN t.motion = 'held' THEN g.opened_at END, t.changed_at), t.id LIMIT $2`;
  const { rows } = await store.pool.query<ListedRow>({ name: "list-waiting", text, values: [practices, listMax] });
  return rows;
}

/** Every other case of these practices, the latest change first. */
export async function listLatest(store: Store, practices: readonly string[]): Promise<readonly ListedRow[]> {
  const text = `${listed} ORDER BY t.changed_at DESC, t.id DESC LIMIT $2`;
  const { rows } = await store.pool.query<ListedRow>({ name: "list-latest", text, values: [practices, listMax] });
  return rows;
}
