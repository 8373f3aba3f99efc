"use server";

import { redirect } from "next/navigation";
import { accountStore } from "#lib/person/session/account-store";
import { liveSession } from "#lib/person/shared/live-session";
import { saveSingleKeys } from "#lib/person/store/desk-choices";
import { beginSignIn, type SignInFailure } from "#lib/person/session/begin-session";
import { endSession } from "#lib/person/session/end-session";
import { requestOrigin } from "#lib/person/session/request-origin";
import { enter } from "#lib/person/session/enter";
import { instruments } from "#lib/platform/metrics/instruments";
import { finishSignIn } from "./finish-sign-in.ts";
import { currentPerson } from "#lib/person/session/person";
import { returnPath } from "#lib/person/session/return-path";
import { sessionLeft, type SessionLeft } from "#lib/person/session/session-left";
import { issueTicket } from "./sign-in-ticket.ts";
import { setTicketCookie, ticketOfCookie } from "./ticket-cookie.ts";
import { clearSessionCookie, sessionIdOfCookie } from "#lib/person/session/session-cookie";

/** What the sign-in form shows again after an attempt that failed; never the password. */
export type SignInAttempt = { readonly problem?: SignInFailure | undefined; readonly email: string };

/** Signs in and goes on to where the person was heading. Every failure looks the same. */
export async function signIn(_: SignInAttempt, form: FormData): Promise<SignInAttempt> {
  const email = textOf(form, "email");
  const begun = await beginSignIn(accountStore(), { email, password: textOf(form, "password") }, await requestOrigin());
  if (!begun.ok) {
    instruments().signInRefusals.inc({ reason: begun.refusal });
    return { problem: begun.refusal, email };
  }
  const next = returnPath(textOf(form, "next"));
  if (begun.value.sessionId === undefined) {
    await setTicketCookie(await issueTicket(accountStore(), begun.value));
    redirect(`/sign-in/second?next=${encodeURIComponent(next)}`);
  }
  return enter(begun.value, next);
}

/** What the second step shows again after an attempt that failed. */
export type SecondAttempt = { readonly problem?: "wrong" | "busy" | undefined };

/** The second step: a code of an app or a recovery code. A ticket that is over leads back to the first. */
export async function showCode(_: SecondAttempt, form: FormData): Promise<SecondAttempt> {
  const next = returnPath(textOf(form, "next"));
  const ticket = await ticketOfCookie();
  const finished = await finishSignIn(accountStore(), {
    ticket: ticket ?? "",
    code: textOf(form, "code"),
    from: await requestOrigin(),
  });
  if (finished.ok) return enter(finished.value, next);
  instruments().signInRefusals.inc({ reason: `second-${finished.refusal}` });
  if (finished.refusal === "over") redirect(`/sign-in?over=1&next=${encodeURIComponent(next)}`);
  return { problem: finished.refusal };
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
  return sessionId === undefined ? undefined : sessionLeft(await liveSession(accountStore(), sessionId));
}

function textOf(form: FormData, name: string): string {
  // Whoever posts by hand sends what they like.
  const value = form instanceof FormData ? form.get(name) : undefined;
  return typeof value === "string" ? value : "";
}

/** Keeps whether single characters are shortcuts, for whoever asks and for nobody else. */
export async function chooseSingleKeys(on: boolean): Promise<void> {
  const person = await currentPerson();
  if (person && typeof on === "boolean") await saveSingleKeys(accountStore(), person.id, on);
}
