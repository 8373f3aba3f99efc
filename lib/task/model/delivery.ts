/** How a person carries an action that no wire carries. */
export const deliveries = ["portal", "phone", "fax"] as const;

export type Delivery = (typeof deliveries)[number];

/** The minute of an instant: as exactly as a person's clock and form tell it. */
export function minuteOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 60_000) * 60_000);
}
