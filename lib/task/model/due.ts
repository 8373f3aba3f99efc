import type { Event } from "./lifecycle/event.ts";
import { evolve } from "./lifecycle/evolve.ts";
import { attentionOf, type Task } from "./task.ts";

/** When a person must have acted: at an instant, or within the practice's target from now on. Undefined where none must. */
export type Due = Date | "from-now" | undefined;

/**
 * When a person must have acted on a task after these events. A gate is due when it says so as it opens. Whatever else
 * needs a person is due from the event with which the need began, and keeps that time until an event ends the need.
 */
export function dueAfter(
  before: { readonly task: Task; readonly due: Due },
  events: readonly Event[],
  { gateDueAt }: { readonly gateDueAt?: Date | undefined },
): Due {
  return events.reduce(({ task, due }, event) => {
    const next = evolve(task, event);
    if (event.type === "gate.opened") return { task: next, due: gateDueAt };
    if (next.stage.kind === "held" && !next.payer.voided) return { task: next, due };
    const attention = attentionOf(next);
    const goesOn = due !== undefined && attentionOf(task) === attention;
    return { task: next, due: attention && (goesOn ? due : "from-now") };
  }, before).due;
}
