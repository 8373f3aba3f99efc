import { busyText } from "./busy.ts";
import { proofMinutes } from "#lib/access/model/proof";
import { linkHours } from "#lib/person/model/link-hours";
import { passwordCharactersMin } from "#lib/person/model/password-length";
import type { FactorRefusal } from "#lib/person/second-factor/own-factors";
import type { SsoPurpose } from "#lib/person/sso/sso-purpose";

/** The rule for a new password, shown beside its field. */
export const passwordRule = `At least ${passwordCharactersMin} characters of any kind, including spaces. Don't use your email name, the product's name, or a common password.`;

const linkOver = `This link has expired. Links work for ${linkHours} hours. Ask your admin for a new one.`;
const linkGone =
  "This link no longer works. It was used or withdrawn, or a newer one was sent. Look for a newer email, or ask your admin for a new link.";

/** Why the link of an invitation or of a new password does not work. */
export const linkRefusalText = { "link-over": linkOver, "link-gone": linkGone } as const;

type OfProvider = Readonly<Record<string, (provider: string) => string>>;

/** Why a sign-in at the provider failed, whatever it was for. */
const signOnFailures: OfProvider = {
  "no-answer": (provider) =>
    `${provider} isn't responding. Try again in a moment. If it keeps happening, tell your admin.`,
  declined: (provider) => `${provider} declined the sign-in. Nothing was changed here. You can try again.`,
  "not-accepted": (provider) =>
    `${provider} doesn't accept sign-ins from this service as it is set up there, so nothing was done. Tell your admin.`,
  "not-valid": (provider) =>
    `The response from ${provider} couldn't be verified, so nothing was done. Try again. If it keeps happening, tell your admin.`,
  "no-auth-time": (provider) =>
    `${provider} doesn't say when you last signed in there, so nothing was done. Tell your admin: its ID tokens need the auth_time claim.`,
  "not-asked-anew": (provider) =>
    `${provider} didn't ask you to sign in again, so nothing was done. Sign out there and try again. If it keeps happening, tell your admin: the provider must honor prompt=login and max_age=0.`,
  lost: () => "This was started in another browser or more than 10 minutes ago, or it's already finished. Start again.",
};

/** Why a sign-in at the provider was refused here, by what it was for. */
const signOnRefusals: Readonly<Record<SsoPurpose["kind"], OfProvider>> = {
  "sign-in": {},
  join: {
    "link-over": () => linkOver,
    "link-gone": () => linkGone,
    name: () => "Nothing was done. Enter your name on one line, up to 100 characters.",
    taken: (provider) =>
      `The account you used at ${provider} is linked to someone else here, so nothing was done. Use your own account, or ask your admin.`,
    another: (provider) =>
      `Your admin linked a different ${provider} account to you, so nothing was done. Use that account.`,
  },
  link: {
    "proof-needed": () =>
      `Nothing was linked. You verified your identity more than ${proofMinutes} minutes ago. Verify it again.`,
    taken: (provider) =>
      `The account you used at ${provider} is linked to someone else here, so nothing was linked. Use your own account.`,
    another: (provider) => `You already have a linked ${provider} account. Unlink it first.`,
  },
  prove: {
    "not-you": (provider) =>
      `That isn't the ${provider} account you sign in with here, so your identity wasn't verified.`,
    "own-factor": () => "You have a second factor here. Use it to verify your identity.",
  },
};

/**
 * Why signing in at the provider came to nothing, as the address of the page names it. Undefined where there is no such
 * reason. `provider` is what people here call the provider; a sentence may begin with it.
 */
export function signOnRefusalText(purpose: SsoPurpose["kind"], reason: unknown, provider: string): string | undefined {
  if (typeof reason !== "string") return undefined;
  const sentences = { ...signOnFailures, ...signOnRefusals[purpose] };
  const sentence = Object.hasOwn(sentences, reason) ? sentences[reason]?.(provider) : undefined;
  return sentence && `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}

/** Why a person's account of the provider was not unlinked. */
export const unlinkRefusalText = {
  "last-way": "Nothing was done. You'd have no other way to sign in.",
  "not-found": "It's no longer linked. Nothing was done.",
} as const;

type FormText = { readonly alert: string; readonly problems: Readonly<Record<string, string>> };

/** Why a person's own second factor was not changed. */
export function factorRefusalText(refusal: Exclude<FactorRefusal, "proof-needed">): FormText {
  switch (refusal) {
    case "wrong-code":
      return {
        alert: "That code is wrong, so nothing was turned on.",
        problems: {
          code: "This isn't the app's current code, which changes every 30 seconds. Check that your phone's clock is right.",
        },
      };
    case "last-way":
      return {
        alert: "Nothing was removed. You have no password, so you couldn't sign in. Add another passkey first.",
        problems: {},
      };
    case "busy":
      return { alert: busyText, problems: {} };
    case "not-found":
      return {
        alert: "This changed while the page was open, so nothing was done. The page now shows the current state.",
        problems: {},
      };
  }
}
