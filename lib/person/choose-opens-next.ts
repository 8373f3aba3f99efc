import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { saveOpensNext } from "#lib/person/store/desk-choices";

/** Keeps whether the next case to decide opens after a decision of this person, and of nobody else. */
export async function chooseOpensNext({ actor, store }: Context<PersonActor>, on: boolean): Promise<void> {
  await saveOpensNext(store, actor.id, on);
}
