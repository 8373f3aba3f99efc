import type { HealthTable, Value } from "./health-tables.ts";

/**
 * A table as CSV (RFC 4180) in UTF-8, marked as such for spreadsheets. Spans are in seconds and shares parts of 1. Text
 * a spreadsheet would take for a formula begins with an apostrophe, which makes it text.
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
