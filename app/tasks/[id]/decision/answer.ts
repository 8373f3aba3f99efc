import { proofField } from "#components/form/act-answer";
import { unansweredText } from "#components/form/tried";
import type { Change } from "#lib/task/refusal";

/** What the server says to a decision that did not go through; one that did is a new page. */
export type Answer = {
  readonly intent?: string | undefined;
  readonly alert?: Alert | undefined;
  /** What was typed, so that it can be shown again. */
  readonly typed: Readonly<Record<string, string>>;
  /** The case's last change at the time of the answer: once it changes again the answer is old. */
  readonly caseChangedAt?: string | undefined;
};

export type Alert = { readonly title: string; readonly text: string; readonly changes: readonly Change[] };

/** The element that says where the case stands; a decision that went through leads there. */
export const standingId = "standing";

export const noAnswer: Answer = { typed: {} };

/** The texts of a form; a proof of who somebody is is never shown again. */
export function typedIn(form: FormData): Readonly<Record<string, string>> {
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(texts.filter(([name]) => !name.startsWith("$ACTION") && name !== proofField));
}

/** Where no answer came to a decision on the case as it last changed then. */
export function unanswered(form: FormData, caseChangedAt: string, reference: string | undefined): Answer {
  const { intent, ...typed } = typedIn(form);
  const text = unansweredText("Press the button again: it counts once.", reference);
  return { intent, typed, caseChangedAt, alert: { title: "No answer came", text, changes: [] } };
}
