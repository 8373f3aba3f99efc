import { ok, type Result } from "#lib/platform/result";
import type { LifecycleRefusal } from "#lib/task/model/lifecycle-refusal";
import type { Task } from "#lib/task/model/task";
import type { Command, DecisionContext } from "./command.ts";
import { completion, type Decision } from "./consequences.ts";
import type { Event } from "./event.ts";
import { replay } from "./evolve.ts";
import type { Decisions } from "./decisions.ts";
import { gateDecisions } from "./gate-decisions.ts";
import { payerDecisions } from "./payer-decisions.ts";
import { submissionDecisions } from "./submission-decisions.ts";

/** Every guard of the lifecycle, one function per command. Each returns events or a refusal. */
const decisions: Decisions = { ...gateDecisions, ...submissionDecisions, ...payerDecisions };

/**
 * What a command makes happen to a task, or why it may not happen. Pure: the same input always gives the same result.
 */
export function decide(command: Command, task: Task, context: DecisionContext): Decision {
  // Safe because `decisions` maps each command type to the function for exactly that command.
  const decision = decisions[command.type] as (task: Task, command: Command, context: DecisionContext) => Decision;
  return decision(task, command, context);
}

/** Several commands as one: each is decided on the task as the ones before it left it. */
export function decideAll(
  commands: readonly Command[],
  task: Task,
  context: DecisionContext,
): Result<{ readonly events: readonly Event[]; readonly task: Task }, LifecycleRefusal> {
  let [events, next]: [readonly Event[], Task] = [[], task];
  for (const command of commands) {
    const decided = decide(command, next, context);
    if (!decided.ok) return decided;
    events = [...events, ...decided.value];
    next = replay(decided.value, next);
  }
  return ok({ events, task: next });
}

/** A new task: at a gate if its first revision is complete for its payer connection, else waiting for the agent. */
export function openTask(context: Omit<DecisionContext, "at">): {
  readonly events: readonly Event[];
  readonly task: Task;
} {
  const { missing, gate } = completion(context);
  const first = gate && { ...gate, action: "transmit" as const, update: false, revision: 1 };
  const events: readonly Event[] = [{ type: "task.opened", missing, gate: first }];
  return { events, task: replay(events) };
}
