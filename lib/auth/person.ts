import "server-only";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import { sharedStore } from "#lib/store/db";
import { sessionActor } from "#lib/store/people";
import { sessionIdOfCookie } from "./session-cookie.ts";

/** Who is signed in, with roles and practices as the database has them now. Asked once per request. */
export const currentPerson = cache(async (): Promise<PersonActor | undefined> => {
  const sessionId = await sessionIdOfCookie();
  return sessionId === undefined ? undefined : sessionActor(sharedStore(), sessionId);
});

/** The signed-in person; anyone else is sent to sign in and comes back to `path`. What they may do, each verb says. */
export async function requirePerson(path: string): Promise<PersonActor> {
  const person = await currentPerson();
  return person ?? redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}

/** What a verb wants of a page or an action of this person. */
export function contextOf(actor: PersonActor): Context<PersonActor> {
  return { actor, store: sharedStore() };
}
