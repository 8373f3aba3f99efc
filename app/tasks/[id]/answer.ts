import type { Change } from "#lib/tasks/refusal";

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
