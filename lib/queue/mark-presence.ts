import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { announce } from "#lib/db/announce";
import { taskInPractices } from "#lib/task/store/load-task";
import { noteAbsence, notePresence } from "#lib/queue/store/presences";
import { deskStatus, type DeskStatus } from "./desk-status.ts";
import { reviewedBy, type DeskRefusal } from "#lib/task/desk-refusal";

/** What an open page reports about its reader. */
export type PresenceSignal = {
  readonly taskId: string;
  /** The reader has left. */
  readonly left: boolean;
};

/** Notes that this reviewer has the case open, and returns who else does. It decides nothing. */
export async function markPresence(
  ctx: Context<PersonActor>,
  { taskId, left }: PresenceSignal,
): Promise<Result<DeskStatus, DeskRefusal>> {
  const { actor, store } = ctx;
  const practices = reviewedBy(actor);
  if (!(await taskInPractices(store, { taskId, practices }))) return refuse({ type: "not-found" });
  const request = { taskId, practices, personId: actor.id };
  const moved = await (left ? noteAbsence(store, request) : notePresence(store, request));
  if (moved) announce(store, "desk", moved.practiceId);
  return ok(await deskStatus(ctx, taskId));
}
