import type { Db, Tx } from "#lib/db/db";
import { openText, sealText } from "#lib/db/sealed";
import { type Event, eventOf, factsText } from "#lib/task/model/lifecycle/event";
import type { TaskRow } from "./task-rows.ts";

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

/** Keeps the events that make of this task its next version. */
export async function insertEvents(
  { tx, row }: { readonly tx: Tx; readonly row: TaskRow },
  events: readonly Event[],
): Promise<void> {
  const [task, version] = [{ taskId: row.id, practiceId: row.practice_id }, row.version + 1];
  const facts = events.map((event, index) => sealFacts(tx, event, { ...task, version, position: index + 1 }));
  await tx.$executeRawUnsafe(
    `INSERT INTO task_event (task_id, version, position, practice_id, type, facts, occurred_at)
     SELECT $1::uuid, $2::int, position, $3, type, facts, $4::timestamptz
       FROM unnest($5::text[], $6::bytea[]) WITH ORDINALITY AS happened (type, facts, position)`,
    ...[row.id, version, row.practice_id, row.now, events.map(({ type }) => type), facts],
  );
}
