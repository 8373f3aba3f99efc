import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { readHeads, type Heads } from "#lib/audit/shared/heads";
import { watchedPractices } from "./watched-practices.ts";

/**
 * The latest audit entry of each of the reviewer's practices. Data that a page reads afterwards is at least this new, so only
 * later entries are news to it.
 */
export async function liveHeads(ctx: Context<PersonActor>): Promise<Heads> {
  return readHeads(ctx.store, watchedPractices(ctx.actor));
}
