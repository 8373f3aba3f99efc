import "server-only";
import { redirect } from "next/navigation";
import { accountStore } from "./account-store.ts";
import { sessionActor } from "#lib/person/store/people";
import type { NewSession } from "./begin-session.ts";
import { keepDevice } from "#lib/person/sign-in/device-cookie";
import { endSession } from "./end-session.ts";
import { firstPage } from "./first-page.ts";
import { setSessionCookie } from "./session-cookie.ts";
import { clearTicketCookie } from "#lib/person/sign-in/ticket-cookie";

/** Ends the browser's earlier session, if any, sets the cookie of this one, and redirects. */
export async function enter(begun: NewSession, next: string): Promise<never> {
  await endSession();
  await clearTicketCookie();
  await setSessionCookie(begun);
  await keepDevice(begun.personId);
  redirect(next === "/" ? await startOf(begun) : next);
}

/** The person's first page. Redirecting through the start page would show an empty page for a moment. */
async function startOf({ sessionId }: NewSession): Promise<string> {
  const actor = await sessionActor(accountStore(), sessionId);
  return actor && actor.roles.length > 0 ? firstPage(actor) : "/";
}
