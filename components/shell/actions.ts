"use server";

import { cookies } from "next/headers";
import { z } from "zod";
import { call, visitorCall } from "#components/form/action";
import { text } from "#components/form/form-schema";
import { keepDeskChoices } from "#lib/person/keep-desk-choices";
import { endSession } from "#lib/person/session/end-session";
import { clearSessionCookie } from "#lib/person/session/session-cookie";
import { prolongSession } from "#lib/person/session/session-left";
import { ok } from "#lib/platform/result";

/** Keeps the reader's choice of light or dark for a year, signed in or not. */
export const chooseTheme = visitorCall(
  z.object({ theme: text.pipe(z.enum(["system", "light", "dark"])) }),
  async (_, { theme }) => {
    (await cookies()).set("theme", theme, { path: "/", maxAge: 31_536_000, sameSite: "lax", httpOnly: true });
    return ok(undefined);
  },
);

/** Keeps whether single characters are shortcuts. */
export const setSingleKeys = call(z.boolean(), (ctx, singleKeys) => keepDeskChoices(ctx, { singleKeys }));

/** Uses the session, so that it goes on; undefined where it is over. */
export const staySignedIn = visitorCall(z.unknown(), prolongSession);

/** Ends the session in the database, so that a copy of the cookie is worth nothing. */
export const signOut = visitorCall(
  z.unknown(),
  async () => {
    await endSession();
    await clearSessionCookie();
    return ok(undefined);
  },
  { done: () => "/sign-in" },
);
