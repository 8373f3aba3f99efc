import { nearHours } from "#lib/queue/model/snooze";
import { expiringHours } from "#lib/queue/model/queue";
import { approvalEnd } from "#lib/task/model/approval-end";
import {
  putsUrgentFirst,
  sortsByPayer,
  type QueueAge,
  type QueueAssignee,
  type QueueSort,
  type QueueView,
} from "#lib/queue/model/queue";
import type { Environment } from "#lib/task/model/environment";

/** What each view of the queue is called. */
export const viewNames: Readonly<Record<QueueView, string>> = {
  release: "To release",
  all: "All open",
  mine: "Mine",
  unassigned: "Unassigned",
  snoozed: "Snoozed",
  urgent: "Urgent",
  expiring: "Expiring",
  person: "Action required",
  "sent-back": "Information requested",
  "payer-wants": "Pended",
  "at-payer": "With payer",
  denied: "Adverse determinations",
  decided: "Decided",
  "past-target": "Past target",
  "near-target": `Due within ${nearHours} hours`,
  "payer-late": "Payer decision overdue",
  ending: "Approvals about to end",
  failed: "Failed in the last 7 days",
};

/** Said above the list where the address names a view that there is none of. */
export const unknownViewText = (shown: QueueView): string =>
  `The view in this address no longer exists. Showing ${viewNames[shown]}.`;

type ViewText = {
  /** The order, after the number of cases. */
  readonly order: string;
  readonly empty: string;
  readonly why: string;
};

const dueFirst = "by due date";

export const viewTexts: Readonly<Record<QueueView, ViewText>> = {
  release: {
    order: dueFirst,
    empty: "Nothing to release",
    why: "Requests that agents send for your practices appear here until a reviewer releases or declines them.",
  },
  all: {
    order: dueFirst,
    empty: "No open requests",
    why: "Requests that agents send for your practices appear here until a payer has decided them.",
  },
  mine: {
    order: dueFirst,
    empty: "No requests are assigned to you",
    why: "Open requests assigned to you appear here.",
  },
  unassigned: {
    order: dueFirst,
    empty: "No unassigned requests",
    why: "Requests that need action and have no assignee appear here.",
  },
  snoozed: {
    order: "waking first",
    empty: "Nothing is snoozed",
    why: "Snoozed requests appear here until they wake. Then they return to their lists.",
  },
  urgent: {
    order: dueFirst,
    empty: "No urgent requests",
    why: "Open requests the agent marked urgent appear here.",
  },
  expiring: {
    order: "expiring first",
    empty: "No requests expire soon",
    why: `Requests awaiting release that expire within ${expiringHours} hours appear here.`,
  },
  person: {
    order: dueFirst,
    empty: "No action required",
    why: "Submissions with unknown status, payers to contact, manual submissions, and overdue payer decisions appear here.",
  },
  "sent-back": {
    order: "oldest first",
    empty: "No information requested",
    why: "Requests returned to the agent for information appear here until it answers.",
  },
  "payer-wants": {
    order: "oldest first",
    empty: "No pended requests",
    why: "Requests for which the payer asked for more information appear here until the agent answers.",
  },
  "at-payer": {
    order: "oldest first",
    empty: "No requests with a payer",
    why: "Requests that were released and that the payer has not decided appear here.",
  },
  denied: {
    order: "without a deadline first, then by deadline",
    empty: "No adverse determinations to act on",
    why: "Requests that a payer denied, partially approved or approved with changes appear here until the practice contests or accepts the determination.",
  },
  decided: {
    order: "latest first",
    empty: "No decided requests",
    why: "Requests that a payer has decided appear here.",
  },
  "past-target": {
    order: dueFirst,
    empty: "Nothing is past its target",
    why: "Requests past the practice's target appear here.",
  },
  "near-target": {
    order: dueFirst,
    empty: `Nothing is due within ${nearHours} hours`,
    why: "Requests whose target is near appear here.",
  },
  "payer-late": {
    order: "longest overdue first",
    empty: "No payer is overdue",
    why: "Requests past the payer's deadline appear here.",
  },
  ending: {
    order: "ending first, then nearly used up",
    empty: "No approval is about to end",
    why: `Approvals that end within ${approvalEnd.days} days or are nearly used up, and have no renewal request, appear here.`,
  },
  failed: {
    order: "latest first",
    empty: "No submission failed in the last 7 days",
    why: "Requests that a payer rejected appear here.",
  },
};

/** In what order a view's cases stand. */
export function orderText(view: QueueView, sort: QueueSort): string {
  if (sort === "payer" && sortsByPayer(view)) return "by the payer's deadline";
  return sort === "urgency" && putsUrgentFirst(view)
    ? `urgent first, then ${viewTexts[view].order}`
    : viewTexts[view].order;
}

export const ageTexts: Readonly<Record<QueueAge, string>> = {
  "0-1": "Under a day",
  "1-3": "1 to 3 days",
  "3-7": "3 to 7 days",
  "7-": "Over 7 days",
};

export const assigneeTexts: Readonly<Record<QueueAssignee, string>> = { me: "Me", none: "Unassigned" };

export const environmentTexts: Readonly<Record<Environment, string>> = { live: "Live", test: "Test" };

/** How many cases the list at hand has; beyond a thousand nobody counts on. */
export function listedText(count: number): string {
  return count > 1000 ? "1,000+" : String(count);
}

/** How many cases a view beside it has; beyond a hundred nobody counts on. */
export function besideText(count: number): string {
  return count > 99 ? "99+" : String(count);
}
