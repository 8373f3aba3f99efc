import { appendAudit } from "./audit.ts";
import { inTransaction, type Store } from "./db.ts";
import { personActor } from "./people.ts";
import { accountFailuresMax } from "./sign-in-failures.ts";

/**
 * Counts a try before it is looked at, with the wrong passwords of the same account; false where the account has to
 * wait. One statement decides, so that however many come at once, no more are looked at than one after the other.
 */
export async function takeTry(store: Store, account: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `INSERT INTO sign_in_failure (subject, count, last_at) VALUES ($1, 1, clock_timestamp())
     ON CONFLICT (subject) DO UPDATE SET count = sign_in_failure.count + 1, last_at = clock_timestamp()
      WHERE sign_in_failure.count < $2 OR sign_in_failure.last_at
            < clock_timestamp() - least(interval '15 minutes', interval '1 minute' * power(2, least(sign_in_failure.count - $2, 4)))`,
    [account, accountFailuresMax],
  );
  return rowCount === 1;
}

/** Puts on record that a second factor was not shown; never what was typed. */
export async function recordWrongFactor(store: Store, personId: string): Promise<void> {
  await inTransaction(store, (tx) =>
    appendAudit(tx, {
      chain: "people",
      actor: personActor(personId),
      act: "person.second-factor-failed",
      detail: { person: personId },
    }),
  );
}
