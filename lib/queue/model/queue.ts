import { states, type Action, type State } from "#lib/task/model/task";

/** The views of the queue, in the order of the page. */
export const queueViews = [
  "all",
  "mine",
  "unassigned",
  "urgent",
  "expiring",
  "person",
  "sent-back",
  "payer-wants",
  "at-payer",
  "denied",
  "decided",
] as const;

/** The views that the home page counts and leads to. They are not in the row of views on the queue's own page. */
export const riskViews = ["past-target", "near-target", "payer-late", "ending", "failed"] as const;

/** A view with a place in the row of views. */
export type TabView = (typeof queueViews)[number];
export type RiskView = (typeof riskViews)[number];
export type QueueView = TabView | RiskView;

export function isRiskView(view: QueueView): view is RiskView {
  return riskViews.some((known) => known === view);
}

const closed: readonly State[] = ["determined", "voided", "withdrawn", "declined", "failed"];

/** States in which a case is closed, unless it needs a person. */
export const closedStates = states.filter((state) => closed.includes(state));
export const openStates = states.filter((state) => !closed.includes(state));

/** `due` sorts by the practice's own target, `payer` by the payer's legal deadline. */
export const queueSorts = ["due", "payer"] as const;
export type QueueSort = (typeof queueSorts)[number];

/** Whether a case of this view may have a running deadline of the payer: closed cases and unsubmitted ones have none. */
export function sortsByPayer(view: QueueView): boolean {
  if (isRiskView(view)) return false;
  return view !== "decided" && view !== "denied" && view !== "expiring" && view !== "sent-back";
}

/** The age of a case in days: at least the first number and less than the second. */
export const queueAges = { "0-1": [0, 1], "1-3": [1, 3], "3-7": [3, 7], "7-": [7, undefined] } as const;
export type QueueAge = keyof typeof queueAges;

/** The filters of a view; an absent member does not filter. */
export type QueueFilters = {
  readonly practice?: string | undefined;
  readonly payer?: string | undefined;
  readonly action?: Action | undefined;
  readonly state?: State | undefined;
  readonly channel?: string | undefined;
  readonly code?: string | undefined;
  readonly age?: QueueAge | undefined;
};

const actionOfState: Readonly<Partial<Record<State, Action>>> = {
  "transmit-held": "transmit",
  "transmit-released": "transmit",
  transmitting: "transmit",
  "transmit-unconfirmed": "transmit",
  "void-held": "void",
  "void-released": "void",
  voiding: "void",
  "void-unconfirmed": "void",
};

/** The action that a case in this state is held for or is being submitted for, if any. */
export function actionIn(state: State): Action | undefined {
  return actionOfState[state];
}
