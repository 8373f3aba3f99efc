import type { Role } from "#lib/domain/actor";
import type { Store, Tx } from "./db.ts";
import { isUuid } from "./load-task.ts";

export type PersonRecord = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly practices: readonly string[];
  readonly status: "active" | "disabled";
  readonly createdAt: Date;
};

export type NewPerson = Pick<PersonRecord, "id" | "email" | "name" | "roles" | "practices"> & {
  readonly passwordHash: string;
};

/** False when the email is taken: then nothing was written. */
export async function insertPerson(tx: Tx, { practices, roles, ...person }: NewPerson): Promise<boolean> {
  const { count } = await tx.person.createMany({ data: { ...person, roles: [...roles] }, skipDuplicates: true });
  if (count === 0) return false;
  await tx.personPractice.createMany({ data: practices.map((practiceId) => ({ personId: person.id, practiceId })) });
  return true;
}

/** Who is meant, by id or email, held until the commit. */
export async function lockPerson(tx: Tx, { id, email }: { id?: string | undefined; email?: string | undefined }) {
  const where =
    id !== undefined && isUuid(id) ? { id } : email === undefined ? undefined : { email: email.toLowerCase() };
  const found = where && (await tx.person.findUnique({ where, select: { id: true } }));
  if (!found) return undefined;
  await tx.$queryRaw`SELECT FROM person WHERE id = ${found.id}::uuid FOR NO KEY UPDATE`;
  return tx.person.findUniqueOrThrow({ where: { id: found.id }, select: { id: true, email: true, status: true } });
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
  const rows = await store.prisma.person.findMany({
    omit: { passwordHash: true },
    include: { personPractices: { orderBy: { practiceId: "asc" } } },
    orderBy: { email: "asc" },
  });
  return rows.map(({ personPractices, roles, status, ...row }) => ({
    ...row,
    // Safe because only checked roles are written, and the table's check allows no other status.
    roles: roles as Role[],
    status: status as PersonRecord["status"],
    practices: personPractices.map(({ practiceId }) => practiceId),
  }));
}

/** Whether an active admin exists; whoever asks next waits for this transaction to end. */
export async function lockAdminExists(tx: Tx): Promise<boolean> {
  await tx.$queryRaw`SELECT true AS held FROM pg_advisory_xact_lock(hashtextextended('first-admin', 0))`;
  return (await tx.person.count({ where: { status: "active", roles: { has: "admin" } } })) > 0;
}
