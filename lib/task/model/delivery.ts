/** How a person submits an action manually. */
export const deliveries = ["portal", "phone", "fax"] as const;

export type Delivery = (typeof deliveries)[number];

/** The start of the minute of an instant, which is as exact as a person's form is. */
export function minuteOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 60_000) * 60_000);
}
