import canonicalize from "canonicalize";
import type { Store } from "#lib/db/db";
import { windowEnd } from "#lib/db/key-window";
import { replay } from "#lib/task/model/lifecycle/evolve";
import { attentionOf, stateOf, type Task } from "#lib/task/model/task";
import { knownRow, rowToTask, type StoredRow, taskColumns, taskJoins, type TaskRow } from "#lib/task/store/task-rows";
import { openEvent } from "#lib/task/store/events";

/**
 * How a task does not follow from its events: one is missing, what is stored cannot be read, or what they give is
 * another task than the stored one.
 */
export type TaskFault = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly problem: "missing" | "unreadable" | "different";
};

/** How many tasks were replayed, how many are older than their events, and which do not follow from them. */
export type ReplayReport = {
  readonly tasks: number;
  readonly before: number;
  readonly faults: readonly TaskFault[];
};

type EventColumns = {
  readonly versions: number[];
  readonly positions: number[];
  readonly types: string[];
  readonly facts: Uint8Array[];
};

type Row = StoredRow<TaskRow> &
  EventColumns & { readonly needs_person: string | null; readonly state: string; readonly is_before: boolean };

/** So many at once that memory stays small. */
const batchLength = 100;

const kept = (column: string) =>
  `ARRAY(SELECT e.${column} FROM task_event e WHERE e.task_id = t.id ORDER BY e.version, e.position)`;

/** A task and its events are read in one statement, so that whatever changes meanwhile is no difference. */
const batch = `
  SELECT ${taskColumns}, t.state, t.needs_person, ${kept("version")} AS versions, ${kept("position")} AS positions,
         ${kept("type")} AS types, ${kept("facts")} AS facts,
         EXISTS (SELECT FROM task_before_events b WHERE b.task_id = t.id) AS is_before
    FROM task t ${taskJoins}
   WHERE t.id > $1::uuid AND t.id <= $3::uuid AND ($2::text IS NULL OR t.practice_id = $2)
   ORDER BY t.id LIMIT ${batchLength}`;

/** Takes the events of every task, or of one practice's, from the first on, and compares what they give with the task. */
export async function replayTasks(store: Store, practiceId?: string): Promise<ReplayReport> {
  let [tasks, before, after] = [0, 0, "00000000-0000-0000-0000-000000000000"];
  const faults: TaskFault[] = [];
  // Of one practice there may be few among many, which no statement may look for in the whole table.
  let end = await partEnd(store, after);
  while (end !== undefined) {
    const { rows } = await store.pool.query<Row>({
      name: "replay-tasks",
      text: batch,
      values: [after, practiceId ?? null, end],
    });
    await store.keys.ready([...new Set(rows.map((row) => row.practice_id))]);
    for (const row of rows) {
      if (row.is_before) before += 1;
      else tasks += 1;
      const problem = row.is_before ? undefined : faultOf(store, row);
      if (problem) faults.push({ taskId: row.id, practiceId: row.practice_id, problem });
      after = row.id;
    }
    if (rows.length === batchLength) continue;
    after = end;
    end = await partEnd(store, after);
  }
  return { tasks, before, faults };
}

async function partEnd(store: Store, after: string): Promise<string | undefined> {
  const [end] = (await windowEnd(store, { table: "task", key: { id: "uuid" } }, [after])) ?? [];
  return end;
}

function faultOf(store: Store, row: Row): TaskFault["problem"] | undefined {
  if (!areAllThere(row)) return "missing";
  try {
    const task = replay(eventsOf(store, row));
    const listed = { state: stateOf(task), needsPerson: attentionOf(task) ?? null };
    const same =
      textOf(task) === textOf(rowToTask(store, knownRow<TaskRow>(row))) &&
      listed.state === row.state &&
      listed.needsPerson === row.needs_person;
    return same ? undefined : "different";
  } catch {
    // A value that its seal does not fit, or columns that make no task.
    return "unreadable";
  }
}

/** Each version of the task has its events, counted from the first. */
function areAllThere({ version, versions, positions }: Row): boolean {
  const follows = versions.every((at, index) => {
    const [last = 0, place = 0] = [versions[index - 1], positions[index - 1]];
    return at === last ? positions[index] === place + 1 : at === last + 1 && positions[index] === 1;
  });
  return follows && versions.at(-1) === version;
}

function eventsOf(store: Store, { id: taskId, practice_id: practiceId, versions, positions, types, facts }: Row) {
  return facts.map((sealed, index) => {
    const place = { taskId, practiceId, version: versions[index] ?? 0, position: positions[index] ?? 0 };
    return openEvent(store, { type: types[index] ?? "", facts: sealed }, place);
  });
}

function textOf(task: Task): string {
  return canonicalize(JSON.parse(JSON.stringify(task))) ?? "";
}
