/** A statement with its parameters, prepared under its name; without one, under a name of its own from the second time on. */
export type Statement = {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Nothing follows it in its transaction, so that a plain one is committed with it. */
  readonly isLast?: boolean | undefined;
  /** How it is asked for several at once, where a transaction is shared. */
  readonly many?: ManyForm | undefined;
};

/** One statement for several of a kind; `takes`: how many of the values of each count. Behind them comes the practice of each. */
type ManyForm = { readonly name: string; readonly text: string; readonly takes: number };

/**
 * Makes of a statement, whose parameters have these types, the same for many: each by itself, in the order in which they were
 * asked for, so that none is ever answered by reading whole tables. `ask_n` counts them from 1. A list goes as the text of an
 * array, since one within another would be flattened. `given.practice` is the practice of who asked, for a text that would
 * otherwise rely on row security, which lets a shared transaction see the practices of all.
 */
export function forMany(
  name: string,
  text: string,
  { types, rows = 1 }: { readonly types: readonly string[]; readonly rows?: number | "any" },
): ManyForm {
  const given = types.map((_, index) => `p${index + 1}`);
  const lists = [...types, "text"].map((type, index) => `$${index + 1}::${type}[]`);
  const each = text.replaceAll(/\$(\d+)/g, "given.p$1");
  const most = rows === "any" ? "" : ` LIMIT ${rows}`;
  return {
    name: `${name}-many`,
    takes: types.length,
    text: `SELECT given.n::int AS ask_n, one.*
      FROM unnest(${lists.join(", ")}) WITH ORDINALITY AS given (${given.join(", ")}, practice, n)
     CROSS JOIN LATERAL (SELECT * FROM (${each}) each${most}) one`,
  };
}
