import type { ReportTable, Value } from "#lib/messages/reviewer/report-values";

/**
 * A table as CSV (RFC 4180) in UTF-8, with a byte order mark for spreadsheets. A duration is in seconds. A share is three
 * columns, between 0 and 1 and the two numbers it is of; in a column of different figures it is one, and there the unit of a duration stands after the name of its figure. Text that a spreadsheet would read as a formula gets a leading
 * apostrophe, which makes it text.
 */
export function reportCsv({ columns, rows }: ReportTable): string {
  const head = columns.flatMap(({ name, kind }) => headOf(name, kind)).map(quoted);
  const lines = rows.map((row) =>
    withUnit(row, columns).flatMap((value, index) => fieldsOf(value, columns[index]?.kind)),
  );
  return `\uFEFF${[head, ...lines].map((line) => `${line.join(",")}\r\n`).join("")}`;
}

/** In a table of figures of different kinds the unit of a duration stands after the figure's name. */
function withUnit(row: readonly Value[], columns: ReportTable["columns"]): readonly Value[] {
  const [name, ...values] = row;
  if (name?.kind !== "text" || !columns.some(({ kind }) => kind === "figure")) return row;
  return values.some(({ kind }) => kind === "span") ? [{ ...name, text: `${name.text} (s)` }, ...values] : row;
}

type Kind = ReportTable["columns"][number]["kind"];

function headOf(name: string, kind: Kind): readonly string[] {
  if (kind === "span") return [`${name} (s)`];
  return kind === "share" ? [name, `${name}, cases`, `${name}, of`] : [name];
}

function fieldsOf(value: Value, column: Kind | undefined): readonly string[] {
  switch (value.kind) {
    case "text":
      return [quoted(value.text)];
    case "count":
      return [numeral(value.count)];
    case "span":
      return [numeral(value.seconds)];
    case "share": {
      const { part, of } = value.share;
      const ratio = numeral(of === 0 ? null : part / of);
      return column === "share" ? [ratio, numeral(part), numeral(of)] : [ratio];
    }
  }
}

function numeral(value: number | null): string {
  return value === null ? "" : String(Number(value.toFixed(4)));
}

function quoted(value: string): string {
  const text = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
