import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import { stateOf, type State } from "#lib/task/model/task";
import { changeTask, practicesOf } from "./change.ts";
import type { Refusal } from "./refusal.ts";

/** A reviewer takes ownership of a task whose channel lost its rights, so that it can be released. */
export async function adoptTask(
  ctx: Context<PersonActor>,
  { taskId }: { taskId: string },
): Promise<Result<{ state: State }, Refusal>> {
  const changed = await changeTask(ctx, { taskId, practices: practicesOf(ctx) }, async () =>
    ok({ commands: [{ type: "adopt", by: ctx.actor.id }] }),
  );
  return changed.ok ? ok({ state: stateOf(changed.value.task) }) : changed;
}
