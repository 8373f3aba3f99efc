"use server";

import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { z } from "zod";
import type { ActAnswer } from "#components/form/act-answer";
import { action } from "#components/form/action";
import { text } from "#components/form/form-schema";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { factorRefusalText } from "#lib/messages/account";
import type { AddedFactor, FactorRefusal, Self } from "#lib/person/second-factor/own-factors";
import { beginPasskey, removePasskey, renamePasskey } from "#lib/person/second-factor/own-passkeys";
import { remakeRecoveryCodes } from "#lib/person/second-factor/own-recovery-codes";
import { beginTotp, confirmTotp, removeTotp } from "#lib/person/second-factor/own-totp";
import { passkeySite } from "#lib/person/second-factor/passkey-site";
import { selfOf } from "#lib/person/session/person";
import { returnPath } from "#lib/person/session/return-path";
import { ok, refuse, typedRefusal, type Result } from "#lib/platform/result";

const refused = ({ type }: { readonly type: Exclude<FactorRefusal, "proof-needed"> }) => factorRefusalText(type);

/** The recovery codes that came with it, if any did, are shown this one time. */
const shown = { done: (value: object | undefined): ActAnswer => ({ problems: {}, ...codesOf(value) }), refused };

/**
 * Sets up, turns on or removes the authenticator app of the person. One action for the three, because without JavaScript
 * the codes that come with the first factor reach the form's next state only if its action is the same.
 */
export const changeApp = action(
  z.object({ intent: text, code: text }),
  ofSelf((self, { intent, code }): Promise<Result<object | undefined, FactorRefusal>> => {
    if (intent === "begin") return beginTotp(self);
    if (intent === "remove") return removeTotp(self);
    return confirmTotp(self, { code });
  }),
  shown,
);

export const changeCodes = action(z.object({}), ofSelf(remakeRecoveryCodes), shown);

const passkey = z.object({ id: text });

export const renameOwnPasskey = action(passkey.extend({ name: text }), ofSelf(renamePasskey), shown);

export const removeOwnPasskey = action(passkey, ofSelf(removePasskey), shown);

/** Shows the second factor in a session that was begun without it, and goes on. */
export const proveNow = action(
  z.object({ next: text }),
  async (_, { next }): Promise<Result<string, never>> => ok(returnPath(next)),
  { done: (next) => next, refused: (refusal) => refusal },
);

/** What the person's device is to make a passkey from. */
export type StartAnswer = ActAnswer & { readonly passkey?: PublicKeyCredentialCreationOptionsJSON | undefined };

export const startPasskey = action(
  z.object({ name: text }),
  async (ctx: Context<PersonActor>) => {
    const [self, site] = [await selfOf(ctx.actor), passkeySite()];
    return self && site ? typedRefusal(await beginPasskey(self, site)) : refuse({ type: "signed-out" });
  },
  {
    done: (options, { name }): StartAnswer => ({ problems: {}, typed: { name: [name] }, passkey: options }),
    refused,
    redraws: false,
  },
);

/** The same act for the person who posts the form, in their session. */
function ofSelf<Input, Value>(act: (self: Self, input: Input) => Promise<Result<Value, FactorRefusal>>) {
  return async ({ actor }: Context<PersonActor>, input: Input) => {
    const self = await selfOf(actor);
    return self ? typedRefusal(await act(self, input)) : refuse({ type: "signed-out" });
  };
}

function codesOf(value: object | undefined): Pick<ActAnswer, "recoveryCodes"> {
  // Safe because only what was added has this member.
  return value && "recoveryCodes" in value ? { recoveryCodes: (value as AddedFactor).recoveryCodes } : {};
}
