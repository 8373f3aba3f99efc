import { Prisma } from "#lib/db/generated/prisma/client";
import type { Grant } from "#lib/access/model/grant";
import { isOpen } from "#lib/task/model/case-states";
import type { Store, Tx } from "#lib/db/db";
import { knownWord } from "#lib/platform/known-word";
import { grantsColumn, grantsOfRow, loadGrants, replaceGrants } from "./grants.ts";
import { isUuid } from "#lib/platform/uuid";
import { removeLink } from "./password-links.ts";
import { accountEmail } from "#lib/person/model/account-email";
import { endSessionsOf } from "./sessions.ts";
import { dropOfferedTotp } from "./totp.ts";
import { lockAdmins } from "#lib/person/shared/admins";

const personStatuses = ["invited", "active", "disabled"] as const;

export type PersonRecord = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly status: (typeof personStatuses)[number];
  readonly createdAt: Date;
  /** When a session of theirs was last used, to the minute. */
  readonly seenAt: Date | null;
  /** When their link to choose a password expires, if it is unused. */
  readonly linkEndsAt: Date | null;
  /** What they have besides a password. Undefined if the reader may not know. */
  readonly secondFactor?: SecondFactorKinds | undefined;
};

export type SecondFactorKinds = { readonly passkey: boolean; readonly app: boolean };

export type NewPerson = Pick<PersonRecord, "id" | "email" | "name" | "grants"> & {
  /** Absent for an invitation. */
  readonly passwordHash?: string | undefined;
};

/** False if the email is taken; then nothing was written. */
export async function insertPerson(tx: Tx, { grants, passwordHash, ...named }: NewPerson): Promise<boolean> {
  const secret = passwordHash === undefined ? { status: "invited" } : { passwordHash };
  const person = { ...named, ...secret };
  const { count } = await tx.person.createMany({ data: person, skipDuplicates: true });
  if (count === 0) return false;
  await replaceGrants(tx, { personId: person.id, by: "hand" }, grants);
  return true;
}

/** A person by id or email, locked until the commit. */
export async function lockPerson(tx: Tx, { id, email }: { id?: string | undefined; email?: string | undefined }) {
  const where =
    id !== undefined && isUuid(id) ? { id } : email === undefined ? undefined : { email: accountEmail(email) };
  const found = where && (await tx.person.findUnique({ where, select: { id: true } }));
  if (!found) return undefined;
  await tx.$queryRaw`SELECT FROM person WHERE id = ${found.id}::uuid FOR NO KEY UPDATE`;
  const select = { id: true, email: true, name: true, status: true } as const;
  const person = await tx.person.findUniqueOrThrow({ where: { id: found.id }, select });
  return { ...person, ...(await loadGrants(tx, found.id)) };
}

/** Deactivates the account, ends its sessions and unassigns its open cases. Returns how many of each. */
export async function closePerson(
  tx: Tx,
  personId: string,
): Promise<{ readonly sessionsEnded: number; readonly unassigned: number }> {
  await tx.person.update({ where: { id: personId }, data: { status: "disabled" } });
  await removeLink(tx, personId);
  const sessionsEnded = await endSessionsOf(tx, { personId });
  const unassigned = await tx.$executeRaw`
    UPDATE task t SET assignee_id = NULL WHERE t.assignee_id = ${personId}::uuid
       AND ${Prisma.raw(isOpen)}`;
  return { sessionsEnded, unassigned };
}

export async function listPersonRecords(store: Store): Promise<readonly PersonRecord[]> {
  const { rows } = await store.pool.query<Row>(`SELECT ${personColumns} FROM person p ORDER BY p.email`);
  return rows.map(rowToPerson);
}

const personColumns = `p.id, p.email, p.name, p.status, p.created_at AS "createdAt", ${grantsColumn} AS grants,
  (SELECT max(seen_at) FROM session s WHERE s.person_id = p.id) AS "seenAt",
  (SELECT expires_at FROM password_link l WHERE l.person_id = p.id) AS "linkEndsAt",
  json_build_object('passkey', EXISTS (SELECT FROM passkey k WHERE k.person_id = p.id),
                    'app', EXISTS (SELECT FROM totp t WHERE t.person_id = p.id AND t.confirmed_at IS NOT NULL)) AS "secondFactor"`;

type Row = Omit<PersonRecord, "grants" | "status"> & {
  readonly status: string;
  readonly grants: { role: string; practiceId: string | null }[];
};

export async function findPersonRecord(store: Store, id: string): Promise<PersonRecord | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await store.pool.query<Row>(`SELECT ${personColumns} FROM person p WHERE p.id = $1`, [id]);
  return rows[0] && rowToPerson(rows[0]);
}

/** Activates a deactivated account. */
export async function reopenPerson(tx: Tx, personId: string): Promise<void> {
  await tx.person.update({ where: { id: personId }, data: { status: "active" } });
}

/** Whether the person is the owner of a channel. */
export async function ownsChannel(tx: Tx, personId: string): Promise<boolean> {
  return (await tx.channel.count({ where: { ownerId: personId } })) > 0;
}

/**
 * Removes an invitation that was never accepted, with the account of a provider that is linked to it. Only the audit log
 * keeps anything about the person.
 */
export async function removeInvited(tx: Tx, personId: string): Promise<void> {
  await removeLink(tx, personId);
  await tx.personIdentity.deleteMany({ where: { personId } });
  await tx.personRole.deleteMany({ where: { personId } });
  await tx.person.delete({ where: { id: personId, status: "invited" } });
}

/**
 * Sets or removes the person's password, and drops an authenticator app that was not confirmed, because somebody with the
 * password before may have begun it. With a password, an invited person can sign in.
 */
export async function savePassword(
  tx: Tx,
  personId: string,
  {
    passwordHash,
    ...change
  }: { passwordHash: string | null; name?: string; status?: "active"; letInBy?: string | null },
): Promise<void> {
  await dropOfferedTotp(tx, { personId });
  await tx.person.update({ where: { id: personId }, data: { passwordHash, ...change } });
}

/** Lets an invited person sign in; an existing password is unchanged. */
export async function markJoined(
  tx: Tx,
  personId: string,
  change: { readonly name: string; readonly letInBy: string | null },
): Promise<void> {
  await tx.person.update({ where: { id: personId }, data: { ...change, status: "active" } });
}

/** Records which admin let a person in: whoever acts as this person may be that admin. */
export async function markLetIn(tx: Tx, personId: string, letInBy: string): Promise<void> {
  await tx.person.update({ where: { id: personId }, data: { letInBy } });
}

function rowToPerson({ grants, status, ...row }: Row): PersonRecord {
  return { ...row, status: knownWord(personStatuses, status, "person.status"), grants: grantsOfRow(grants) };
}

/**
 * Whether nobody else could sign in and administer every practice: with a password or passkey unless a practice forbids
 * it, or through the provider, if known this one. Later calls wait for this transaction to end.
 */
export async function isLastAdmin(tx: Tx, personId: string, issuer: string | undefined): Promise<boolean> {
  await lockAdmins(tx);
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM person p WHERE status = 'active' AND 'admin' = ANY (everywhere) AND id <> ${personId}::uuid
       AND (EXISTS (SELECT FROM person_identity i WHERE i.person_id = p.id AND i.issuer = coalesce(${issuer ?? null}, i.issuer))
            OR (NOT EXISTS (SELECT FROM practice WHERE sso_only)
                AND (password_hash IS NOT NULL OR EXISTS (SELECT FROM passkey k WHERE k.person_id = p.id)))) LIMIT 1`;
  return rows.length === 0;
}

/** Whether there is an active admin of every practice. Calls wait for each other as above. */
export async function lockAdminExists(tx: Tx): Promise<boolean> {
  await lockAdmins(tx);
  return (await tx.person.count({ where: { status: "active", everywhere: { has: "admin" } } })) > 0;
}
