import "server-only";
import type { NewSession } from "./begin-session.ts";
import { keepDevice } from "#lib/person/sign-in/device-cookie";
import { endSession } from "./end-session.ts";
import { setSessionCookie } from "./session-cookie.ts";
import { clearTicketCookie } from "#lib/person/sign-in/ticket-cookie";

/** Ends the browser's earlier session, if any, and sets the cookie of this one. */
export async function enter(begun: NewSession): Promise<void> {
  await endSession();
  await clearTicketCookie();
  await setSessionCookie(begun);
  await keepDevice(begun.personId);
}
