import type { Store } from "#lib/db/db";
import { acrossPractices } from "#lib/db/for-practices";
import { claimed, dueOf, dueTo, leaseS, type DueMailFor } from "./mail-outbox.ts";

/** SQL: whether a person `p` may confirm the change request `r`: somebody else who administers everything it concerns. */
const mayConfirm = `p.status = 'active' AND p.id <> r.asked_by AND ('admin' = ANY (p.everywhere || p.everywhere_by_group) OR (cardinality(r.scope) > 0 AND NOT EXISTS (
  SELECT FROM unnest(r.scope) AS scoped (practice_id) WHERE NOT EXISTS (
    SELECT FROM person_role pr WHERE pr.person_id = p.id AND pr.role = 'admin' AND pr.practice_id = scoped.practice_id))))`;

const waiting = "r.status = 'waiting' AND r.expires_at > clock_timestamp()";

/** Notes whom to mail about a change that waits for a second admin: everybody who may confirm it, once, whatever mail they chose. */
export async function noticeWaitingChanges(store: Store): Promise<void> {
  await acrossPractices(store, "mail").pool.query(
    `INSERT INTO mail (id, person_id, kind, about, status, due_at)
     SELECT gen_random_uuid(), p.id, 'change', r.id::text, 'waiting', clock_timestamp()
       FROM change_request r JOIN person p ON ${mayConfirm} WHERE ${waiting}
     ON CONFLICT (person_id, kind, about) DO NOTHING`,
  );
}

/** One change that waits; nothing of what it is. */
export type ChangeItem = { readonly id: string; readonly expires_at: Date };

/** The most changes in one mail; the others come with the next. */
const itemsMax = 50;

/**
 * Claims what is due of this kind for a person, as `claimDueMail` does for cases. What was decided or withdrawn since,
 * or is no longer theirs to confirm, is dropped.
 */
export async function claimChangeMail(store: Store, personId: string): Promise<DueMailFor<ChangeItem> | undefined> {
  const due = dueTo("m.kind = 'change'");
  const { pool } = acrossPractices(store, "mail");
  await pool.query(
    `UPDATE mail m SET status = 'dropped' WHERE ${due} AND NOT EXISTS (
       SELECT FROM change_request r JOIN person p ON p.id = m.person_id AND ${mayConfirm} WHERE r.id::text = m.about AND ${waiting})`,
    [personId],
  );
  const { rows } = await pool.query<ChangeItem & { email: string; lease_until: Date }>(
    `WITH taken AS (${claimed(due)})
     SELECT taken.id, r.expires_at, taken.lease_until, person.email
       FROM taken JOIN person ON person.id = taken.person_id JOIN change_request r ON r.id::text = taken.about
      ORDER BY taken.created_at, taken.id`,
    [personId, leaseS, itemsMax],
  );
  return dueOf(rows);
}
