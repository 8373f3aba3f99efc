import { Prisma } from "#lib/db/generated/prisma/client";
import type { Grant } from "#lib/access/model/grant";
import { isOpen } from "#lib/task/store/case-states";
import type { Store, Tx } from "#lib/db/db";
import { grantsColumn, grantsOfRow, loadGrants, replaceGrants } from "./grants.ts";
import { isUuid } from "#lib/task/store/load-task";
import { removeLink } from "./password-links.ts";
import { endSessionsOf } from "./sessions.ts";

export type PersonRecord = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly status: "invited" | "active" | "disabled";
  readonly createdAt: Date;
  /** When a session of theirs was last used, to a minute. */
  readonly seenAt: Date | null;
  /** When the link they were sent to choose a password ends, where they have not used it. */
  readonly linkEndsAt: Date | null;
  /** What they have besides a password; undefined where whoever asks is not told. */
  readonly secondFactor?: SecondFactorKinds | undefined;
};

export type SecondFactorKinds = { readonly passkey: boolean; readonly app: boolean };

export type NewPerson = Pick<PersonRecord, "id" | "email" | "name" | "grants"> & {
  /** None yet: then they are invited. */
  readonly passwordHash?: string | undefined;
};

/** False when the email is taken: then nothing was written. */
export async function insertPerson(tx: Tx, { grants, passwordHash, ...named }: NewPerson): Promise<boolean> {
  const secret = passwordHash === undefined ? { status: "invited" } : { passwordHash };
  const person = { ...named, ...secret };
  const { count } = await tx.person.createMany({ data: person, skipDuplicates: true });
  if (count === 0) return false;
  await replaceGrants(tx, { personId: person.id, by: "hand" }, grants);
  return true;
}

/** Who is meant, by id or email, held until the commit. */
export async function lockPerson(tx: Tx, { id, email }: { id?: string | undefined; email?: string | undefined }) {
  const where =
    id !== undefined && isUuid(id) ? { id } : email === undefined ? undefined : { email: email.toLowerCase() };
  const found = where && (await tx.person.findUnique({ where, select: { id: true } }));
  if (!found) return undefined;
  await tx.$queryRaw`SELECT FROM person WHERE id = ${found.id}::uuid FOR NO KEY UPDATE`;
  const select = { id: true, email: true, name: true, status: true } as const;
  const person = await tx.person.findUniqueOrThrow({ where: { id: found.id }, select });
  return { ...person, ...(await loadGrants(tx, found.id)) };
}

/** Closes the account, ends its sessions and leaves its open cases to whoever takes them; returns how many of each. */
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

type Row = Omit<PersonRecord, "grants"> & { readonly grants: { role: string; practiceId: string | null }[] };

export async function findPersonRecord(store: Store, id: string): Promise<PersonRecord | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await store.pool.query<Row>(`SELECT ${personColumns} FROM person p WHERE p.id = $1`, [id]);
  return rows[0] && rowToPerson(rows[0]);
}

/** Opens a closed account again. */
export async function reopenPerson(tx: Tx, personId: string): Promise<void> {
  await tx.person.update({ where: { id: personId }, data: { status: "active" } });
}

/** Takes back what was never accepted: nothing of the person is left but what the record says. */
export async function removeInvited(tx: Tx, personId: string): Promise<void> {
  await removeLink(tx, personId);
  await tx.personRole.deleteMany({ where: { personId } });
  await tx.person.delete({ where: { id: personId, status: "invited" } });
}

/** The person has this password from now on, or none; whoever was invited is one who can sign in. */
export async function savePassword(
  tx: Tx,
  personId: string,
  {
    passwordHash,
    ...change
  }: { passwordHash: string | null; name?: string; status?: "active"; letInBy?: string | null },
): Promise<void> {
  await tx.person.update({ where: { id: personId }, data: { passwordHash, ...change } });
}

/** Whoever was invited can sign in from now on; a password they have is left as it is. */
export async function markJoined(
  tx: Tx,
  personId: string,
  change: { readonly name: string; readonly letInBy: string | null },
): Promise<void> {
  await tx.person.update({ where: { id: personId }, data: { ...change, status: "active" } });
}

/** Somebody let them in: whoever acts as them may be that admin. */
export async function markLetIn(tx: Tx, personId: string, letInBy: string): Promise<void> {
  await tx.person.update({ where: { id: personId }, data: { letInBy } });
}

function rowToPerson({ grants, ...row }: Row): PersonRecord {
  return { ...row, grants: grantsOfRow(grants) };
}

/** Whoever asks next of those who administer every practice waits for this transaction to end. */
export async function lockAdmins(tx: Tx): Promise<void> {
  await tx.$queryRaw`SELECT true AS held FROM pg_advisory_xact_lock(hashtextextended('first-admin', 0))`;
}

/**
 * Whether nobody else could sign in and administer every practice: by a password or passkey where no practice shuts
 * them out, or through the provider: this one, where it is known which. Whoever asks next waits for this transaction to
 * end.
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

/** Whether an active admin of every practice exists; waits, and lets wait, likewise. */
export async function lockAdminExists(tx: Tx): Promise<boolean> {
  await lockAdmins(tx);
  return (await tx.person.count({ where: { status: "active", everywhere: { has: "admin" } } })) > 0;
}
