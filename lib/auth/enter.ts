import "server-only";
import { redirect } from "next/navigation";
import type { Begun } from "./begin-session.ts";
import { endSession } from "./end-session.ts";
import { setSessionCookie } from "./session-cookie.ts";
import { clearTicketCookie } from "./ticket-cookie.ts";

/** Ends whatever session the browser had, begins this one, and goes on. */
export async function enter(begun: Begun, next: string): Promise<never> {
  await endSession();
  await clearTicketCookie();
  await setSessionCookie(begun);
  redirect(next);
}
