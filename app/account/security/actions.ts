"use server";

import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { refusedAnswer, signedOutAnswer, textOf, type ActAnswer } from "#components/form/act-answer";
import { noteRefusal } from "#lib/person/session/note-refusal";
import type { AddedFactor, FactorRefusal, Self } from "#lib/person/second-factor/own-factors";
import { remakeRecoveryCodes } from "#lib/person/second-factor/own-recovery-codes";
import { beginTotp, confirmTotp, removeTotp } from "#lib/person/second-factor/own-totp";
import { beginPasskey, removePasskey, renamePasskey } from "#lib/person/second-factor/own-passkeys";
import { passkeySite } from "#lib/person/second-factor/passkey-site";
import { selfOf } from "#lib/person/session/person";
import { returnPath } from "#lib/person/session/return-path";
import type { Result } from "#lib/platform/result";
import { acting, askProof } from "#components/form/acting";

/** Sets up, turns on or removes the authenticator app of whoever sends it. */
export async function changeApp(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, (self) => {
    const intent = textOf(form, "intent");
    if (intent === "begin") return beginTotp(self);
    if (intent === "remove") return removeTotp(self);
    return confirmTotp(self, { code: textOf(form, "code") });
  });
}

export async function changeCodes(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, remakeRecoveryCodes);
}

/** Renames or removes a passkey of whoever sends it. */
export async function changePasskey(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const id = textOf(form, "id");
  return change(form, (self) =>
    textOf(form, "intent") === "remove"
      ? removePasskey(self, { id })
      : renamePasskey(self, { id, name: textOf(form, "name") }),
  );
}

/** Shows the second factor in a session that was begun without it, and goes on. */
export async function proveNow(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const { answer } = await acting(form);
  if (answer) return answer;
  redirect(returnPath(textOf(form, "next")));
}

/** What a device of whoever sends it is to make a passkey from. */
type StartAnswer = ActAnswer & { readonly passkey?: PublicKeyCredentialCreationOptionsJSON | undefined };

export async function startPasskey(_: StartAnswer, form: FormData): Promise<StartAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const [self, site] = [await selfOf(person), passkeySite()];
  if (!self || !site) return signedOutAnswer(form);
  const begun = await beginPasskey(self, site);
  if (!begun.ok) return askProof(form, person);
  return { ...refusedAnswer(form, { problems: {} }), passkey: begun.value };
}

async function change(
  form: FormData,
  act: (self: Self) => Promise<Result<AddedFactor | object | undefined, FactorRefusal>>,
): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const self = await selfOf(person);
  if (!self) return signedOutAnswer(form);
  const changed = await act(self);
  refresh();
  if (changed.ok) return { problems: {}, ...codesOf(changed.value) };
  if (changed.refusal === "proof-needed") return askProof(form, person);
  await noteRefusal(changed.refusal, person);
  return refusedAnswer(form, words(changed.refusal));
}

function codesOf(value: object | undefined): Pick<ActAnswer, "recoveryCodes"> {
  // Safe because only what was added has this member.
  return value && "recoveryCodes" in value ? { recoveryCodes: (value as AddedFactor).recoveryCodes } : {};
}

function words(refusal: FactorRefusal): Pick<ActAnswer, "alert" | "problems"> {
  if (refusal === "wrong-code") {
    const problem =
      "This is not the code the app shows now; it shows another every half minute. Check that the phone's clock is right.";
    return { alert: "Nothing was turned on: the code is wrong.", problems: { code: problem } };
  }
  if (refusal === "last-way") {
    const why = "you have no password, so nothing else would let you in. Add another passkey first.";
    return { alert: `Nothing was removed: ${why}`, problems: {} };
  }
  if (refusal === "busy") {
    return { alert: "Many people are signing in just now. Nothing was done: try again in a moment.", problems: {} };
  }
  return { alert: "This changed meanwhile; it is shown here as it is now. Nothing was done.", problems: {} };
}
