import { codeText } from "#lib/task/model/code-words";
import { now } from "#lib/platform/now";

/** Dates and amounts of a service review as the sheet writes them; undefined where it has none. */
type Dated = { readonly fromDate?: string | undefined; readonly toDate?: string | undefined };

export function datesOf({ fromDate, toDate }: Dated): string | undefined {
  if (fromDate === undefined && toDate === undefined) return undefined;
  return fromDate === toDate || toDate === undefined ? fromDate : `${fromDate ?? "open"} to ${toDate}`;
}

type Counted = { readonly quantity?: number | undefined; readonly quantityTypeCode?: string | undefined };

export function amountOf({ quantity, quantityTypeCode: unit }: Counted): string | undefined {
  if (quantity === undefined) return undefined;
  if (unit === undefined) return `${quantity}`;
  const text = codeText("unit", unit);
  return `${quantity} ${quantity === 1 ? text : text.replace(/^[a-z]+/, "$&s")}`;
}

/** Urgent or emergency, as X12 calls the level of service. */
export function isUrgent({ serviceLevelCode }: { readonly serviceLevelCode?: string | undefined }): boolean {
  return serviceLevelCode === "U" || serviceLevelCode === "03";
}

/** Whole years, or months for the very young. */
export function ageIn(birthDate: string): string {
  const born = new Date(`${birthDate}T00:00:00Z`);
  const today = now();
  const months = (today.getUTCFullYear() - born.getUTCFullYear()) * 12 + today.getUTCMonth() - born.getUTCMonth();
  const whole = today.getUTCDate() < born.getUTCDate() ? months - 1 : months;
  return whole < 24 ? `${Math.max(whole, 0)} months` : `${Math.floor(whole / 12)} years`;
}
