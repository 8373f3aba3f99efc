import type { Action } from "#lib/task/model/task";

type ManualText = {
  readonly title: string;
  readonly start: string;
  readonly startStep: string;
  readonly submitted: string;
  readonly submittedHint?: string | undefined;
  readonly mark: string;
};

/** What the steps of a manual submission are called. A void has names of its own, so that nobody submits the request anew. */
export const manualTexts: Readonly<Record<Action, ManualText>> = {
  transmit: {
    title: "Manual submission",
    start: "Start manual submission",
    startStep: "Start the submission",
    submitted: "Submitted",
    mark: "Mark as submitted",
  },
  void: {
    title: "Manual void",
    start: "Start manual void",
    startStep: "Start the void",
    submitted: "Void submitted",
    submittedHint: "Record it once the payer has confirmed the void: the case counts as voided from then on.",
    mark: "Mark void as submitted",
  },
};

/** What a reviewer does at the payer at this moment. */
export function manualWorkText(action: Action, authorizationNumber: string | undefined): string {
  if (action === "transmit") return "A reviewer is submitting it. Record the result here.";
  const what = authorizationNumber === undefined ? "the request" : `authorization ${authorizationNumber}`;
  return `A reviewer is voiding ${what} with the payer. Record the result here.`;
}

/** What comes next after a manual release. */
export const manualWaitText: Readonly<Record<Action, string>> = {
  transmit: "Awaiting manual submission. You can undo until it starts.",
  void: "Awaiting manual void. You can undo until it starts.",
};

/** In place of the number that a void takes away. */
export const noNumberText = (isDecided: boolean): string => (isDecided ? "Not recorded" : "None: not decided yet");
