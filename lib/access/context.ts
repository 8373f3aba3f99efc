import type { Actor } from "./model/actor.ts";
import type { Store } from "#lib/db/db";

/** The first argument of every verb: who acts, and the database. */
export type Context<Who extends Actor = Actor> = { readonly actor: Who; readonly store: Store };
