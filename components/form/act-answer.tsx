import { linkHours } from "#lib/person/model/link-hours";

/** What the server says to a form that was not carried out; one that was leads to a new page, or shows a secret. */
export type ActAnswer = {
  readonly alert?: string | undefined;
  /** What is wrong with a field, by its name. */
  readonly problems: Readonly<Record<string, string>>;
  /** What was typed or ticked, by field, so that it can be shown again. */
  readonly typed?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Shown this one time, and kept nowhere. */
  readonly secret?: string | undefined;
  /** What the secret is and where it goes. */
  readonly secretText?: SecretText | undefined;
  /** What the change comes to, before it is made. */
  readonly review?: Review | undefined;
  /** Recovery codes, likewise. */
  readonly recoveryCodes?: readonly string[] | undefined;
  /** How whoever asked proves again who they are before it is done. */
  readonly asks?: ProofKind | undefined;
};

/** A password, the word of the provider they came through, a code of whoever has a second factor, or a passkey instead. */
export type ProofKind = "password" | "provider" | "code" | "passkey";

export type SecretText = {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  /** A command to try it with, as it stands. */
  readonly command?: { readonly label: string; readonly text: string } | undefined;
  /** Where to go once it is copied. */
  readonly done: string;
};

/** What a change adds, takes away and moves, and what has to be known before it is saved. */
export type Review = {
  readonly lines: readonly {
    readonly kind: "adds" | "removes" | "changes";
    readonly name: string;
    readonly text: string;
  }[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  /** Names exactly this change, to be sent back with it. */
  readonly seen: string;
};

export const noAnswer: ActAnswer = { problems: {} };

/** The answer to an act that made a secret; what was typed is not shown again. */
export function secretAnswer(secret: string, secretText: SecretText): ActAnswer {
  return { problems: {}, secret, secretText };
}

/** The answer that shows a person's link, where no mail took it to them. */
export function linkAnswer({
  address,
  email,
  done,
}: {
  readonly address: string;
  readonly email: string;
  readonly done: string;
}): ActAnswer {
  return secretAnswer(address, {
    title: "No email was sent. Give them this link yourself",
    text: `The link is for ${email} only. It works once, within ${linkHours} hours, and is shown only now. Anyone who has it can set the password.`,
    label: "Link",
    done,
  });
}

/** The answer to a form that was refused, holding all that was typed into it. */
export function refusedAnswer(form: FormData, refused: Pick<ActAnswer, "alert" | "problems" | "asks">): ActAnswer {
  const names = [...new Set(formOf(form).keys())].filter((name) => !name.startsWith("$ACTION") && name !== proofField);
  return { ...refused, typed: Object.fromEntries(names.map((name) => [name, textsOf(form, name)])) };
}

/** The field of a form that proves again who somebody is; what was typed into it is never sent back. */
export const proofField = "proof";

const wrongCode = "That didn't prove who you are, so nothing was saved. Each code works once.";

/** What a person reads whose proof was not accepted, by the kind of proof that was requested. */
const wrongProofs: Readonly<Record<ProofKind, string>> = {
  password: "That password wasn't accepted, so nothing was saved.",
  provider: wrongCode,
  code: wrongCode,
  passkey: wrongCode,
};

/** The answer where it takes a new proof of who somebody is, or the one given was none. */
export function proofAnswer(form: FormData, asks: ProofKind): ActAnswer {
  const wrong = textOf(form, proofField) !== "";
  const alert = wrong
    ? `${wrongProofs[asks]} After five wrong tries, wait a minute.`
    : "Verify your identity to continue. Nothing was saved yet; what you entered is still here.";
  return refusedAnswer(form, { alert, problems: {}, asks });
}

/** The answer without the secrets that were typed under these names; they are never sent back. */
export function withoutSecrets({ typed, ...answer }: ActAnswer, names: readonly string[]): ActAnswer {
  const shown = Object.entries(typed ?? {}).filter(([name]) => !names.includes(name));
  const lost = names.filter((name) => typed?.[name]?.some((text) => text !== ""));
  const kept = { ...answer, ...(typed && { typed: Object.fromEntries(shown) }) };
  if (!answer.asks || lost.length === 0) return kept;
  const again = Object.fromEntries(
    lost.map((name) => [name, "Enter it again. Secrets are never sent back to this page."]),
  );
  const alert = answer.alert?.replace("what you entered is still here.", "everything but the secret is still here.");
  return { ...kept, alert, problems: { ...answer.problems, ...again } };
}

/** The answer to whoever is signed in no more. */
export function signedOutAnswer(form: FormData): ActAnswer {
  const alert =
    "Your session has ended, so nothing was saved. Sign in again in another tab, then press the button again.";
  return refusedAnswer(form, { alert, problems: {} });
}

/** A form's one text under this name; empty where there is none. */
export function textOf(form: FormData, name: string): string {
  return textsOf(form, name)[0] ?? "";
}

/** Every text of a form under this name, such as the ticked ones of several boxes. */
function textsOf(form: FormData, name: string): readonly string[] {
  return formOf(form)
    .getAll(name)
    .filter((value) => typeof value === "string");
}

/** The form an action was posted with; an empty form if the posted body is not a form. */
export function formOf(posted: FormData): FormData {
  return posted instanceof FormData ? posted : new FormData();
}
