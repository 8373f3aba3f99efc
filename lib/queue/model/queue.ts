import { states, type Action, type State } from "#lib/task/model/task";

/** The ways to look at the cases of a practice, in the order they are offered. */
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
  "decided",
] as const;

export type QueueView = (typeof queueViews)[number];

const closed: readonly State[] = ["determined", "voided", "withdrawn", "declined", "failed"];

/** States in which a case is over, unless something asks for a person. */
export const closedStates = states.filter((state) => closed.includes(state));
export const openStates = states.filter((state) => !closed.includes(state));

/** `due` is our own target for what waits here, `payer` the payer's legal time. */
export const queueSorts = ["due", "payer"] as const;
export type QueueSort = (typeof queueSorts)[number];

/** Whether any case of a view may have a payer's clock that runs: what is over has none, nor has what no payer got. */
export function sortsByPayer(view: QueueView): boolean {
  return view !== "decided" && view !== "expiring" && view !== "sent-back";
}

/** How long ago a case came, in days: from the first to before the second. */
export const queueAges = { "0-1": [0, 1], "1-3": [1, 3], "3-7": [3, 7], "7-": [7, undefined] } as const;
export type QueueAge = keyof typeof queueAges;

/** What narrows a view; each absent member narrows nothing. */
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

/** The action a case in this state is held for or carrying, if any. */
export function actionIn(state: State): Action | undefined {
  return actionOfState[state];
}
