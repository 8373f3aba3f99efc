import { closedStates } from "#lib/queue/model/queue";
import { stateOf, type Task } from "#lib/task/model/task";
import type { LoadedTask } from "./load-task.ts";

/** Keeps a case that is over listed by its codes, from the row just written; one that goes on again is there no more. */
export async function listByCodes({ tx, row, task: before }: LoadedTask, task: Task): Promise<void> {
  const { id: taskId, practice_id: practiceId } = row;
  const isOver = (one: Task) => closedStates.includes(stateOf(one));
  if (isOver(task)) {
    await tx.$executeRaw`
      INSERT INTO closed_code (task_id, code, practice_id, changed_at)
      SELECT DISTINCT t.id, c.code, t.practice_id, t.changed_at FROM task t CROSS JOIN unnest(t.procedure_codes) AS c (code)
       WHERE t.id = ${taskId}::uuid AND t.practice_id = ${practiceId}
          ON CONFLICT (task_id, code) DO UPDATE SET changed_at = excluded.changed_at`;
  } else if (isOver(before)) {
    await tx.closedCode.deleteMany({ where: { taskId, practiceId } });
  }
}
