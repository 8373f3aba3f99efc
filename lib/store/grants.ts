import type { Role } from "#lib/domain/actor";
import type { Grant } from "#lib/domain/grant";
import type { Tx } from "./db.ts";

/** What the person `p` was granted, in one order. */
export const grantsColumn = `(
  SELECT coalesce(json_agg(granted ORDER BY granted.role, granted."practiceId" NULLS FIRST), '[]')
    FROM (SELECT role, practice_id AS "practiceId" FROM person_role WHERE person_id = p.id
          UNION ALL SELECT unnest(p.everywhere), NULL) granted)`;

/** As the database has them: over every practice is without one. */
export function grantsOfRow(grants: readonly { role: string; practiceId: string | null }[]): readonly Grant[] {
  // Safe because the tables' checks allow no other roles.
  return grants.map(({ role, practiceId }) => ({ role: role as Role, ...(practiceId === null ? {} : { practiceId }) }));
}

export async function loadGrants(tx: Tx, personId: string): Promise<readonly Grant[]> {
  const [row] = await tx.$queryRawUnsafe<{ grants: { role: string; practiceId: string | null }[] }[]>(
    `SELECT ${grantsColumn} AS grants FROM person p WHERE p.id = $1::uuid`,
    personId,
  );
  return grantsOfRow(row?.grants ?? []);
}

/** Gives somebody exactly these, and leaves their open cases to others where they review no longer; returns how many. */
export async function replaceGrants(tx: Tx, personId: string, grants: readonly Grant[]): Promise<number> {
  const named = grants.flatMap(({ role, practiceId }) => (practiceId === undefined ? [] : [{ role, practiceId }]));
  const everywhere = grants.flatMap(({ role, practiceId }) => (practiceId === undefined ? [role] : []));
  await tx.personRole.deleteMany({ where: { personId } });
  await tx.personRole.createMany({ data: named.map((grant) => ({ ...grant, personId })) });
  await tx.person.update({ where: { id: personId }, data: { everywhere } });
  const reviewed = named.flatMap(({ role, practiceId }) => (role === "reviewer" ? [practiceId] : []));
  // As the index of whose cases they are says it.
  return tx.$executeRaw`
    UPDATE task SET assignee_id = NULL WHERE assignee_id = ${personId}::uuid AND practice_id <> ALL (${reviewed}::text[])
       AND state <> ALL (ARRAY['determined', 'voided', 'withdrawn', 'declined', 'failed'])`;
}
