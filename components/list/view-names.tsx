import type { QueueView } from "#lib/queue/model/queue";

/** What each way to look at the queue is called. */
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
