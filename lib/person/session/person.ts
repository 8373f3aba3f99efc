import "server-only";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { hasRecentProof } from "#lib/access/model/proof";
import { sharedStore } from "#lib/db/db";
import { storeForPerson } from "#lib/db/for-practices";
import { liveSession, type LiveSession } from "#lib/person/shared/live-session";
import { proofKindOf } from "#lib/person/shared/proof-kind-of";
import type { ProofKind } from "#lib/person/model/proof-kind";
import type { Self } from "#lib/person/second-factor/own-factors";
import { proveSession, type Proof } from "#lib/person/sign-in/prove-session";
import { accountStore } from "./account-store.ts";
import { sessionIdOfCookie } from "./session-cookie.ts";
import { now } from "#lib/platform/now";

/** Set by a page while it refreshes itself. A person who sets it shortens their own session alone. */
const unattendedCookie = "unattended";

/**
 * The session of this request, and how long it lasts from now on. It is read once per request; reading it extends it,
 * unless the page refreshes itself.
 */
export const currentSession = cache(async (): Promise<LiveSession | undefined> => {
  const sessionId = await sessionIdOfCookie();
  if (sessionId === undefined) return undefined;
  return liveSession(sharedStore(), sessionId, { isUse: !(await cookies()).has(unattendedCookie) });
});

/** The id of this request's session. */
export async function currentSessionId(): Promise<string | undefined> {
  return sessionIdOfCookie();
}

/** The signed-in person, with roles and practices as the database has them now. */
export async function currentPerson(): Promise<PersonActor | undefined> {
  return (await currentSession())?.actor;
}

/**
 * The session of a request that a page makes by itself, which does not extend it: an unattended page lets its session
 * end.
 */
export async function peekSession(): Promise<LiveSession | undefined> {
  const sessionId = await sessionIdOfCookie();
  return sessionId === undefined ? undefined : liveSession(sharedStore(), sessionId, { isUse: false });
}

/** The one page for a person who must add or show a second factor before anything else. */
const factorsPath = "/account/security";

/**
 * The signed-in person. Everyone else is redirected to sign in and returns to `path`. Each verb decides what the person
 * may do.
 */
export async function requirePerson(path: string): Promise<PersonActor> {
  const session = await currentSession();
  if (!session) redirect(`/sign-in?next=${encodeURIComponent(path)}`);
  if (session.lacksSecondFactor && path !== factorsPath) redirect(`${factorsPath}?next=${encodeURIComponent(path)}`);
  return session.actor;
}

/**
 * The person with a new proof of identity; undefined for a wrong proof, `busy` where too many prove themselves at this
 * moment. The proof is never logged.
 */
export async function stepUp(person: PersonActor, proof: Proof): Promise<PersonActor | "busy" | undefined> {
  const sessionId = await sessionIdOfCookie();
  if (sessionId === undefined) return undefined;
  const provedAt = await proveSession(accountStore(), { personId: person.id, sessionId }, proof);
  return provedAt === "busy" ? provedAt : provedAt && { ...person, provedAt };
}

/** How a person proves who they are again. */
export function proofKind(person: PersonActor): Promise<ProofKind> {
  return proofKindOf(accountStore(), person);
}

/**
 * How the person will have to prove who they are before a sensitive act on this page; undefined where a recent proof is
 * still valid.
 */
export async function upcomingProof(): Promise<ProofKind | undefined> {
  const person = await currentPerson();
  return person && !hasRecentProof(person, now()) ? proofKind(person) : undefined;
}

/** The signed-in person as the owner of their second factors. */
export async function selfOf(actor: PersonActor): Promise<Self | undefined> {
  const sessionId = await sessionIdOfCookie();
  return sessionId === undefined ? undefined : { ...contextOf(actor), sessionId };
}

/** The context of a verb, for a page or an action of this person. */
export function contextOf(actor: PersonActor): Context<PersonActor> {
  return { actor, store: storeForPerson(sharedStore(), actor) };
}
