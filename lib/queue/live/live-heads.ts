import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { readHeads, type Heads } from "#lib/audit/store/heads";
import { watchedPractices } from "./watched-practices.ts";

/**
 * How far the records of the reviewer's practices have come. What a page reads
 * afterwards holds at least this: whatever comes later is news to it.
 */
export async function liveHeads(ctx: Context<PersonActor>): Promise<Heads> {
  return readHeads(ctx.store, watchedPractices(ctx.actor));
}
