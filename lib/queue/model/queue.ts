import type { Environment } from "#lib/task/model/environment";
import { states, type Action, type State } from "#lib/task/model/task";

/** The four views that the queue's page shows first, in its order; the first is the queue's own address. */
export const mainViews = ["release", "person", "at-payer", "decided"] as const;

/** The views of the queue, each with its number of cases; those beyond the main ones are in a menu. */
export const queueViews = [
  ...mainViews,
  "all",
  "mine",
  "unassigned",
  "snoozed",
  "urgent",
  "expiring",
  "sent-back",
  "payer-wants",
  "denied",
] as const;

/** The views that the home page counts and leads to. On the queue's own page they have no number. */
export const riskViews = ["past-target", "near-target", "payer-late", "ending", "failed"] as const;

/** A view with a number on the queue's page. */
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

/**
 * `urgency` puts urgent cases first and then sorts by the practice's own target, so that what is overdue leads the rest.
 * `due` sorts by the target alone, `payer` by the payer's legal deadline.
 */
export const queueSorts = ["urgency", "due", "payer"] as const;
export type QueueSort = (typeof queueSorts)[number];

type ViewTraits = {
  /** A case of it may have a running deadline of the payer: closed cases and unsubmitted ones have none. */
  readonly byPayer: boolean;
  /** Urgent cases come first in it; others have an order of their own. */
  readonly urgentFirst: boolean;
  /** It can be narrowed by urgency and assignee. */
  readonly narrows: boolean;
};

const plain: ViewTraits = { byPayer: true, urgentFirst: true, narrows: true };
const atRisk: ViewTraits = { byPayer: false, urgentFirst: false, narrows: true };

/** How each view is sorted and narrowed. */
const traits: Readonly<Record<QueueView, ViewTraits>> = {
  release: { ...plain, byPayer: false },
  person: plain,
  "at-payer": plain,
  decided: { byPayer: false, urgentFirst: false, narrows: false },
  all: plain,
  mine: plain,
  unassigned: plain,
  snoozed: { ...plain, byPayer: false, urgentFirst: false },
  urgent: { ...plain, urgentFirst: false },
  expiring: { ...plain, byPayer: false, urgentFirst: false },
  "sent-back": { ...plain, byPayer: false },
  "payer-wants": plain,
  denied: { ...plain, byPayer: false, urgentFirst: false },
  "past-target": atRisk,
  "near-target": atRisk,
  "payer-late": atRisk,
  ending: atRisk,
  failed: atRisk,
};

/** Whether a view can be sorted by the payer's legal deadline. */
export function sortsByPayer(view: QueueView): boolean {
  return traits[view].byPayer;
}

/** What awaits release and expires within these hours is in the view of what expires. */
export const expiringHours = 48;

/** The order a view has unless another is chosen: of cases with a payer it is the payer's deadline that runs. */
export function ownSort(view: QueueView): QueueSort {
  return view === "at-payer" ? "payer" : "urgency";
}

/** Whether urgent cases come first in a view sorted by urgency. */
export function putsUrgentFirst(view: QueueView): boolean {
  return traits[view].urgentFirst;
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
  /** Only urgent cases. */
  readonly urgent?: "yes" | undefined;
  /** Only cases assigned to the reader, or to nobody. */
  readonly assignee?: QueueAssignee | undefined;
  /** Only cases that reach a real payer, or that do not. */
  readonly environment?: Environment | undefined;
};

export const queueAssignees = ["me", "none"] as const;
export type QueueAssignee = (typeof queueAssignees)[number];

/**
 * Whether a list can be narrowed by urgency and assignee. Lists of closed cases can't: nobody works on them, and no
 * index of the many would find the few.
 */
export function narrowsByWork({
  view,
  state,
}: {
  readonly view: QueueView;
  readonly state?: State | undefined;
}): boolean {
  return traits[view].narrows && !(view === "all" && state !== undefined && closed.includes(state));
}

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
