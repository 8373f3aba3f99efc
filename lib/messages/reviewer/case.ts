import { attentions as knownAttentions, type Action, type Attention, type State } from "#lib/task/model/task";

const states: Readonly<Record<State, string>> = {
  "needs-information": "Waiting for the agent",
  "transmit-held": "Awaiting release",
  "transmit-released": "Released",
  transmitting: "Submitting",
  "transmit-unconfirmed": "Submission status unknown",
  transmitted: "With payer",
  "payer-needs-information": "Pended: information requested",
  determined: "Determined",
  "void-held": "Void awaiting release",
  "void-released": "Void released",
  voiding: "Voiding",
  "void-unconfirmed": "Void status unknown",
  voided: "Voided",
  withdrawn: "Withdrawn",
  declined: "Declined",
  failed: "Payer rejected",
};

const attentions: Readonly<Record<Attention, { readonly text: string; readonly what: string }>> = {
  unconfirmed: {
    text: "Submission status unknown",
    what: "It was submitted, and it isn't known whether the payer has it. Ask the payer, and record what it says.",
  },
  "contact-payer": { text: "Contact payer", what: "The payer asks to be contacted before it decides." },
  "manual-submission": {
    text: "Manual submission",
    what: "Released. Submit it by portal, phone or fax, and record it here.",
  },
  "channel-revoked": {
    text: "Agent access revoked",
    what: "The channel that sent this may no longer act for the practice. Take ownership of the case to release it, or decline it.",
  },
  "late-answer": {
    text: "Late answer",
    what: "The payer answered after this case ended. Read the answer and follow up.",
  },
  "unordered-answer": {
    text: "Answers out of order",
    what: "The order of the payer's answers is unknown. Ask the payer which one applies, and record it.",
  },
  "lost-submission": {
    text: "Submission not on record",
    what: "The database was restored from an earlier state, and the payer may have a submission that is not in it. Ask the payer before you release anything.",
  },
  "unreadable-answer": {
    text: "Unreadable answer",
    what: "The payer's answer wasn't understood. Ask the payer what it decided, and record it.",
  },
};

/** The state of a case in a few words, for a badge or a list. */
export const stateText = (state: State): string => states[state];

/** In place of the state, where the payer has gone past its legal deadline: then it is a person who moves next. */
export const overdueText = "Payer decision overdue";

/** Of a first request that nobody decided on in time. */
export const expiredText = "It expired before a reviewer decided.";

/** Who moves next while the payer has the request. */
export const payerStepText = (isOverdue: boolean): string =>
  isOverdue ? "Next step: contact the payer about its overdue decision." : "Next step: the payer decides.";

/** What the payer decided, in a few words. */

/** What is said otherwise while a void is under way. */
const voidAttentions: Readonly<Partial<typeof attentions>> = {
  "manual-submission": {
    text: "Manual void",
    what: "The void is released. Void it with the payer by portal, phone or fax, and record it here.",
  },
  unconfirmed: {
    text: "Void status unknown",
    what: "The void was submitted, and it isn't known whether the payer has it. Ask the payer, and record what it says.",
  },
};

function attentionTexts(attention: Attention, state: State) {
  return (isVoiding(state) ? voidAttentions[attention] : undefined) ?? attentions[attention];
}

/** A void is released, under way or in doubt. */
function isVoiding(state: State): boolean {
  return state === "void-released" || state === "voiding" || state === "void-unconfirmed";
}

/** Why a case needs a person, in a few words. */
export const attentionLabel = (attention: Attention, state: State): string => attentionTexts(attention, state).text;

/** The same of a stored reason; undefined where this version does not know it. */
export function knownAttentionLabel(attention: string, state: string): string | undefined {
  const known = knownAttentions.find((one) => one === attention);
  // Safe because a state is only looked up among those of a void.
  return known && attentionLabel(known, state as State);
}

/** What that person should do. */
export const attentionText = (attention: Attention, state: State): string => attentionTexts(attention, state).what;

/** What a gate lets happen, in one word. */
export function actionText({ action, update }: { readonly action: Action; readonly update: boolean }): string {
  if (action === "void") return "Void";
  return update ? "Update" : "Submit";
}

/** Whose words the provider notes are, and whether the payer has them. */
export const providerNotesAside = (isSubmitted: boolean): string =>
  `Written by the agent. ${isSubmitted ? "Submitted to the payer." : "Included in the submission."}`;
