import type { Delivery, NotificationKind } from "#lib/person/model/notification";

/** What each kind of mail is about. */
export const notificationLabels: Readonly<Record<NotificationKind, string>> = {
  gate: "A request awaits release",
  "needs-person": "Action is required on a request",
  expiring: "A request awaiting release is about to expire",
  assigned: "A request is assigned to me",
  mention: "A note mentions me",
  ending: "An approval is about to end or be used up",
};

export const deliveryLabels: Readonly<Record<Delivery, string>> = {
  "at-once": "At once",
  hourly: "Hourly digest",
  daily: "Daily digest, 8 AM",
  off: "Never",
};

/** An hour of the day as people say it. */
export const hourText = (hour: number): string => `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? "AM" : "PM"}`;
