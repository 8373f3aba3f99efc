import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { loadAdmins, loadChoices, type Choices } from "#lib/queue/store/queue-choices";

export type { Choices as QueueChoices };

/** The choices for the filters of the reviewer's queue. */
export function queueChoices({ actor, store }: Context<PersonActor>): Promise<Choices> {
  return loadChoices(store, actor.roles.includes("reviewer") ? actor.practices : []);
}

/** Administrators to ask for access; the asker may be one of them. */
export function adminsToAsk({ store }: Context<PersonActor>) {
  return loadAdmins(store, 3);
}
