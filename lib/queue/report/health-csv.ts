import type { HealthTable, Value } from "#lib/messages/reviewer/health-tables";

/**
 * A table as CSV (RFC 4180) in UTF-8, with a byte order mark for spreadsheets. Durations are in seconds, shares between 0
 * and 1. Text that a spreadsheet would read as a formula gets a leading apostrophe, which makes it text.
 */
export function healthCsv({ columns, rows }: HealthTable): string {
  const head = columns.map(({ name, kind }) => (kind === "span" ? `${name} (s)` : name));
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(fieldOf).join(",")}\r\n`).join("")}`;
}

function fieldOf(value: Value): string {
  if (value === null) return "";
  if (typeof value === "number") return String(Number(value.toFixed(4)));
  const text = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
