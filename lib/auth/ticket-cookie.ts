import "server-only";
import { cookies } from "next/headers";
import { isSecure } from "./session-cookie.ts";

/** As long as a ticket lives, and a challenge for a passkey. */
const lifeS = 5 * 60;

function cookieName(): string {
  return isSecure() ? "__Secure-sign-in" : "sign-in";
}

/** Binds what was begun to this browser: nobody else can finish it. */
export async function setTicketCookie(ticket: string): Promise<void> {
  (await cookies()).set(cookieName(), ticket, { ...attributes(), maxAge: lifeS });
}

export async function clearTicketCookie(): Promise<void> {
  (await cookies()).set(cookieName(), "", { ...attributes(), maxAge: 0 });
}

export async function ticketOfCookie(): Promise<string | undefined> {
  return (await cookies()).get(cookieName())?.value;
}

function attributes() {
  return { httpOnly: true, sameSite: "lax", secure: isSecure(), path: "/sign-in" } as const;
}
