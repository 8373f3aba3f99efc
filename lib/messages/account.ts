import { passwordCharactersMin } from "#lib/person/model/password-length";
import type { FactorRefusal } from "#lib/person/second-factor/own-factors";
import type { SsoPurpose } from "#lib/person/sso/sso-purpose";

/** The rule for a new password, shown beside its field. */
export const passwordRule = `At least ${passwordCharactersMin} characters, of any kind; spaces too. Not your email's name, the product's name, or one that is guessed first.`;

const linkOver = "This link has ended: it works for 72 hours. Ask your administrator for another.";
const linkGone =
  "This link does not work any more. It was used, withdrawn, a newer one was sent, or what it is for has changed since. Look for a newer mail, or ask your administrator for another.";

/** Why the link of an invitation or of a new password does not work. */
export const linkRefusalText = { "link-over": linkOver, "link-gone": linkGone } as const;

type OfProvider = Readonly<Record<string, (provider: string) => string>>;

/** Why a sign-in at the provider failed, whatever it was for. */
const signOnFailures: OfProvider = {
  "no-answer": (provider) =>
    `${provider} does not answer. Try again in a moment; if it goes on, tell your administrator.`,
  declined: (provider) => `${provider} did not let you through. Nothing happened here; you can try again.`,
  "not-valid": (provider) =>
    `What came back from ${provider} could not be verified, so nothing was done. Try again; if it goes on, tell your administrator.`,
  "no-auth-time": (provider) =>
    `${provider} does not say when it last asked who you are, so that its word is no new proof. Tell your administrator: it has to send the claim auth_time in its ID tokens.`,
  "not-asked-anew": (provider) =>
    `${provider} let you through without asking who you are, which proves nothing new. Sign out there and try again; if it goes on, tell your administrator: it has to ask where it is told prompt=login and max_age=0.`,
  lost: () =>
    "This was begun in another browser, or more than ten minutes ago, or it was ended already. Begin it again.",
};

/** Why a sign-in at the provider was refused here, by what it was for. */
const signOnRefusals: Readonly<Record<SsoPurpose["kind"], OfProvider>> = {
  "sign-in": {},
  join: {
    "link-over": () => linkOver,
    "link-gone": () => linkGone,
    name: () => "Nothing was done: write your name, in one line of up to 100 characters.",
    taken: (provider) =>
      `The account you used at ${provider} is linked to somebody else here, so nothing was done. Use your own account there, or ask your administrator.`,
    another: (provider) =>
      `You are to use another account at ${provider} than this one: your administrator linked it already. Nothing was done.`,
  },
  link: {
    "proof-needed": () => "Nothing was linked: the last proof of who you are is older than ten minutes.",
    taken: (provider) =>
      `The account you used at ${provider} is linked to somebody else here. Nothing was linked; use your own account there.`,
    another: (provider) => `Another account at ${provider} is linked to you already. Unlink that one first.`,
  },
  prove: {
    "not-you": (provider) =>
      `That was another account at ${provider} than the one that opens yours here. It proves nothing.`,
    "own-factor": () => "You have a second factor here, which proves more. Show that where you were asked.",
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
  "last-way": "Nothing was done: nothing else would let you in where you work.",
  "not-found": "It is not linked any more. Nothing was done.",
} as const;

type FormText = { readonly alert: string; readonly problems: Readonly<Record<string, string>> };

/** Why a person's own second factor was not changed. */
export function factorRefusalText(refusal: Exclude<FactorRefusal, "proof-needed">): FormText {
  switch (refusal) {
    case "wrong-code":
      return {
        alert: "Nothing was turned on: the code is wrong.",
        problems: {
          code: "This is not the code the app shows now; it shows another every half minute. Check that the phone's clock is right.",
        },
      };
    case "last-way":
      return {
        alert:
          "Nothing was removed: you have no password, so nothing else would let you in. Add another passkey first.",
        problems: {},
      };
    case "busy":
      return { alert: busyText, problems: {} };
    case "not-found":
      return { alert: "This changed meanwhile; it is shown here as it is now. Nothing was done.", problems: {} };
  }
}

/** Shown where too many people sign in or prove who they are at once. */
export const busyText = "Many people are signing in just now. Nothing was done: try again in a moment.";
