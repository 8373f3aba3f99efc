import type { Tx } from "#lib/db/db";

/** Later calls wait for this transaction to end, so that admins of every practice change one after the other. */
export async function lockAdmins(tx: Tx): Promise<void> {
  await tx.$queryRaw`SELECT true AS held FROM pg_advisory_xact_lock(hashtextextended('first-admin', 0))`;
}

/** How many people who can sign in administer a practice, by name or over every practice. */
export async function countAdmins(tx: Tx, practiceId: string): Promise<number> {
  const [row] = await tx.$queryRaw<[{ people: number }]>`
    SELECT count(*)::int AS people FROM person p
     WHERE p.status = 'active' AND ('admin' = ANY (p.everywhere || p.everywhere_by_group)
        OR EXISTS (SELECT FROM person_role r WHERE r.person_id = p.id AND r.role = 'admin' AND r.practice_id = ${practiceId}))`;
  return row.people;
}

/**
 * Whether an admin of every practice who was made one by an admin could sign in through the provider; also true if
 * there is none.
 */
export async function isAdminLinked(tx: Tx, issuer: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ linked: boolean | null }[]>`
    SELECT bool_or(EXISTS (SELECT FROM person_identity i WHERE i.person_id = p.id AND i.issuer = ${issuer})) AS linked
      FROM person p WHERE p.status = 'active' AND 'admin' = ANY (p.everywhere)`;
  return row?.linked ?? true;
}

/** Active people with a role in the practice, or in every practice, who are linked to no provider. */
export async function peopleWithoutLink(tx: Tx, practiceId: string): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT p.id FROM person p
     WHERE p.status = 'active'
       AND (p.everywhere <> '{}' OR p.everywhere_by_group <> '{}'
            OR EXISTS (SELECT FROM person_role r WHERE r.person_id = p.id AND r.practice_id = ${practiceId}))
       AND NOT EXISTS (SELECT FROM person_identity i WHERE i.person_id = p.id)`;
  return rows.map(({ id }) => id);
}
