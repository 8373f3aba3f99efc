import type { Db } from "#lib/db/db";
import { memberHash } from "#lib/db/sealed";
import { statementNames } from "#lib/db/statement-names";
import type { SearchTerm } from "#lib/queue/model/search-terms";
import { caseToken } from "#lib/task/shared/case-token";

/** Collects the parameters of a statement while its text is written. */
export class Values {
  readonly list: unknown[] = [];
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }

  /** The hashes under which these practices know a member. */
  addMember(memberId: string, practices: readonly string[]): string {
    return this.add(practices.map((practiceId) => memberHash(this.#db, memberId, practiceId)));
  }

  /** What these practices keep in place of a term, in their order. */
  addTerm(term: SearchTerm, practices: readonly string[]): string {
    return this.add(practices.map((practiceId) => caseToken(this.#db, term, practiceId)));
  }
}

const nameOf = statementNames();

/**
 * Named, because people use few combinations of views, sorts and filters, and planning a statement takes as long as
 * reading a page.
 */
export const named = (statement: { text: string; values: unknown[] }) => ({
  name: nameOf({ sql: statement.text }),
  ...statement,
});
