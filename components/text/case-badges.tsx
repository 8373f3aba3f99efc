import { Badge, type Tone } from "#components/list/badge";
import { outcomeText } from "#lib/messages/labels/codes";
import { attentionLabel, overdueText, stateText } from "#lib/messages/reviewer/case";
import type { CaseClock } from "#lib/task/case-clock";
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

const stateBadge = (state: State): BadgeText => ({ text: stateText(state), tone: stateTones[state] });
/** The state, unless the payer owes a decision for longer than the law lets it. */
export function clockedStateBadge(state: State, clock: CaseClock | undefined): BadgeText {
  return state === "transmitted" && isPayerLate(clock) ? { text: overdueText, tone: "bad" } : stateBadge(state);
}

/** The payer is past its legal deadline and has not decided. */
export function isPayerLate(clock: CaseClock | undefined): boolean {
  return clock !== undefined && clock.legal.known && clock.legal.overdue && !clock.stoppedAt;
}

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
