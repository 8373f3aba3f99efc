/** Kinds of mail that a person chooses about. Mail about one's own account, emergency access and changes that await a second admin always comes. */
export const notificationKinds = ["gate", "needs-person", "expiring", "assigned", "mention", "ending"] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What a mail says about a case. Nobody can turn off that of an emergency access. */
export const mailKinds = [...notificationKinds, "emergency"] as const;
export type MailKind = (typeof mailKinds)[number];

/** At once, at the next full hour, at eight in the morning of the practice, or never. */
export const deliveries = ["at-once", "hourly", "daily", "off"] as const;
export type Delivery = (typeof deliveries)[number];

/** Hours of the practice's clock, 0 to 23: from the first until the second, over midnight where the first is later. */
export type QuietHours = { readonly from: number; readonly to: number };

export type NotificationChoice = {
  readonly kinds: Readonly<Record<NotificationKind, Delivery>>;
  readonly quiet?: QuietHours | undefined;
  readonly quietWeekends: boolean;
  /** Mail about urgent requests comes in quiet hours too. */
  readonly urgentAnyway: boolean;
};

/** The same delivery for every kind, without quiet hours. */
export function everyKind(delivery: Delivery): NotificationChoice {
  const of = Object.fromEntries(notificationKinds.map((kind) => [kind, delivery]));
  // Safe because every kind has just been given its delivery.
  const kinds = of as NotificationChoice["kinds"];
  return { kinds, quietWeekends: false, urgentAnyway: true };
}
