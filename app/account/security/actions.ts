"use server";

import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { z } from "zod";
import type { ActAnswer } from "#components/form/act-answer";
import { action, call } from "#components/form/action";
import { credential, text } from "#components/form/form-schema";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { factorRefusalText } from "#lib/messages/account";
import type { AddedFactor, FactorRefusal, Self } from "#lib/person/second-factor/own-factors";
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from "#lib/person/second-factor/own-passkeys";
import { remakeRecoveryCodes } from "#lib/person/second-factor/own-recovery-codes";
import { beginTotp, confirmTotp, removeTotp } from "#lib/person/second-factor/own-totp";
import { passkeySite } from "#lib/person/second-factor/passkey-site";
import { selfOf } from "#lib/person/session/person";
import { returnPath } from "#lib/person/session/return-path";
import { ok, refuse, typedRefusal, type Result } from "#lib/platform/result";

const signedOut = refuse({ type: "signed-out" });

const refused = ({ type }: { readonly type: Exclude<FactorRefusal, "proof-needed"> }) => factorRefusalText(type);

/** The recovery codes that came with it, if any did, are shown this one time. */
const shown = { done: (value: object | undefined): ActAnswer => ({ problems: {}, ...codesOf(value) }), refused };

/** Sets up an authenticator app, which counts once it is turned on. */
export const beginApp = action(z.object({}), ofSelf(beginTotp), shown);

/** Turns it on by the code that it shows. */
export const turnOnApp = action(z.object({ code: text }), ofSelf(confirmTotp), shown);

export const removeApp = action(z.object({}), ofSelf(removeTotp), shown);

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
    return self && site ? typedRefusal(await beginPasskey(self, site)) : signedOut;
  },
  {
    done: (options, { name }): StartAnswer => ({ problems: {}, typed: { name: [name] }, passkey: options }),
    refused,
    redraws: false,
  },
);

/** Adds what the device made of it. */
export const finishPasskey = call(
  z.object({ response: credential, name: z.string() }),
  async (ctx: Context<PersonActor>, made) => {
    const [self, site] = [await selfOf(ctx.actor), passkeySite()];
    if (!self || !site) return signedOut;
    const added = await addPasskey(self, { site, ...made });
    return added.ok ? ok(added.value.recoveryCodes) : refuse({ type: added.refusal });
  },
);

/** The same act for the person who posts the form, in their session. */
function ofSelf<Input, Value>(act: (self: Self, input: Input) => Promise<Result<Value, FactorRefusal>>) {
  return async ({ actor }: Context<PersonActor>, input: Input) => {
    const self = await selfOf(actor);
    return self ? typedRefusal(await act(self, input)) : signedOut;
  };
}

function codesOf(value: object | undefined): Pick<ActAnswer, "recoveryCodes"> {
  // Safe because only what was added has this member.
  return value && "recoveryCodes" in value ? { recoveryCodes: (value as AddedFactor).recoveryCodes } : {};
}
