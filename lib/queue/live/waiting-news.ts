import type { Context } from "#lib/access/context";
import { actorName, type PersonActor } from "#lib/access/model/actor";
import { waitingSince, type Heads, type Waiting } from "#lib/audit/shared/heads";
import { ofOwnPractices } from "./watched-practices.ts";

/** How many cases began to wait for the reviewer by the acts of others: only names of practices, and numbers. */
export async function waitingNews(ctx: Context<PersonActor>, { since }: { since: Heads }): Promise<readonly Waiting[]> {
  return waitingSince(ctx.store, { since: ofOwnPractices(ctx.actor, since), actor: actorName(ctx.actor) });
}
