import type { ColumnKind, Value } from "#lib/messages/reviewer/health-tables";

/** How long, with one digit where a whole number would say too little. */
export function spanText(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)}\u00A0s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)}\u00A0min`;
  if (seconds < 48 * 3600) return `${(seconds / 3600).toFixed(1)}\u00A0h`;
  return `${(seconds / (24 * 3600)).toFixed(1)}\u00A0d`;
}

export function shareText(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

export const countText = (count: number): string => count.toLocaleString("en-US");

/** A value as its column shows it. */
export function valueText(value: Value, kind: ColumnKind): string {
  if (value === null) return "–";
  if (typeof value === "string") return value;
  if (kind === "span") return spanText(value);
  return kind === "share" ? shareText(value) : countText(value);
}
