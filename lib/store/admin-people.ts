import type { Grant } from "#lib/domain/grant";
import type { Store, Tx } from "./db.ts";
import { grantsColumn, grantsOfRow, loadGrants, replaceGrants } from "./grants.ts";
import { isUuid } from "./load-task.ts";

export type PersonRecord = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly status: "active" | "disabled";
  readonly createdAt: Date;
};

export type NewPerson = Pick<PersonRecord, "id" | "email" | "name" | "grants"> & { readonly passwordHash: string };

/** False when the email is taken: then nothing was written. */
export async function insertPerson(tx: Tx, { grants, ...person }: NewPerson): Promise<boolean> {
  const { count } = await tx.person.createMany({ data: person, skipDuplicates: true });
  if (count === 0) return false;
  await replaceGrants(tx, person.id, grants);
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
  return { ...person, grants: await loadGrants(tx, found.id) };
}

/** Closes the account, ends its sessions and leaves its open cases to whoever takes them; returns how many of each. */
export async function closePerson(
  tx: Tx,
  personId: string,
): Promise<{ readonly sessionsEnded: number; readonly unassigned: number }> {
  await tx.person.update({ where: { id: personId }, data: { status: "disabled" } });
  const sessionsEnded = await tx.$executeRaw`
    UPDATE session SET revoked_at = clock_timestamp() WHERE person_id = ${personId}::uuid AND revoked_at IS NULL`;
  // As the index of whose cases they are says it.
  const unassigned = await tx.$executeRaw`
    UPDATE task SET assignee_id = NULL WHERE assignee_id = ${personId}::uuid
       AND state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed'])`;
  return { sessionsEnded, unassigned };
}

export async function listPersonRecords(store: Store): Promise<readonly PersonRecord[]> {
  const { rows } = await store.pool.query<Row>(`SELECT ${personColumns} FROM person p ORDER BY p.email`);
  return rows.map(rowToPerson);
}

const personColumns = `p.id, p.email, p.name, p.status, p.created_at AS "createdAt", ${grantsColumn} AS grants`;

type Row = Omit<PersonRecord, "grants"> & { readonly grants: { role: string; practiceId: string | null }[] };

function rowToPerson({ grants, ...row }: Row): PersonRecord {
  return { ...row, grants: grantsOfRow(grants) };
}

/** Whether nobody else could administer every practice; whoever asks next waits for this transaction to end. */
export async function isLastAdmin(tx: Tx, personId: string): Promise<boolean> {
  await tx.$queryRaw`SELECT true AS held FROM pg_advisory_xact_lock(hashtextextended('first-admin', 0))`;
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM person WHERE status = 'active' AND 'admin' = ANY (everywhere) AND id <> ${personId}::uuid LIMIT 1`;
  return rows.length === 0;
}

/** Whether an active admin of every practice exists; whoever asks next waits for this transaction to end. */
export async function lockAdminExists(tx: Tx): Promise<boolean> {
  await tx.$queryRaw`SELECT true AS held FROM pg_advisory_xact_lock(hashtextextended('first-admin', 0))`;
  return (await tx.person.count({ where: { status: "active", everywhere: { has: "admin" } } })) > 0;
}
