import "server-only";
import { redirect } from "next/navigation";
import type { NewSession } from "./begin-session.ts";
import { keepDevice } from "#lib/person/sign-in/device-cookie";
import { endSession } from "./end-session.ts";
import { setSessionCookie } from "./session-cookie.ts";
import { clearTicketCookie } from "#lib/person/sign-in/ticket-cookie";

/** Ends the browser's earlier session, if any, sets the cookie of this one, and redirects. */
export async function enter(begun: NewSession, next: string): Promise<never> {
  await endSession();
  await clearTicketCookie();
  await setSessionCookie(begun);
  await keepDevice(begun.personId);
  redirect(next);
}
