import type { QueueAge, QueueView } from "#lib/queue/model/queue";

/** What each view of the queue is called. */
export const viewNames: Readonly<Record<QueueView, string>> = {
  all: "All",
  mine: "Mine",
  unassigned: "Unassigned",
  urgent: "Urgent",
  expiring: "Expiring",
  person: "Needs a person",
  "sent-back": "Sent back",
  "payer-wants": "Payer wants more",
  "at-payer": "At the payer",
  decided: "Decided",
};

type ViewText = {
  /** The order, after the number of cases. */
  readonly order: string;
  readonly empty: string;
  readonly why: string;
};

const dueFirst = "what is due first";

export const viewTexts: Readonly<Record<QueueView, ViewText>> = {
  all: {
    order: dueFirst,
    empty: "Nothing is open",
    why: "What an agent sends for your practices waits here for your release.",
  },
  mine: {
    order: dueFirst,
    empty: "Nothing is assigned to you",
    why: "A case is here while it is open and yours.",
  },
  unassigned: {
    order: dueFirst,
    empty: "Nothing waits without a person",
    why: "What somebody here must act on, and nobody has taken, is here.",
  },
  urgent: {
    order: dueFirst,
    empty: "Nothing is urgent",
    why: "Open cases the agent marked urgent are here.",
  },
  expiring: {
    order: "what expires first",
    empty: "Nothing expires soon",
    why: "Gates that expire within 48 hours are here.",
  },
  person: {
    order: dueFirst,
    empty: "Nothing needs a person",
    why: "Unconfirmed sendings, payers to contact, what is sent by hand, and payers that are overdue are here.",
  },
  "sent-back": {
    order: "the oldest first",
    empty: "Nothing is sent back",
    why: "Cases that went back to their agent, and that it has not answered yet, are here.",
  },
  "payer-wants": {
    order: "the oldest first",
    empty: "No payer wants more",
    why: "Cases whose payer asked for more, and whose agent has not answered yet, are here.",
  },
  "at-payer": {
    order: "the oldest first",
    empty: "Nothing is at a payer",
    why: "Cases a payer has and has not decided are here.",
  },
  decided: {
    order: "the latest first",
    empty: "Nothing is decided yet",
    why: "Cases a payer has decided are here.",
  },
};

export const ageTexts: Readonly<Record<QueueAge, string>> = {
  "0-1": "Under a day",
  "1-3": "1 to 3 days",
  "3-7": "3 to 7 days",
  "7-": "Over 7 days",
};

/** How many cases the list at hand has; beyond a thousand nobody counts on. */
export function listedText(count: number): string {
  return count > 1000 ? "1,000+" : String(count);
}

/** How many cases a view beside it has; beyond a hundred nobody counts on. */
export function besideText(count: number): string {
  return count > 99 ? "99+" : String(count);
}
