import { parse } from "libpg-query";
import { trouble } from "../processes/report.mjs";

/** One statement of a migration, which is one step of it. */
export type Statement = {
  readonly text: string;
  /** The line of the file on which it begins, counted from 1. */
  readonly line: number;
  /** Postgres runs it in no transaction block; it locks nobody out and waits for as long as it takes. */
  readonly isConcurrent: boolean;
  /** The index it makes without a block, which is left invalid where it was cut short. */
  readonly index?: string | undefined;
};

type Node = Readonly<Record<string, { readonly concurrent?: boolean; readonly idxname?: string } | undefined>>;

/** The statements of a migration in their order, by Postgres's own parser. Refuses a file that is no SQL, by its line. */
export async function statementsOf(name: string, sql: string): Promise<readonly Statement[]> {
  // The parser counts bytes.
  const bytes = Buffer.from(sql);
  const textBefore = (end: number) => bytes.subarray(0, end).toString();
  try {
    const { stmts = [] } = await parse(sql);
    return stmts.map(({ stmt, stmt_location: start = 0, stmt_len: length = bytes.length - start }) => {
      const text = bytes.subarray(start, start + length).toString();
      const leading = text.length - withoutComments(text).length;
      // Safe because a parsed statement is an object with its kind as the only member.
      const [[kind, node] = ["", undefined]] = Object.entries(stmt as Node);
      const isConcurrent = node?.concurrent === true;
      return {
        text: text.trim(),
        line: textBefore(start).split("\n").length + text.slice(0, leading).split("\n").length - 1,
        isConcurrent,
        index: kind === "IndexStmt" && isConcurrent ? node?.idxname : undefined,
      };
    });
  } catch (error) {
    const { message, sqlDetails } = error as Error & { sqlDetails?: { readonly cursorPosition?: number } };
    const at = textBefore(sqlDetails?.cursorPosition ?? 0).split("\n").length;
    throw trouble(
      `The migration ${name} cannot be read (${message}, line ${at}), and nothing was changed: correct it and start again.`,
    );
  }
}

/** What follows the comments and blanks before a statement. */
function withoutComments(text: string): string {
  return text.replace(/^(?:\s+|--[^\n]*\n|\/\*[^]*?\*\/)+/, "");
}
