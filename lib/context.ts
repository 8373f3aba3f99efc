import type { Actor } from "#lib/domain/actor";
import type { Store } from "#lib/store/db";

/** What every verb is given: who acts, and where the state is. */
export type Context<Who extends Actor = Actor> = { readonly actor: Who; readonly store: Store };
