import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { announce } from "#lib/db/announce";
import { renewClaim } from "#lib/queue/store/claims";
import { taskInPractices } from "#lib/task/store/load-task";
import { noteAbsence, notePresence } from "#lib/queue/store/presences";
import { deskNow, type DeskNow } from "./desk-now.ts";
import { reviewedBy, type DeskRefusal } from "#lib/task/desk-refusal";

/** What an open page says of its reader: nothing more than that they are there. */
export type PresenceSignal = {
  readonly taskId: string;
  /** They did something since the last sign, so their claim runs on. */
  readonly used: boolean;
  /** They have left. */
  readonly left: boolean;
};

/** Notes that this reviewer has the case on their screen, and answers who else is at work on it. Decides nothing. */
export async function markPresence(
  ctx: Context<PersonActor>,
  { taskId, used, left }: PresenceSignal,
): Promise<Result<DeskNow, DeskRefusal>> {
  const { actor, store } = ctx;
  const practices = reviewedBy(actor);
  if (!(await taskInPractices(store, { taskId, practices }))) return refuse({ type: "not-found" });
  const asking = { taskId, practices, personId: actor.id };
  const moved = await (left ? noteAbsence(store, asking) : notePresence(store, asking));
  if (moved) announce(store, "desk", moved.practiceId);
  if (used) await renewClaim(store, asking);
  return ok(await deskNow(ctx, taskId));
}
