import "server-only";
import { decode, encode } from "next-auth/jwt";
import { cookies } from "next/headers";
import { sessionSecret } from "#lib/env";
import type { Begun } from "./begin-session.ts";
import { cookieAttributes, cookieNamed } from "./cookie-name.ts";

/** The longest a session lasts however much it is used; the row in the database says so too. */
export const sessionLifeS = 12 * 60 * 60;

/** The same name for next-auth's routes as for ours, so that both see one session. */
export function sessionCookieName(): string {
  return cookieNamed("next-auth.session-token");
}

/** Gives the browser the token next-auth would have given it. It names a person and a session, nothing else. */
export async function setSessionCookie({ personId, sessionId }: Begun): Promise<void> {
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
  const named = opened.get(value) ?? (await open(value));
  if (!named || named.untilMs < Date.now()) return undefined;
  return named.sessionId;
}

type Named = { readonly sessionId: string; readonly untilMs: number };

/**
 * What tokens say, since to open one takes a millisecond and every page asks. They say it for ever: whether the session
 * still lives, its row decides at each request.
 */
const opened = new Map<string, Named>();
const openedMax = 1_000;

async function open(value: string): Promise<Named | undefined> {
  try {
    const token = await decode({ token: value, secret: sessionSecret() });
    if (typeof token?.sid !== "string" || typeof token.exp !== "number") return undefined;
    const named = { sessionId: token.sid, untilMs: token.exp * 1000 };
    if (opened.size >= openedMax) opened.clear();
    opened.set(value, named);
    return named;
  } catch {
    return undefined;
  }
}
