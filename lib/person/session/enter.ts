import "server-only";
import { redirect } from "next/navigation";
import { sharedStore } from "#lib/db/db";
import { sessionActor } from "#lib/person/store/people";
import type { NewSession } from "./begin-session.ts";
import { keepDevice } from "#lib/person/sign-in/device-cookie";
import { endSession } from "./end-session.ts";
import { firstPage } from "./first-page.ts";
import { setSessionCookie } from "./session-cookie.ts";
import { clearTicketCookie } from "#lib/person/sign-in/ticket-cookie";

/** Ends whatever session the browser had, begins this one, and goes on. */
export async function enter(begun: NewSession, next: string): Promise<never> {
  await endSession();
  await clearTicketCookie();
  await setSessionCookie(begun);
  await keepDevice(begun.personId);
  redirect(next === "/" ? await startOf(begun) : next);
}

/** Where their work is, at once: by way of the start the browser shows nothing for a moment. */
async function startOf({ sessionId }: NewSession): Promise<string> {
  const actor = await sessionActor(sharedStore(), sessionId);
  return actor && actor.roles.length > 0 ? firstPage(actor) : "/";
}
