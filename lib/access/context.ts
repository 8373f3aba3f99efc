import type { Actor } from "./model/actor.ts";
import type { Store } from "#lib/db/db";

/** What every verb is given: who acts, and where the state is. */
export type Context<Who extends Actor = Actor> = { readonly actor: Who; readonly store: Store };
