import "server-only";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { isProved } from "#lib/access/model/proof";
import { sharedStore, type Store } from "#lib/db/db";
import { storeForPerson } from "#lib/db/for-practices";
import { liveSession, type LiveSession } from "#lib/person/store/people";
import { proofKindOf, type ProofKind } from "#lib/person/store/second-factors";
import type { Self } from "#lib/person/second-factor/own-factors";
import { proveSession, type Proof } from "#lib/person/sign-in/prove-session";
import { sessionIdOfCookie } from "./session-cookie.ts";
import { now } from "#lib/platform/now";

/** Set by a page while it draws itself anew without anybody asking; whoever sets it otherwise shortens their own session. */
const unattendedCookie = "unattended";

/**
 * The session of this request, and how long it lasts from now on. Asked once per request; asking is using it, unless
 * the page says that it asks by itself.
 */
export const currentSession = cache(async (): Promise<LiveSession | undefined> => {
  const sessionId = await sessionIdOfCookie();
  if (sessionId === undefined) return undefined;
  return liveSession(sharedStore(), sessionId, { isUse: !(await cookies()).has(unattendedCookie) });
});

/** Which of a person's sessions this request belongs to. */
export async function currentSessionId(): Promise<string | undefined> {
  return sessionIdOfCookie();
}

/** For verbs that ask a one-time link who acts, since nobody is signed in. */
export function storeForLinks(): Store {
  return sharedStore();
}

/** Who is signed in, with roles and practices as the database has them now. */
export async function currentPerson(): Promise<PersonActor | undefined> {
  return (await currentSession())?.actor;
}

/** The session of a request that a page makes by itself: it goes on idling, so that it ends where nobody is there. */
export async function watchedSession(): Promise<LiveSession | undefined> {
  const sessionId = await sessionIdOfCookie();
  return sessionId === undefined ? undefined : liveSession(sharedStore(), sessionId, { isUse: false });
}

/** The one page for whoever has a second factor to add or show before anything else. */
const factorsPath = "/account/security";

/** The signed-in person; anyone else is sent to sign in and comes back to `path`. What they may do, each verb says. */
export async function requirePerson(path: string): Promise<PersonActor> {
  const session = await currentSession();
  if (!session) redirect(`/sign-in?next=${encodeURIComponent(path)}`);
  if (session.lacksSecondFactor && path !== factorsPath) redirect(`${factorsPath}?next=${encodeURIComponent(path)}`);
  return session.actor;
}

/**
 * The person with a proof of who they are that is new; undefined where the proof is none, `busy` where too many prove
 * themselves just now. It is never logged.
 */
export async function stepUp(person: PersonActor, proof: Proof): Promise<PersonActor | "busy" | undefined> {
  const sessionId = await sessionIdOfCookie();
  if (sessionId === undefined) return undefined;
  const provedAt = await proveSession(sharedStore(), { personId: person.id, sessionId }, proof);
  return provedAt === "busy" ? provedAt : provedAt && { ...person, provedAt };
}

/** By what somebody proves again who they are. */
export function proofKind(person: PersonActor): Promise<ProofKind> {
  return proofKindOf(sharedStore(), person);
}

/** By what whoever looks at a page will have to prove who they are before it does what is sensitive; undefined where they just did. */
export async function proofAhead(): Promise<ProofKind | undefined> {
  const person = await currentPerson();
  return person && !isProved(person, now()) ? proofKind(person) : undefined;
}

/** The signed-in person at their own second factors. */
export async function selfOf(actor: PersonActor): Promise<Self | undefined> {
  const sessionId = await sessionIdOfCookie();
  return sessionId === undefined ? undefined : { ...contextOf(actor), sessionId };
}

/** What a verb wants of a page or an action of this person. */
export function contextOf(actor: PersonActor): Context<PersonActor> {
  return { actor, store: storeForPerson(sharedStore(), actor) };
}
