import type { Store } from "#lib/db/db";
import { knownWord } from "#lib/platform/known-word";
import { acrossPractices } from "#lib/db/for-practices";
import { mailLimitMs } from "#lib/person/model/mail-limit";
import { mailKinds, type MailKind } from "#lib/person/model/notification";
import { renewalOf } from "#lib/task/shared/renewal";
import { todayAt } from "#lib/task/shared/practice-day";
import { deliveryOf, isToldOfEmergencies, needBefore, needOf, withChoice } from "./mail-due.ts";

/** One case in a mail; no patient data. */
export type MailItem = {
  readonly id: string;
  readonly kind: MailKind;
  readonly task_id: string;
  readonly practice_name: string;
  readonly time_zone: string;
  readonly environment: string;
  readonly urgent: boolean;
  readonly action: string | null;
  readonly is_update: boolean | null;
  readonly expires_at: Date | null;
  readonly needs_person: string | null;
  readonly state: string;
  readonly created_at: Date;
};

/** Everything due for one person, claimed for one attempt. */
export type DueMailFor<Item> = {
  readonly email: string;
  readonly items: readonly Item[];
  readonly leaseUntil: Date;
};
export type DueMail = DueMailFor<MailItem>;
type AnyDue = DueMailFor<{ readonly id: string }>;

/** The most people who get mail in one round. */
const peopleMax = 50;

/** The most cases in one mail; the others come with the next. */
const itemsMax = 50;

/** People with mail due who got none for this long: first who is to hear of an emergency, then the longest waiting. */
export async function duePeople(store: Store, quietS: number): Promise<readonly string[]> {
  const { rows } = await acrossPractices(store, "mail").pool.query<{ person_id: string }>(
    // Grouped first, so that a person's mail of the past is looked at once and not for each that waits.
    `SELECT due.person_id FROM (
       SELECT person_id, min(due_at) AS at, bool_or(kind = 'emergency') AS is_emergency FROM mail
        WHERE status = 'waiting' AND due_at <= clock_timestamp() AND (lease_until IS NULL OR lease_until <= clock_timestamp())
        GROUP BY person_id) due
      WHERE NOT EXISTS (SELECT FROM mail recent WHERE recent.person_id = due.person_id AND recent.status = 'sent'
                           AND recent.sent_at > clock_timestamp() - $1 * interval '1 second')
      ORDER BY due.is_emergency DESC, due.at LIMIT $2`,
    [quietS, peopleMax],
  );
  return rows.map((row) => row.person_id);
}

/** Longer than any attempt takes. */
export const leaseS = mailLimitMs / 1_000 + 60;

/** SQL: what is due to the person $1 now, of these kinds, and not with a worker. */
export const dueTo = (kinds: string): string => `m.person_id = $1 AND ${kinds} AND m.status = 'waiting'
  AND m.due_at <= clock_timestamp() AND (m.lease_until IS NULL OR m.lease_until <= clock_timestamp())`;

/** SQL: the $3 oldest of these, claimed for $2 seconds. One time for all, in whole milliseconds, because a Date has no more. */
export const claimed = (due: string): string => `
  UPDATE mail SET lease_until = date_trunc('milliseconds', statement_timestamp()) + $2 * interval '1 second'
   WHERE id IN (SELECT m.id FROM mail m WHERE ${due} ORDER BY m.created_at, m.id LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING *`;

const isOpen = `EXISTS (SELECT FROM gate g WHERE g.id = t.gate_id AND g.id::text = m.about AND g.status = 'open'
                     AND NOT EXISTS (SELECT FROM vote v WHERE v.gate_id = g.id AND v.person_id = p.id))`;

/** SQL: whether what a mail says is so still. Of a kind that this version does not know, it is not. */
const stillTrue = `(m.kind = 'emergency' AND EXISTS (
    SELECT FROM person p WHERE p.id = m.person_id AND ${isToldOfEmergencies("m.practice_id")})
  OR EXISTS (
  SELECT FROM task t JOIN person p ON p.id = m.person_id AND p.status = 'active'
    JOIN person_role pp ON pp.person_id = p.id AND pp.role = 'reviewer' AND pp.practice_id = m.practice_id ${withChoice}
   WHERE t.id = m.task_id AND ${deliveryOf("m.kind")} <> 'off' AND CASE m.kind
     WHEN 'mention' THEN true
     WHEN 'ending' THEN m.about LIKE t.determination_id || ':%' AND NOT EXISTS (${renewalOf})
       AND t.state = 'determined' AND NOT EXISTS (
         SELECT FROM determination d WHERE d.id = t.determination_id AND d.valid_to < ${todayAt("d.practice_id")})
     WHEN 'assigned' THEN t.assignee_id = p.id
     WHEN 'needs-person' THEN m.about IN (${needOf}, ${needBefore})
     WHEN 'gate' THEN ${isOpen}
     WHEN 'expiring' THEN ${isOpen}
     ELSE false END))`;

/**
 * Claims what is due for a person, for one attempt: nobody else sends it while the lease lasts. What has been settled
 * in the meantime, or is no longer theirs to settle, is dropped. Undefined if nothing is left.
 */
export async function claimDueMail(store: Store, personId: string): Promise<DueMail | undefined> {
  const due = dueTo("m.kind NOT IN ('account', 'change')");
  await acrossPractices(store, "mail").pool.query(
    `UPDATE mail m SET status = 'dropped' WHERE ${due} AND NOT ${stillTrue}`,
    [personId],
  );
  const { rows } = await acrossPractices(store, "mail").pool.query<
    Omit<MailItem, "kind"> & ClaimedMail & { readonly kind: string }
  >(
    `WITH taken AS (${claimed(due)})
     SELECT taken.id, taken.kind, taken.task_id, taken.lease_until, taken.created_at, person.email,
            practice.name AS practice_name, practice.time_zone, t.environment, t.urgent, t.needs_person, t.state,
            g.action, g.is_update, g.expires_at
       FROM taken JOIN person ON person.id = taken.person_id JOIN practice ON practice.id = taken.practice_id
       JOIN task t ON t.id = taken.task_id LEFT JOIN gate g ON g.id = t.gate_id AND taken.kind <> 'needs-person'
      ORDER BY taken.created_at, taken.id`,
    [personId, leaseS, itemsMax],
  );
  return dueOf(rows.map((row) => ({ ...row, kind: knownWord(mailKinds, row.kind, "mail.kind") })));
}

type ClaimedMail = { readonly email: string; readonly lease_until: Date };

/** The rows that one statement claimed. Undefined if there are none. */
export function dueOf<Item extends ClaimedMail>(rows: readonly Item[]): DueMailFor<Item> | undefined {
  const [first] = rows;
  if (!first) return undefined;
  return { email: first.email, items: rows, leaseUntil: first.lease_until };
}

export async function markSent(store: Store, { items, leaseUntil }: AnyDue): Promise<void> {
  await acrossPractices(store, "mail").pool.query(
    `UPDATE mail SET status = 'sent', sent_at = clock_timestamp(), lease_until = NULL, problem = NULL
      WHERE id = ANY ($1::uuid[]) AND status = 'waiting' AND lease_until = $2`,
    [items.map(({ id }) => id), leaseUntil],
  );
}

/** After this many temporary refusals a mail is given up: about four days, as mail servers do (RFC 5321, section 4.5.4.1). */
const triesMax = 100;

/** Whether the server refused this mail for good, refused it for now, or took none at all, which says nothing about it. */
export type MailFailure = { readonly as: "refused" | "later" | "down"; readonly problem: string };

/**
 * Postpones what was not sent, or gives it up, each item by its own tries. `problem` is a code, never text from a server.
 * Without an answer of the server nothing is counted, and it is tried for as long as its content is true: the longer it
 * waits the more rarely, so that one mail which breaks the connection does not stop the others each minute.
 */
export async function markFailed(
  store: Store,
  { items, leaseUntil }: AnyDue,
  { as, problem }: MailFailure,
): Promise<void> {
  await acrossPractices(store, "mail").pool.query(
    `UPDATE mail SET lease_until = NULL, problem = $3, tries = CASE WHEN $4 = 'down' THEN tries ELSE tries + 1 END,
                     status = CASE WHEN $4 = 'refused' OR ($4 = 'later' AND tries + 1 >= $5) THEN 'failed' ELSE 'waiting' END,
                     due_at = clock_timestamp() + interval '1 second' * CASE WHEN $4 = 'down'
                       THEN least(900, greatest(60, extract(epoch FROM clock_timestamp() - created_at) / 4))
                       ELSE least(3600, 60 * power(2, tries)) END
      WHERE id = ANY ($1::uuid[]) AND status = 'waiting' AND lease_until = $2`,
    [items.map(({ id }) => id), leaseUntil, problem, as, triesMax],
  );
}
