import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { loadAdmins, loadChoices, type Choices } from "#lib/queue/store/queue-choices";

export type { Choices as QueueChoices };

/** What the reviewer's queue can be narrowed to. */
export function queueChoices({ actor, store }: Context<PersonActor>): Promise<Choices> {
  return loadChoices(store, actor.roles.includes("reviewer") ? actor.practices : []);
}

/** Whom to ask for a practice, for somebody who reviews for none. */
export function whoGivesPractices({ store }: Context<PersonActor>) {
  return loadAdmins(store, 3);
}
