import type { Action, Attention, Outcome, State } from "#lib/task/model/task";

const states: Readonly<Record<State, string>> = {
  "needs-information": "Waiting for the agent",
  "transmit-held": "At the transmit gate",
  "transmit-released": "Released to transmit",
  transmitting: "Transmitting",
  "transmit-unconfirmed": "Transmission unconfirmed",
  transmitted: "At the payer",
  "payer-needs-information": "Payer wants more",
  determined: "Determined",
  "void-held": "At the void gate",
  "void-released": "Released to void",
  voiding: "Voiding",
  "void-unconfirmed": "Void unconfirmed",
  voided: "Voided",
  withdrawn: "Withdrawn",
  declined: "Declined",
  failed: "Refused by the payer",
};

const attentions: Readonly<Record<Attention, { readonly text: string; readonly what: string }>> = {
  unconfirmed: {
    text: "Unconfirmed",
    what: "It was sent and no answer was understood. Ask the payer whether it has this, and record what it says.",
  },
  "contact-payer": { text: "Contact payer", what: "The payer asks to be contacted before it decides." },
  "send-by-hand": { text: "Send by hand", what: "Released, and waiting for a person to carry it to the payer." },
  "channel-revoked": {
    text: "Channel lost its rights",
    what: "The channel that asked for this may no longer act for the practice. Adopt the case to release it, or decline it.",
  },
  "late-answer": {
    text: "Late answer",
    what: "The payer answered after this case had ended. Read the answer and see to it.",
  },
  "unordered-answer": {
    text: "Answers out of order",
    what: "The payer's answers cannot be put in order. Find out which one holds, and record it.",
  },
  "lost-submission": {
    text: "Submission not on record",
    what: "The database was restored from an earlier state, and the payer may have a submission that is not in it. Ask the payer before you release anything.",
  },
  "unreadable-answer": {
    text: "Unreadable answer",
    what: "The payer's answer was not understood. Find out what it decided.",
  },
};

const outcomes: Readonly<Record<Outcome, string>> = {
  approved: "Approved",
  modified: "Approved with changes",
  "partially-approved": "Partially approved",
  denied: "Denied",
  "not-required": "No authorization required",
};

/** The state of a case in a few words, for a badge or a list. */
export const stateText = (state: State): string => states[state];

/** What the payer decided, in a few words. */
export const outcomeText = (outcome: Outcome): string => outcomes[outcome];

/** Why a case needs a person, in a few words. */
export const attentionLabel = (attention: Attention): string => attentions[attention].text;

/** What that person should do. */
export const attentionText = (attention: Attention): string => attentions[attention].what;

/** What a gate lets happen, in one word. */
export function actionText({ action, update }: { readonly action: Action; readonly update: boolean }): string {
  if (action === "void") return "Void";
  return update ? "Update" : "Transmit";
}
