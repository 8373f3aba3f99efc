import { decode } from "next-auth/jwt";
import { sessionSecret } from "#lib/platform/env";
import { endedSessions } from "#lib/person/shared/ended-sessions";
import { cookieNamed } from "./cookie-name.ts";

/** The content of a session's token: the person and the session. It was issued to a person who signed in. */
type TokenContent = { readonly personId: string; readonly sessionId: string; readonly untilMs: number };

type SessionTokens = {
  readonly cookieName: string;
  /** The content of a token that was opened before; undefined for any other, an expired one, or one whose session is over. */
  readonly known: (token: string) => TokenContent | undefined;
  /** The content of a token; undefined for one that is malformed, expired or not ours, or whose session is known to be over. */
  readonly open: (token: string) => Promise<TokenContent | undefined>;
};

const openedMax = 1_000;

type Options = {
  readonly secret: string;
  readonly cookieName: string;
  /** Whether a session was found to be over. */
  readonly hasEnded: (sessionId: string) => boolean;
};

/**
 * Opens tokens and caches their content, because opening one takes a millisecond and every page needs it. The content
 * never changes; at each request the row decides whether the session is still live.
 */
export function createSessionTokens({ secret, cookieName, hasEnded }: Options): SessionTokens {
  const opened = new Map<string, TokenContent>();

  function known(token: string): TokenContent | undefined {
    const named = opened.get(token);
    return named && named.untilMs >= Date.now() && !hasEnded(named.sessionId) ? named : undefined;
  }

  async function open(token: string): Promise<TokenContent | undefined> {
    const before = opened.get(token);
    if (before && (hasEnded(before.sessionId) || known(token))) return known(token);
    const claims = await decode({ token, secret }).catch(() => undefined);
    if (typeof claims?.sid !== "string" || typeof claims.sub !== "string" || typeof claims.exp !== "number")
      return undefined;
    if (opened.size >= openedMax) opened.clear();
    opened.set(token, { personId: claims.sub, sessionId: claims.sid, untilMs: claims.exp * 1000 });
    return known(token);
  }

  return { cookieName, known, open };
}

/** The cookie's name, the same for next-auth's routes and for ours, so that both see one session. */
export function sessionCookieName(): string {
  return cookieNamed("next-auth.session-token");
}

let made: SessionTokens | undefined;

/** The cache of this service. */
export function sessionTokens(): SessionTokens {
  const hasEnded = (sessionId: string) => endedSessions().has(sessionId);
  made ??= createSessionTokens({ secret: sessionSecret(), cookieName: sessionCookieName(), hasEnded });
  return made;
}
