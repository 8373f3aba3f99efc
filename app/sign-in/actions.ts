"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import type { ActAnswer } from "#components/form/act-answer";
import { visitorAction, visitorCall } from "#components/form/action";
import { credential, text } from "#components/form/form-schema";
import type { SignInFailure } from "#lib/person/session/begin-session";
import { returnPath } from "#lib/person/session/return-path";
import type { SecondStepRefusal } from "#lib/person/sign-in/finish-sign-in";
import {
  requestSignInSignature,
  takeBothSteps,
  takeFirstStep,
  takeSecondStep,
} from "#lib/person/sign-in/sign-in-steps";
import { instruments } from "#lib/platform/metrics/instruments";

/** What the sign-in form shows again after an attempt that failed; never the password. */
export type SignInAnswer = ActAnswer & { readonly problem?: SignInFailure };

/** Signs in and goes on to where the person was heading. Every failure looks the same. */
export const signIn = visitorAction(z.object({ email: text, password: text, next: text }), takeFirstStep, {
  done: ({ path }) => path,
  refused: ({ type }): SignInAnswer => ({ problems: {}, problem: type }),
  secrets: ["password"],
  counted: ({ type }) => countRefusal(type),
});

/** What the second step shows again after an attempt that failed. */
export type SecondAnswer = ActAnswer & { readonly problem?: Exclude<SecondStepRefusal, "over"> };

/** The second step: a code of an app or a recovery code. A ticket that is over leads back to the first. */
export const showCode = visitorAction(z.object({ code: text, next: text }), takeSecondStep, {
  done: ({ path }) => path,
  refused: ({ type }, { next }): SecondAnswer =>
    type === "over"
      ? redirect(`/sign-in?over=1&next=${encodeURIComponent(returnPath(next))}`)
      : { problems: {}, problem: type },
  secrets: ["code"],
  counted: ({ type }) => countRefusal(`second-${type}`),
});

/** What a passkey of this browser is to sign. */
export const askSignIn = visitorCall(z.unknown(), requestSignInSignature);

/** Signs in by what it signed, and goes on. */
export const signInByPasskey = visitorCall(z.object({ response: credential, next: z.string() }), takeBothSteps, {
  done: ({ path }) => path,
});

function countRefusal(reason: string): void {
  instruments().signInRefusals.inc({ reason });
}
