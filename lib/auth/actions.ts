"use server";

import { redirect } from "next/navigation";
import { sharedStore } from "#lib/store/db";
import { liveSession } from "#lib/store/people";
import { saveSingleKeys } from "#lib/store/single-keys";
import { beginSession } from "./begin-session.ts";
import { endSession } from "./end-session.ts";
import { comesFrom } from "./comes-from.ts";
import { currentPerson } from "./person.ts";
import { returnPath } from "./return-path.ts";
import { sessionLeft, type SessionLeft } from "./session-left.ts";
import { clearSessionCookie, sessionIdOfCookie, setSessionCookie } from "./session-cookie.ts";

/** What the sign-in form shows again after an attempt that failed; never the password. */
export type SignInAttempt = { readonly failed: boolean; readonly email: string };

/** Signs in and goes on to where the person was heading. Every failure looks the same. */
export async function signIn(_: SignInAttempt, form: FormData): Promise<SignInAttempt> {
  const email = textOf(form, "email");
  const begun = await beginSession(sharedStore(), { email, password: textOf(form, "password") }, await comesFrom());
  if (!begun) return { failed: true, email };
  await endSession();
  await setSessionCookie(begun);
  redirect(returnPath(textOf(form, "next")));
}

/** Ends the session in the database, so that a copy of the cookie is worth nothing. */
export async function signOut(): Promise<void> {
  await endSession();
  await clearSessionCookie();
  redirect("/sign-in");
}

/** Uses the session, so that it goes on; undefined where it is over. */
export async function staySignedIn(): Promise<SessionLeft | undefined> {
  const sessionId = await sessionIdOfCookie();
  return sessionId === undefined ? undefined : sessionLeft(await liveSession(sharedStore(), sessionId));
}

function textOf(form: FormData, name: string): string {
  // Whoever posts by hand sends what they like.
  const value = form instanceof FormData ? form.get(name) : undefined;
  return typeof value === "string" ? value : "";
}

/** Keeps whether single characters are shortcuts, for whoever asks and for nobody else. */
export async function chooseSingleKeys(on: boolean): Promise<void> {
  const person = await currentPerson();
  if (person && typeof on === "boolean") await saveSingleKeys(sharedStore(), person.id, on);
}
