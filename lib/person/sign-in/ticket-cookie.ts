import "server-only";
import { cookies } from "next/headers";
import { sharedStore } from "#lib/db/db";
import { cookieAttributes, cookieNamed } from "#lib/person/session/cookie-name";
import { secondStep, type SecondStep } from "./sign-in-ticket.ts";

/** The life of a ticket and of a passkey's challenge, in seconds. */
const lifeS = 5 * 60;

const path = "/sign-in";

function cookieName(): string {
  return cookieNamed("sign-in");
}

/** Binds the sign-in to this browser: no other browser can finish it. */
export async function setTicketCookie(ticket: string): Promise<void> {
  (await cookies()).set(cookieName(), ticket, { ...cookieAttributes(path), maxAge: lifeS });
}

export async function clearTicketCookie(): Promise<void> {
  (await cookies()).set(cookieName(), "", { ...cookieAttributes(path), maxAge: 0 });
}

export async function ticketOfCookie(): Promise<string | undefined> {
  return (await cookies()).get(cookieName())?.value;
}

/** The second factors that this browser may show now; undefined where it has no second step open. */
export async function secondStepOfBrowser(): Promise<SecondStep | undefined> {
  return secondStep(sharedStore(), await ticketOfCookie());
}
