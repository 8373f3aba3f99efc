import type { Event } from "./lifecycle/event.ts";
import { evolve } from "./lifecycle/evolve.ts";
import { attentionOf, type Task } from "./task.ts";

/** By when a person must act: an instant, or within the practice's target from now. Undefined if no person must. */
export type Due = Date | "from-now" | undefined;

/**
 * By when a person must act on a task after these events. A gate's time is set when it opens. Any other need is due
 * from the event that begins it, and keeps that time until an event ends it.
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
