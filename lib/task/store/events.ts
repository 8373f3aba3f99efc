import type { Db } from "#lib/db/db";
import { openText, sealText } from "#lib/db/sealed";
import { type Event, eventOf, factsText } from "#lib/task/model/lifecycle/event";

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
