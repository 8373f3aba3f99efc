import { CsvError, parse } from "csv-parse/sync";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { AdminRefusal } from "#lib/access/refusal";
import { practiceProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";

/** The columns of each kind of file. The first ones identify the row and are required. */
export const importColumns = {
  practices: [
    ...["id", "name", "environment", "time_zone", "recall_window_s", "gate_expiry_days"],
    ...["urgent_target_h", "standard_target_h", "npi", "tax_id"],
  ],
  routes: [
    ...["practice", "payer", "payer_name", "connector", "url", "environment"],
    ...["line_of_business", "required_fields", "settings"],
  ],
  payers: ["practice", "payer", "name", "aliases", "connector", "supports", "required_fields"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ImportKind = keyof typeof importColumns;

export const importKinds = ["practices", "routes", "payers"] as const satisfies readonly ImportKind[];

const keyColumns: Readonly<Record<ImportKind, readonly string[]>> = {
  practices: ["id"],
  routes: ["practice", "payer"],
  payers: ["practice", "payer"],
};

export function isImportKind(text: string): text is ImportKind {
  return Object.hasOwn(importColumns, text);
}

/** One row with its cells by column; a column that the file lacks is absent. */
export type CsvRow = { readonly line: number; readonly cells: Readonly<Record<string, string>> };

const bytesMax = 200_000;
const rowsMax = 500;

/**
 * Reads a CSV file (RFC 4180) with a header, in UTF-8, of at most 500 rows and 200 kB. Refuses it as a whole with the
 * field `file`.
 */
export function readCsv(kind: ImportKind, text: string): Result<readonly CsvRow[], AdminRefusal> {
  if (Buffer.byteLength(text) > bytesMax) return refuseFile(practiceProblems.kilobytes(bytesMax / 1000));
  const parsed = records(text);
  if (typeof parsed === "string") return refuseFile(parsed);
  const [head, ...rows] = parsed;
  const names = head?.cells.map((name) => name.toLowerCase()) ?? [];
  const problem = headProblem(kind, names);
  if (problem !== undefined) return refuseFile(problem);
  if (rows.length === 0) return refuseFile(practiceProblems.noRows);
  if (rows.length > rowsMax) return refuseFile(problems.listMax(rowsMax, "rows"));
  const uneven = rows.find(({ cells }) => cells.length !== names.length);
  if (uneven) return refuseFile(practiceProblems.unevenLine(uneven.line));
  return ok(
    rows.map(({ line, cells }) => ({
      line,
      cells: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""])),
    })),
  );
}

function headProblem(kind: ImportKind, names: readonly string[]): string | undefined {
  const known: readonly string[] = importColumns[kind];
  if (names.some((name) => /credential|secret|password|token/.test(name))) return practiceProblems.credentialInFile;
  const strange = names.find((name) => !known.includes(name));
  if (strange !== undefined) return practiceProblems.unknownColumn(strange.slice(0, 40), known.join(", "));
  if (new Set(names).size < names.length) return practiceProblems.columnTwice;
  const absent = keyColumns[kind].find((name) => !names.includes(name));
  return absent && practiceProblems.missingColumn(absent);
}

function records(text: string): readonly { line: number; cells: readonly string[] }[] | string {
  try {
    const found = parse(text.replaceAll(/\r\n?/g, "\n"), {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: 20_000,
    });
    // Safe because with `info` the library returns each record with the line on which it ends.
    return (found as unknown as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      line: info.lines,
      cells: record,
    }));
  } catch (error) {
    if (error instanceof CsvError) return practiceProblems.unreadableCsv(lineOf(error));
    throw error;
  }
}

function refuseFile(problem: string): Result<never, AdminRefusal> {
  return refuse({ type: "invalid", issues: [{ field: "file", problem }] });
}

/** The line on which the library stopped; undefined where it names none. */
function lineOf(error: CsvError): number | undefined {
  const line = error["lines"];
  return typeof line === "number" ? line : undefined;
}
