import type { SnoozeChoice, SnoozeWait } from "#lib/queue/model/snooze";

/** Until when a case can be snoozed, after "Snooze until". */
export const snoozeChoiceTexts: Readonly<Record<SnoozeChoice, string>> = {
  "4-hours": "4 hours from now",
  "24-hours": "24 hours from now",
  tomorrow: "Tomorrow, 8 AM",
  monday: "Monday, 8 AM",
  payer: "The payer answers (7 days at most)",
  agent: "The agent answers (7 days at most)",
  at: "A date and time…",
};

/** What a snoozed case waits for, after until when. */
export const snoozeWaitTexts: Readonly<Record<SnoozeWait, string>> = {
  time: "",
  payer: ", or until the payer answers,",
  agent: ", or until the agent answers,",
};
