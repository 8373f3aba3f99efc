import { arrayText } from "./scope.ts";
import { binaryArray, type BinaryType } from "#lib/platform/clever/binary-array";

type ColumnType = BinaryType | "inet" | "text[]";

/** Rows a statement is given, column by column in Postgres's types. */
export type Columns = Readonly<Record<string, ColumnType>>;

type RowOf<Of extends Columns> = { readonly [Name in keyof Of]: unknown };
type Query = { readonly name: string; readonly text: string; readonly values: unknown[] };

/**
 * A named statement over rows given to it as a relation: one as plain
 * parameters, which costs the least, many as a list for each column. Beside
 * its columns a row has `n`, its number counted from 1. The text is written
 * apart for one row and for many, since what many need costs the one time.
 */
export function batchStatement<Of extends Columns>(
  name: string,
  columns: Of,
  textOver: (given: string, many: boolean) => string,
): (rows: readonly RowOf<Of>[]) => Query {
  const names = Object.keys(columns);
  const one = textOver(overOne(columns), false);
  const many = textOver(overMany(columns), true);
  return (rows) => {
    const [only, ...others] = rows;
    if (only && others.length === 0) return { name, text: one, values: names.map((column) => only[column]) };
    const values = Object.entries(columns).map(([column, type]) =>
      listOf(
        type,
        rows.map((row) => row[column]),
      ),
    );
    return { name: `${name}-many`, text: many, values };
  };
}

/** A look-up of one row, for many: each by itself, so that none is ever answered by reading whole tables. */
export function eachSeparately(lookUp: (given: string) => string): (given: string, many: boolean) => string {
  return (given, many) =>
    many
      ? `SELECT one.* FROM ${given} given CROSS JOIN LATERAL (${lookUp("(SELECT given.*)")} LIMIT 1) one`
      : lookUp(given);
}

function overOne(columns: Columns): string {
  const given = Object.entries(columns).map(([name, type], index) => `$${index + 1}::${type} AS ${name}`);
  return `(SELECT ${given.join(", ")}, 1 AS n)`;
}

/** A list within a list would be flattened, so each goes as the text of an array. */
function overMany(columns: Columns): string {
  const names = Object.keys(columns);
  const taken = Object.entries(columns).map(([name, type]) => (isBinary(type) ? name : `${name}::${type}`));
  const lists = Object.values(columns).map((type, index) => `$${index + 1}::${isBinary(type) ? type : "text"}[]`);
  return `(SELECT ${taken.join(", ")}, n::int FROM unnest(${lists.join(", ")}) WITH ORDINALITY AS lists (${names.join(", ")}, n))`;
}

function listOf(type: ColumnType, items: readonly unknown[]): Buffer {
  if (isBinary(type)) return binaryArray(type, items);
  return binaryArray("text", type === "text[]" ? items.map(textOf) : items);
}

function textOf(items: unknown): string | null {
  return Array.isArray(items) ? arrayText(items.map(String)) : null;
}

function isBinary(type: ColumnType): type is BinaryType {
  return type !== "inet" && type !== "text[]";
}
