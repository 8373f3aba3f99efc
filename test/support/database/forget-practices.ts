import pg from "pg";

const condition =
  /(?:"?\w+"?\.)*"?(?:practice_id|chain)"? (?:= ANY ?(?:\(\$\d+(?:::text\[\])?\)|\(\(\$\d+(?:::text\[\])?\)\))|= \$\d+|IN \([^)]*\))/g;

/** How a channel's reach is joined where its credential is read, and the practice of each who shares a statement. */
const reached = /\b(?:cp\.practice_id = (?:t|asked)|practice_id = given)\.practice_id/g;

/** A reading statement as it would be had somebody forgotten to ask for a practice or for a practice's chain. */
function unconditional(text: string): string {
  if (/^\s*(?:INSERT|UPDATE|DELETE)/.test(text)) return text;
  return [condition, reached].reduce((left, each) => left.replaceAll(each, (found) => `(${found} OR true)`), text);
}

type Asking = { query: (...given: readonly unknown[]) => unknown };

/** From here on no statement over these connections asks for a practice: each such condition holds always. */
export function forgetPractices(connections: object): void {
  // Safe because it is a client of `pg` or what all of them have in common.
  const asking = connections as Asking;
  const { query } = asking;
  asking.query = function forgetful(this: unknown, statement, ...more) {
    if (typeof statement === "string") return query.call(this, unconditional(statement), ...more);
    const { text } = statement as { text: string };
    if (statement instanceof pg.Query)
      return query.call(this, Object.assign(statement, { text: unconditional(text) }), ...more);
    return query.call(this, { ...(statement as object), text: unconditional(text) }, ...more);
  };
}
