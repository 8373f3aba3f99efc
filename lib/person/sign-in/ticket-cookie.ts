import "server-only";
import { cookies } from "next/headers";
import { cookieAttributes, cookieNamed } from "#lib/person/session/cookie-name";

/** As long as a ticket lives, and a challenge for a passkey. */
const lifeS = 5 * 60;

const path = "/sign-in";

function cookieName(): string {
  return cookieNamed("sign-in");
}

/** Binds what was begun to this browser: nobody else can finish it. */
export async function setTicketCookie(ticket: string): Promise<void> {
  (await cookies()).set(cookieName(), ticket, { ...cookieAttributes(path), maxAge: lifeS });
}

export async function clearTicketCookie(): Promise<void> {
  (await cookies()).set(cookieName(), "", { ...cookieAttributes(path), maxAge: 0 });
}

export async function ticketOfCookie(): Promise<string | undefined> {
  return (await cookies()).get(cookieName())?.value;
}
