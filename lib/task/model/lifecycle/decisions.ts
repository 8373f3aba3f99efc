import type { DecisionContext, Command, CommandType } from "./command.ts";
import type { Decision } from "./consequences.ts";
import type { Task } from "#lib/task/model/task";

type CommandOf<Type extends CommandType> = Extract<Command, { readonly type: Type }>;

/** One guard for each command: what it makes happen to a task, or why it may not happen. */
export type Decisions = {
  readonly [Type in CommandType]: (task: Task, command: CommandOf<Type>, context: DecisionContext) => Decision;
};
