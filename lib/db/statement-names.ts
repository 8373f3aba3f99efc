import { hash } from "node:crypto";

/** Beyond these the memory they take on every connection is worth more than the time they save. */
const namesMax = 300;
const seenMax = 1000;

/** Those that read and write rows; what begins, ends or says the scope of a transaction is not planned anyway. */
const planned = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

const unnamed = "";

/**
 * Names statements from the second time they are asked for: a connection reads and plans a named one once, which takes
 * longer than most of them do. Equal texts have equal names, whoever names them; empty is no name. At most so many, since
 * a list of another length is another statement.
 */
export function statementNames(): (statement: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= namesMax || !planned.test(sql)) return unnamed;
    if (!seen.has(sql)) {
      if (seen.size >= seenMax) seen.clear();
      seen.add(sql);
      return unnamed;
    }
    seen.delete(sql);
    const name = hash("sha256", sql, "base64url");
    names.set(sql, name);
    return name;
  };
}
