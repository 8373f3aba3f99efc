import type { PersonActor } from "#lib/access/model/actor";
import { verifyAudit } from "#lib/audit/store/audit-chain";
import type { Store } from "#lib/db/db";
import { reviewTask } from "#lib/task/review-task";
import { practices } from "./desk.ts";

/** The latest cases of each state in a practice. */
const eachMax = 3;

/**
 * Reads copies the way pages do, so that a seed that the service could not have written fails: every sealed value of
 * some cases of each state opens, and the record of a practice is whole. Returns how many cases were read.
 */
export async function proveCopies(store: Store, reviewer: PersonActor): Promise<number> {
  const practice = practices.at(-2) ?? "";
  const { rows } = await store.pool.query<{ id: string }>(
    `SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY state, payer_id ORDER BY id DESC) AS nth
                       FROM task WHERE practice_id = $1) latest WHERE nth <= $2`,
    [practice, eachMax],
  );
  for (const { id: taskId } of rows) {
    const read = await reviewTask({ actor: reviewer, store }, { taskId });
    if (!read.ok || read.value.taskId !== taskId) throw new Error("A copy cannot be read.");
  }
  const [chain] = await verifyAudit(store, practice);
  if (!chain || chain.broken) throw new Error("The record of a practice with copies is broken.");
  return rows.length;
}
