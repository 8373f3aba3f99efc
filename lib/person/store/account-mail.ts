import type { AccountChange } from "#lib/person/model/account-change";
import { detailJson } from "#lib/audit/model/entry";
import { inTransaction, type Store } from "#lib/db/db";
import { claimed, dueOf, dueTo, leaseS, type DueMailFor } from "./mail-outbox.ts";
import { acrossPractices } from "#lib/db/for-practices";

/** How many entries are read at once. */
const entriesMax = 500;

/** SQL: what an audit entry tells its person by mail; nothing for most acts. */
const changeOf = `CASE act
  WHEN 'person.second-factor-added' THEN CASE detail ->> 'kind' WHEN 'passkey' THEN 'passkey-added' ELSE 'app-added' END
  WHEN 'person.second-factor-removed' THEN CASE detail ->> 'kind' WHEN 'passkey' THEN 'passkey-removed' ELSE 'app-removed' END
  WHEN 'person.recovery-codes-made' THEN 'codes-made'
  WHEN 'person.second-factors-reset' THEN 'reset'
  WHEN 'person.password-chosen' THEN 'password-chosen'
  WHEN 'person.linked' THEN 'linked'
  WHEN 'person.unlinked' THEN 'unlinked'
  WHEN 'person.signed-in' THEN CASE detail ->> 'by' WHEN 'recovery-code' THEN 'code-used' END
  WHEN 'person.proved-again' THEN CASE detail ->> 'by' WHEN 'recovery-code' THEN 'code-used' END END`;

/**
 * Reads on in the audit chain of people, and notes whom to mail about a change in how they sign in, whatever mail they
 * chose. Because it follows the audit log, no kind of change can be forgotten. The first run only notes where it
 * begins.
 */
export async function noticeAccountChanges(store: Store): Promise<void> {
  const { rows } = await acrossPractices(store, "mail").pool.query<{ head: string; seq: string | null }>(
    `SELECT coalesce((SELECT seq FROM audit_entry WHERE chain = 'people' ORDER BY seq DESC LIMIT 1), 0) AS head,
            (SELECT seq FROM account_mail_cursor WHERE chain = 'people') AS seq`,
  );
  const { head, seq } = rows[0] ?? { head: "0", seq: null };
  if (seq === null) {
    const begin = "INSERT INTO account_mail_cursor (chain, seq) VALUES ('people', $1) ON CONFLICT DO NOTHING";
    await acrossPractices(store, "mail").pool.query(begin, [head]);
  } else if (BigInt(head) > BigInt(seq)) {
    await readOn(store);
  }
}

async function readOn(store: Store): Promise<void> {
  await inTransaction(acrossPractices(store, "mail"), async (tx) => {
    // Locked by another worker that is reading on.
    const [cursor] = await tx.$queryRaw<{ seq: bigint }[]>`
      SELECT seq FROM account_mail_cursor WHERE chain = 'people' FOR UPDATE SKIP LOCKED`;
    if (!cursor) return;
    await tx.$executeRawUnsafe(
      `WITH entry AS MATERIALIZED (
         SELECT seq, at, actor, act, ${detailJson("detail")} AS detail FROM audit_entry WHERE chain = 'people' AND seq > $1 ORDER BY seq LIMIT $2
       ), told AS (
         INSERT INTO mail (id, person_id, kind, about, status, due_at, created_at)
         SELECT gen_random_uuid(), p.id, 'account', ${changeOf} || ':' || entry.seq, 'waiting', clock_timestamp(), entry.at
           FROM entry JOIN person p ON p.id::text = coalesce(entry.detail ->> 'person', split_part(entry.actor, ':', 2)) AND p.status = 'active'
          WHERE ${changeOf} IS NOT NULL
         ON CONFLICT (person_id, kind, about) DO NOTHING
       )
       UPDATE account_mail_cursor SET seq = (SELECT max(seq) FROM entry) WHERE chain = 'people' AND EXISTS (SELECT FROM entry)`,
      cursor.seq,
      entriesMax,
    );
  });
}

/** One change in how somebody signs in. */
export type AccountItem = {
  readonly id: string;
  readonly change: AccountChange;
  readonly created_at: Date;
};

/** The most changes in one mail. */
const itemsMax = 50;

/**
 * Claims what is due of this kind for a person, as `claimDueMail` does for cases. For a deactivated account it is
 * dropped.
 */
export async function claimAccountMail(store: Store, personId: string): Promise<DueMailFor<AccountItem> | undefined> {
  const due = dueTo("m.kind = 'account'");
  await acrossPractices(store, "mail").pool.query(
    `UPDATE mail m SET status = 'dropped' WHERE ${due} AND EXISTS (SELECT FROM person WHERE id = m.person_id AND status <> 'active')`,
    [personId],
  );
  const { rows } = await acrossPractices(store, "mail").pool.query<AccountItem & { email: string; lease_until: Date }>(
    `WITH taken AS (${claimed(due)})
     SELECT taken.id, split_part(taken.about, ':', 1) AS change, taken.created_at, taken.lease_until, person.email
       FROM taken JOIN person ON person.id = taken.person_id ORDER BY taken.created_at, taken.id`,
    [personId, leaseS, itemsMax],
  );
  return dueOf(rows);
}
