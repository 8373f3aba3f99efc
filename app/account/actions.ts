"use server";

import { cookies } from "next/headers";
import { z } from "zod";
import { action } from "#components/form/action";
import { text } from "#components/form/form-schema";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { unlinkRefusalText } from "#lib/messages/account";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { changeOwnPassword } from "#lib/person/choose-password";
import { endOwnSessions } from "#lib/person/end-sessions";
import { currentSessionId, selfOf } from "#lib/person/session/person";
import { keepDeskChoices } from "#lib/person/keep-desk-choices";
import { keepDevice } from "#lib/person/sign-in/device-cookie";
import { unlinkOwnAccount } from "#lib/person/sso/own-link";
import { ssoIssuer } from "#lib/person/sso/sso-settings";
import { ok, refuse, typedRefusal, type Result } from "#lib/platform/result";

type Own = Context<PersonActor>;

const signedOut = refuse({ type: "signed-out" });

const chosen: Result<undefined, never> = ok(undefined);

/** For an act that nothing refuses. */
const never = (refusal: never): never => refusal;

export const setTimes = action(
  z.object({ times: text }),
  async (_, { times }) => {
    const shown = times === "own" ? "own" : "practice";
    (await cookies()).set("times", shown, { path: "/", maxAge: 31_536_000, sameSite: "lax" });
    return chosen;
  },
  { done: () => "/account?done=times", refused: never },
);

export const setKeys = action(
  z.object({ single: text }),
  (ctx: Own, { single }) => keepDeskChoices(ctx, { singleKeys: single === "on" }),
  { done: () => "/account?done=keys", refused: never },
);

export const setNext = action(
  z.object({ next: text }),
  (ctx: Own, { next }) => keepDeskChoices(ctx, { opensNext: next === "on" }),
  { done: () => "/account?done=next", refused: never },
);

const endedSessions = () => "/account?done=sessions";

/** Ends one of one's own sessions. */
export const endMySession = action(
  z.object({ sessionId: text }),
  async (ctx: Own, { sessionId }) => {
    await endOwnSessions(ctx, { only: sessionId });
    return chosen;
  },
  { done: endedSessions, refused: never },
);

/** Ends all of one's own sessions but this one. */
export const endMyOthers = action(
  z.object({}),
  async (ctx: Own): Promise<Result<undefined, { type: "signed-out" }>> => {
    const except = await currentSessionId();
    if (except === undefined) return signedOut;
    await endOwnSessions(ctx, { except });
    await keepDevice(ctx.actor.id);
    return chosen;
  },
  { done: endedSessions, refused: never },
);

/** Unlinks one's own account of the single sign-on provider. */
export const unlinkProvider = action(
  z.object({}),
  async (ctx: Own) => {
    const [self, issuer] = [await selfOf(ctx.actor), ssoIssuer()];
    return self && issuer !== undefined ? typedRefusal(await unlinkOwnAccount(self, issuer)) : signedOut;
  },
  {
    done: () => "/account?done=unlinked",
    refused: ({ type }) => ({ alert: unlinkRefusalText[type], problems: {} }),
  },
);

/** Changes one's own password for the one in use. Neither is ever sent back. */
export const changePassword = action(
  z.object({ present: text, password: text }),
  async (ctx: Own, passwords) => {
    const changed = await changeOwnPassword(ctx, { sessionId: (await currentSessionId()) ?? "", ...passwords });
    // Every device was forgotten with the password; this is theirs.
    if (changed.ok) await keepDevice(ctx.actor.id);
    return changed;
  },
  { done: () => "/account?done=password", refused: refusalMessage, secrets: ["present", "password"] },
);
