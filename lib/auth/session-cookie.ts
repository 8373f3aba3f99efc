import "server-only";
import { decode, encode } from "next-auth/jwt";
import { cookies } from "next/headers";
import { env } from "#lib/env";
import type { Begun } from "./begin-session.ts";

/** The longest a session lasts however much it is used; the row in the database says so too. */
export const sessionLifeS = 12 * 60 * 60;

/** Whether the browser is told to send the session only over TLS; it follows the public address. */
export function isSecure(): boolean {
  return env().PUBLIC_URL.startsWith("https://");
}

/** next-auth's own name for its cookie, so that its routes and ours see the same session. */
function cookieName(): string {
  return isSecure() ? "__Secure-next-auth.session-token" : "next-auth.session-token";
}

/** Gives the browser the token next-auth would have given it. It names a person and a session, nothing else. */
export async function setSessionCookie({ personId, sessionId }: Begun): Promise<void> {
  const token = { sub: personId, sid: sessionId };
  const value = await encode({ token, secret: env().NEXTAUTH_SECRET, maxAge: sessionLifeS });
  (await cookies()).set(cookieName(), value, {
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure(),
    path: "/",
    maxAge: sessionLifeS,
  });
}

export async function clearSessionCookie(): Promise<void> {
  (await cookies()).set(cookieName(), "", {
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure(),
    path: "/",
    maxAge: 0,
  });
}

/** The session a request's cookie names; a token that is malformed, expired or not ours names none. */
export async function sessionIdOfCookie(): Promise<string | undefined> {
  const value = (await cookies()).get(cookieName())?.value;
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
    const token = await decode({ token: value, secret: env().NEXTAUTH_SECRET });
    if (typeof token?.sid !== "string" || typeof token.exp !== "number") return undefined;
    const named = { sessionId: token.sid, untilMs: token.exp * 1000 };
    if (opened.size >= openedMax) opened.clear();
    opened.set(value, named);
    return named;
  } catch {
    return undefined;
  }
}
