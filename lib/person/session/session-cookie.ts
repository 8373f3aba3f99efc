import "server-only";
import { encode } from "next-auth/jwt";
import { cookies } from "next/headers";
import { sessionSecret } from "#lib/platform/env";
import type { NewSession } from "./begin-session.ts";
import { cookieAttributes } from "./cookie-name.ts";
import { sessionCookieName, sessionTokens } from "./session-token.ts";

/** The longest life of a session, in seconds, however much it is used; the database row has the same limit. */
export const sessionLifeS = 12 * 60 * 60;

/** Sets the token that next-auth would have set. It names a person and a session, nothing else. */
export async function setSessionCookie({ personId, sessionId }: NewSession): Promise<void> {
  const token = { sub: personId, sid: sessionId };
  // The row decides when the session ends. Other servers' clocks read the token's own expiry, so it is later.
  const value = await encode({ token, secret: sessionSecret(), maxAge: 2 * sessionLifeS });
  (await cookies()).set(sessionCookieName(), value, { ...cookieAttributes(), maxAge: sessionLifeS });
}

export async function clearSessionCookie(): Promise<void> {
  (await cookies()).set(sessionCookieName(), "", { ...cookieAttributes(), maxAge: 0 });
}

/** The session that the cookie names; undefined for a token that is malformed, expired or not ours. */
export async function sessionIdOfCookie(): Promise<string | undefined> {
  const value = (await cookies()).get(sessionCookieName())?.value;
  if (!value) return undefined;
  return (await sessionTokens().open(value))?.sessionId;
}
