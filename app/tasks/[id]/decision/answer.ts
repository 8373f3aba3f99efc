import { refusedAnswer, type ActAnswer } from "#components/form/act-answer";
import { unansweredText } from "#components/form/tried";
import type { Change } from "#lib/task/refusal";

/** What the server says to a decision that did not go through; one that did is a new page. */
export type DecisionAnswer = ActAnswer & {
  readonly title?: string | undefined;
  /** What changed since the page was opened, where that is why. */
  readonly changes?: readonly Change[] | undefined;
  /** The case's last change at the time of the answer: once it changes again the answer is old. */
  readonly caseChangedAt?: string | undefined;
};

/** The element that says where the case stands; a decision that went through leads there. */
export const standingId = "standing";

/** Where no answer came to a decision on the case as it last changed then. */
export function unanswered(form: FormData, caseChangedAt: string, reference: string | undefined): DecisionAnswer {
  const alert = unansweredText("Press the button again: it counts once.", reference);
  return { ...refusedAnswer(form, { alert, problems: {} }), title: "No answer came", caseChangedAt };
}

/** A form that was not understood has problems and no alert. */
export function isRefused({ alert, problems }: ActAnswer): boolean {
  return alert !== undefined || Object.keys(problems).length > 0;
}

/** What was typed under a name into the form that asked; undefined if another form did. */
export function typedIn({ typed }: ActAnswer, intent: string, name: string): string | undefined {
  return typed?.intent?.[0] === intent ? typed[name]?.[0] : undefined;
}
