import "server-only";
import { encode } from "next-auth/jwt";
import { cookies } from "next/headers";
import { sessionSecret } from "#lib/platform/env";
import type { NewSession } from "./begin-session.ts";
import { cookieAttributes } from "./cookie-name.ts";
import { sessionCookieName, sessionTokens } from "./session-token.ts";

/** The longest a session lasts however much it is used; the row in the database says so too. */
export const sessionLifeS = 12 * 60 * 60;

/** Gives the browser the token next-auth would have given it. It names a person and a session, nothing else. */
export async function setSessionCookie({ personId, sessionId }: NewSession): Promise<void> {
  const token = { sub: personId, sid: sessionId };
  // The row says when the session ends. The token's own end is read by other servers' clocks, so it is later than that.
  const value = await encode({ token, secret: sessionSecret(), maxAge: 2 * sessionLifeS });
  (await cookies()).set(sessionCookieName(), value, { ...cookieAttributes(), maxAge: sessionLifeS });
}

export async function clearSessionCookie(): Promise<void> {
  (await cookies()).set(sessionCookieName(), "", { ...cookieAttributes(), maxAge: 0 });
}

/** The session a request's cookie names; a token that is malformed, expired or not ours names none. */
export async function sessionIdOfCookie(): Promise<string | undefined> {
  const value = (await cookies()).get(sessionCookieName())?.value;
  if (!value) return undefined;
  return (await sessionTokens().open(value))?.sessionId;
}
