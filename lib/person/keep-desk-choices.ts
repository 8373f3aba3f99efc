import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { saveDeskChoices, type DeskChoices } from "#lib/person/store/desk-choices";
import { ok, type Result } from "#lib/platform/result";

/** Keeps how this person likes to work at the desk, and nobody else. */
export async function keepDeskChoices(
  { actor, store }: Context<PersonActor>,
  choices: DeskChoices,
): Promise<Result<undefined, never>> {
  await saveDeskChoices(store, actor.id, choices);
  return ok(undefined);
}
