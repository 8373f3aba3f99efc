import "server-only";
import type { AuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { sessionSecret } from "#lib/platform/env";
import { accountStore } from "./account-store.ts";
import { revokeSession } from "#lib/person/store/people";
import { sessionActor } from "#lib/person/shared/live-session";
import { beginSession } from "./begin-session.ts";
import { requestOrigin } from "./request-origin.ts";
import { cookieAttributes, cookieNamed, isSecure } from "./cookie-name.ts";
import { sessionLifeS } from "./session-cookie.ts";
import { sessionCookieName } from "./session-token.ts";

declare module "next-auth" {
  interface User {
    sid?: string;
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    sid?: string;
  }
}

/** The options of next-auth's own routes. Its token names a person and a session row, and the row decides. */
export function authOptions(): AuthOptions {
  return {
    secret: sessionSecret(),
    useSecureCookies: isSecure(),
    cookies: {
      sessionToken: { name: sessionCookieName(), options: cookieAttributes() },
      csrfToken: { name: cookieNamed("next-auth.csrf-token"), options: cookieAttributes() },
      callbackUrl: { name: cookieNamed("next-auth.callback-url"), options: cookieAttributes() },
    },
    session: { strategy: "jwt", maxAge: sessionLifeS },
    pages: { signIn: "/sign-in", signOut: "/", error: "/sign-in" },
    providers: [
      Credentials({
        credentials: { email: { label: "Email", type: "email" }, password: { label: "Password", type: "password" } },
        authorize: async (given) => {
          const credentials = { email: given?.email ?? "", password: given?.password ?? "" };
          const begun = await beginSession(accountStore(), credentials, await requestOrigin());
          return begun ? { id: begun.personId, sid: begun.sessionId } : null;
        },
      }),
    ],
    callbacks: {
      jwt: async ({ token, user }) => {
        if (user) return { sub: user.id, ...(user.sid === undefined ? {} : { sid: user.sid }) };
        const actor = token.sid === undefined ? undefined : await sessionActor(accountStore(), token.sid);
        // next-auth clears its cookies when this throws; it has no other way to report an ended session.
        if (!actor) throw new Error("The session is over.");
        return token;
      },
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        if (token?.sid !== undefined) await revokeSession(accountStore(), token.sid);
      },
    },
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  };
}
