import { Badge, type Tone } from "#components/list/badge";
import { attentionLabel, outcomeText, stateText } from "#lib/messages/reviewer/case";
import type { Attention, Outcome, State } from "#lib/task/model/task";

/** A state, an outcome or a need for attention, as its badge shows it. */
export type BadgeText = { readonly text: string; readonly tone: Tone };

/** Of what no person released: test data, in a practice that has it so. */
export const autoReleasedBadge: BadgeText = { text: "Auto-released", tone: "warn" };

const stateTones: Readonly<Record<State, Tone>> = {
  "needs-information": "plain",
  "transmit-held": "news",
  "transmit-released": "news",
  transmitting: "news",
  "transmit-unconfirmed": "warn",
  transmitted: "plain",
  "payer-needs-information": "warn",
  determined: "plain",
  "void-held": "news",
  "void-released": "news",
  voiding: "news",
  "void-unconfirmed": "warn",
  voided: "plain",
  withdrawn: "plain",
  declined: "plain",
  failed: "bad",
};

const outcomeTones: Readonly<Record<Outcome, Tone>> = {
  approved: "good",
  modified: "warn",
  "partially-approved": "warn",
  denied: "bad",
  "not-required": "good",
};

export const stateBadge = (state: State): BadgeText => ({ text: stateText(state), tone: stateTones[state] });
export const outcomeBadge = (outcome: Outcome): BadgeText => ({
  text: outcomeText(outcome),
  tone: outcomeTones[outcome],
});
export const attentionBadge = (attention: Attention, state: State): BadgeText => ({
  text: attentionLabel(attention, state),
  tone: "warn",
});

export function StateBadge({ state }: { readonly state: State }) {
  return <Badge tone={stateTones[state]}>{stateText(state)}</Badge>;
}

export function OutcomeBadge({ outcome }: { readonly outcome: Outcome }) {
  return <Badge tone={outcomeTones[outcome]}>{outcomeText(outcome)}</Badge>;
}
