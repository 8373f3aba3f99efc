import { sealedBytes } from "#lib/db/archived";
import type { Store } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";

const openedText = `
  SELECT ((SELECT coalesce(sum(size), 0) FROM attachment
            WHERE task_id = $1::uuid AND practice_id = ANY ($2::text[]))
        + (SELECT coalesce(sum(${sealedBytes("g.calls")}), 0)
             FROM gate g JOIN transmission x ON x.gate_id = g.id AND x.result = 'received'
            WHERE g.task_id = $1::uuid AND g.practice_id = ANY ($2::text[])))::float8 AS bytes`;

/**
 * How many stored bytes a message may open that continues this task: its files, and what the payer received. None
 * where the task does not exist in these practices.
 */
export async function openedBytes(
  { pool }: Store,
  { taskId, practices }: { readonly taskId: string; readonly practices: readonly string[] },
): Promise<number> {
  if (!isUuid(taskId)) return 0;
  const query = { name: "opened-bytes", text: openedText, values: [taskId, practices] };
  const { rows } = await pool.query<{ bytes: number }>(query);
  return rows[0]?.bytes ?? 0;
}
