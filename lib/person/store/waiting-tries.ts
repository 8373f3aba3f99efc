import { auditDetail } from "#lib/audit/model/entry";
import type { Store } from "#lib/db/db";

/** Tries that had to wait, for one account or person from one address. */
export type WaitingTries = {
  readonly account?: string | undefined;
  readonly personId?: string | undefined;
  readonly address?: string | undefined;
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
};

/** Records these with an entry each, and with the person whose account it was. What was typed is never recorded. */
export async function recordWaitingTries(store: Store, list: readonly WaitingTries[]): Promise<void> {
  if (list.length === 0) return;
  const accounts = list.flatMap(({ account }) => account ?? []);
  const { rows } = await store.pool.query<{ id: string; email: string }>(
    "SELECT id, email FROM person WHERE email = ANY ($1::text[])",
    [accounts],
  );
  const people = new Map(rows.map(({ id, email }) => [email, id]));
  const details = list.map(({ account, personId, address, count, first, last }) => {
    const person = personId ?? (account === undefined ? undefined : people.get(account));
    return auditDetail({ person, address, waiting: true, count, first: first.toISOString(), last: last.toISOString() });
  });
  await store.pool.query(
    "SELECT audit_append('people', 'nobody', 'person.sign-in-failed', NULL, detail) FROM unnest($1::text[]) AS given (detail)",
    [details],
  );
}
