import type { Action, Attention, Outcome, State } from "#lib/task/model/task";
import { Badge, type Tone } from "#components/list/badge";

/** A state, an outcome or a need for attention, as its badge says it. */
export type Word = { readonly text: string; readonly tone: Tone };

const states: Readonly<Record<State, Word>> = {
  "needs-information": { text: "Waiting for the agent", tone: "plain" },
  "transmit-held": { text: "At the transmit gate", tone: "news" },
  "transmit-released": { text: "Released to transmit", tone: "news" },
  transmitting: { text: "Transmitting", tone: "news" },
  "transmit-unconfirmed": { text: "Transmission unconfirmed", tone: "warn" },
  transmitted: { text: "At the payer", tone: "plain" },
  "payer-needs-information": { text: "Payer wants more", tone: "warn" },
  determined: { text: "Determined", tone: "plain" },
  "void-held": { text: "At the void gate", tone: "news" },
  "void-released": { text: "Released to void", tone: "news" },
  voiding: { text: "Voiding", tone: "news" },
  "void-unconfirmed": { text: "Void unconfirmed", tone: "warn" },
  voided: { text: "Voided", tone: "plain" },
  withdrawn: { text: "Withdrawn", tone: "plain" },
  declined: { text: "Declined", tone: "plain" },
  failed: { text: "Refused by the payer", tone: "bad" },
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

const outcomes: Readonly<Record<Outcome, Word>> = {
  approved: { text: "Approved", tone: "good" },
  modified: { text: "Approved with changes", tone: "warn" },
  "partially-approved": { text: "Partially approved", tone: "warn" },
  denied: { text: "Denied", tone: "bad" },
  "not-required": { text: "No authorization required", tone: "good" },
};

export const attentionText = (attention: Attention): string => attentions[attention].what;
export const outcomeText = (outcome: Outcome): string => outcomes[outcome].text;
export const stateText = (state: State): string => states[state].text;
export const stateWord = (state: State): Word => states[state];
export const outcomeWord = (outcome: Outcome): Word => outcomes[outcome];
export const attentionWord = (attention: Attention): Word => ({ text: attentions[attention].text, tone: "warn" });

export function StateBadge({ state }: { readonly state: State }) {
  return <Badge tone={states[state].tone}>{states[state].text}</Badge>;
}

export function OutcomeBadge({ outcome }: { readonly outcome: Outcome }) {
  return <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].text}</Badge>;
}

/** What a gate lets happen, in one word. */
export function actionText({ action, update }: { readonly action: Action; readonly update: boolean }): string {
  if (action === "void") return "Void";
  return update ? "Update" : "Transmit";
}
