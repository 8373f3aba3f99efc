import { dayText } from "#lib/messages/labels/instant";
import { codeWord } from "#lib/messages/labels/codes";
import { now } from "#lib/platform/now";
import { dayIn } from "#lib/platform/zoned-time";

/** Dates and amounts of a service review as the pages write them; undefined where it has none. */
export type DateRange = { readonly fromDate?: string | undefined; readonly toDate?: string | undefined };

export function datesOf({ fromDate, toDate }: DateRange): string | undefined {
  if (fromDate === undefined && toDate === undefined) return undefined;
  if (fromDate === toDate || toDate === undefined) return fromDate && dayText(fromDate);
  return `${fromDate === undefined ? "open" : dayText(fromDate)} to ${dayText(toDate)}`;
}

export type Quantity = { readonly quantity?: number | undefined; readonly quantityTypeCode?: string | undefined };

export function amountOf({ quantity, quantityTypeCode: unit }: Quantity): string | undefined {
  if (quantity === undefined) return undefined;
  if (unit === undefined) return `${quantity}`;
  const word = codeWord("unit", unit);
  if (word === undefined) return `${quantity} ${unit}`;
  return `${quantity} ${quantity === 1 ? word : `${word}s`}`;
}

/** Urgent or emergency, as X12 calls the level of service. */
export function isUrgent({ serviceLevelCode }: { readonly serviceLevelCode?: string | undefined }): boolean {
  return serviceLevelCode === "U" || serviceLevelCode === "03";
}

/** Whole years, or months for the very young, on the day that it is at the practice. */
export function ageIn(birthDate: string, zone: string): string {
  const born = new Date(`${birthDate}T00:00:00Z`);
  const today = new Date(`${dayIn(zone, now())}T00:00:00Z`);
  const months = (today.getUTCFullYear() - born.getUTCFullYear()) * 12 + today.getUTCMonth() - born.getUTCMonth();
  const whole = today.getUTCDate() < born.getUTCDate() ? months - 1 : months;
  if (whole >= 24) return `${Math.floor(whole / 12)} years`;
  return whole === 1 ? "1 month" : `${Math.max(whole, 0)} months`;
}

type PersonName = {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly organizationName?: string | undefined;
};

/** A person or organization by name; undefined where none is given. */
export function nameOf(of: PersonName | undefined): string | undefined {
  const names = [of?.firstName, of?.lastName].filter((name) => name !== undefined).join(" ");
  return names || of?.organizationName || undefined;
}
