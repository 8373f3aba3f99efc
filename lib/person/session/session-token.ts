import { decode } from "next-auth/jwt";
import { sessionSecret } from "#lib/platform/env";
import { cookieNamed } from "./cookie-name.ts";

/** What a session's token says: whose it is, and which. It was given to somebody who signed in. */
type Named = { readonly personId: string; readonly sessionId: string; readonly untilMs: number };

type SessionTokens = {
  readonly cookieName: string;
  /** What a token says that was opened before; undefined for one that was not, or is over. */
  readonly known: (token: string) => Named | undefined;
  /** What a token says; a token that is malformed, expired or not ours says nothing. */
  readonly open: (token: string) => Promise<Named | undefined>;
};

const openedMax = 1_000;

/**
 * Reads tokens, and remembers what they say, since to open one takes a millisecond and every page asks. They say it for
 * ever: whether the session still lives, its row decides at each request.
 */
export function createSessionTokens({ secret, cookieName }: { secret: string; cookieName: string }): SessionTokens {
  const opened = new Map<string, Named>();

  function known(token: string): Named | undefined {
    const named = opened.get(token);
    return named && named.untilMs >= Date.now() ? named : undefined;
  }

  async function open(token: string): Promise<Named | undefined> {
    const before = known(token);
    if (before) return before;
    const said = await decode({ token, secret }).catch(() => undefined);
    if (typeof said?.sid !== "string" || typeof said.sub !== "string" || typeof said.exp !== "number") return undefined;
    if (opened.size >= openedMax) opened.clear();
    opened.set(token, { personId: said.sub, sessionId: said.sid, untilMs: said.exp * 1000 });
    return known(token);
  }

  return { cookieName, known, open };
}

/** The same name for next-auth's routes as for ours, so that both see one session. */
export function sessionCookieName(): string {
  return cookieNamed("next-auth.session-token");
}

let made: SessionTokens | undefined;

/** Those of this service. */
export function sessionTokens(): SessionTokens {
  made ??= createSessionTokens({ secret: sessionSecret(), cookieName: sessionCookieName() });
  return made;
}
