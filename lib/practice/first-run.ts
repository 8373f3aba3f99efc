import type { Context } from "#lib/access/context";
import { administers, type PersonActor } from "#lib/access/model/actor";
import { loadInstallation, type Installation } from "#lib/practice/store/first-run";

export type { Installation };

/**
 * What a new installation has so far, for an administrator of every practice. Undefined once an agent has sent a
 * request, and for everybody else.
 */
export async function firstRun({ actor, store }: Context<PersonActor>): Promise<Installation | undefined> {
  if (administers(actor) !== "every") return undefined;
  const installation = await loadInstallation(store);
  return installation.hasRequest ? undefined : installation;
}
