import type { Db } from "#lib/db/db";
import { openText, sealText } from "#lib/db/sealed";
import { type Event, eventOf, factsText } from "#lib/task/model/lifecycle/event";
import type { LoadedTask } from "./load-task.ts";
import { type TaskData, writtenColumns } from "./task-columns.ts";

/** Which task's event: that of which version, and which of the events that made it, counted from 1. */
export type EventPlace = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly version: number;
  readonly position: number;
};

/** The facts of an event as they are kept. */
export function sealFacts(db: Db, event: Event, place: EventPlace): Uint8Array<ArrayBuffer> {
  return sealText(db, "task_event.facts", rowOf(place), factsText(event));
}

/** The event that was kept there. Throws where its facts were changed or moved from another place. */
export function openEvent(
  db: Db,
  { type, facts }: { readonly type: string; readonly facts: Uint8Array },
  place: EventPlace,
): Event {
  return eventOf(type, openText(db, "task_event.facts", rowOf(place), facts));
}

function rowOf({ taskId, practiceId, version, position }: EventPlace) {
  return { row: `${taskId}/${version}/${position}`, practiceId };
}

type NextTask = Partial<TaskData> & Pick<TaskData, "version">;

/**
 * Makes of the version that was read its next one, with the events that made it, in one statement. False when another
 * change came first: then nothing was written.
 */
export async function updateTask(
  { tx, row }: Pick<LoadedTask, "tx" | "row">,
  data: NextTask,
  events: readonly Event[],
): Promise<boolean> {
  const { version } = data;
  const place = { taskId: row.id, practiceId: row.practice_id, version };
  const facts = events.map((event, index) => sealFacts(tx, event, { ...place, position: index + 1 }));
  const columns = writtenColumns(data);
  const updated = await tx.$executeRawUnsafe(
    statementOf(columns),
    ...[row.id, row.practice_id, row.version, row.now, events.map(({ type }) => type), facts],
    ...columns.map(({ value }) => value),
  );
  return updated > 0;
}

/** Its count of rows is that of the events, of which every change has at least one. */
function statementOf(columns: ReturnType<typeof writtenColumns>): string {
  const set = columns.map(({ name, type }, index) => `${name} = $${index + 7}::${type}`);
  return `
    WITH changed AS (
      UPDATE task SET ${set.join(", ")} WHERE id = $1::uuid AND practice_id = $2 AND version = $3::int
      RETURNING id, practice_id, version)
    INSERT INTO task_event (task_id, version, position, practice_id, type, facts, occurred_at)
    SELECT changed.id, changed.version, happened.position, changed.practice_id, happened.type, happened.facts, $4::timestamptz
      FROM changed CROSS JOIN unnest($5::text[], $6::bytea[]) WITH ORDINALITY AS happened (type, facts, position)`;
}
