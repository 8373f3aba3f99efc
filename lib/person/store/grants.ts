import { Prisma } from "#lib/db/generated/prisma/client";
import { roles } from "#lib/access/model/actor";
import { knownWord } from "#lib/platform/known-word";
import { isSameGrant, type Grant } from "#lib/access/model/grant";
import { isOpen } from "#lib/task/model/case-states";
import type { Tx } from "#lib/db/db";
import { removeLink } from "./password-links.ts";

/** SQL: the roles of the person `p`, given by an admin and by groups, in one order. */
export const grantsColumn = granted(
  `SELECT role, practice_id AS "practiceId" FROM person_role WHERE person_id = p.id
   UNION SELECT unnest(p.everywhere || p.everywhere_by_group), NULL`,
);

/**
 * SQL: the roles of the person `p` that count in the session `s`: those that an admin gave, and of the roles by group
 * those that the groups of the provider give through which the session began. Otherwise a password, or a passkey kept by
 * whoever had the account before, would hold the roles of a group that its person has left.
 */
export const sessionGrantsColumn = granted(
  `SELECT r.role, r.practice_id AS "practiceId" FROM person_role r
    WHERE r.person_id = p.id AND (r.by_admin OR ${isGivenByGroup("r.role", "r.practice_id")})
   UNION SELECT unnest(p.everywhere), NULL
   UNION SELECT e.role, NULL FROM unnest(p.everywhere_by_group) e (role) WHERE ${isGivenByGroup("e.role", "NULL")}`,
);

function isGivenByGroup(role: string, practiceId: string): string {
  return `EXISTS (
    SELECT FROM person_identity i JOIN group_role g ON g.issuer = i.issuer AND g.group_name = ANY (i.groups)
     WHERE i.person_id = p.id AND i.issuer = s.issuer AND g.role = ${role} AND g.practice_id IS NOT DISTINCT FROM ${practiceId}
       AND g.made_by IS DISTINCT FROM p.id)`;
}

const byAdminColumn = granted(
  `SELECT role, practice_id AS "practiceId" FROM person_role WHERE person_id = p.id AND by_admin
   UNION SELECT unnest(p.everywhere), NULL`,
);

const byGroupColumn = granted(
  `SELECT role, practice_id AS "practiceId" FROM person_role WHERE person_id = p.id AND by_group
   UNION SELECT unnest(p.everywhere_by_group), NULL`,
);

function granted(rows: string): string {
  return `(SELECT coalesce(json_agg(granted ORDER BY granted.role, granted."practiceId" NULLS FIRST), '[]') FROM (${rows}) granted)`;
}

/** Roles as the database has them: one for every practice has no practice id. */
export function grantsOfRow(grants: readonly { role: string; practiceId: string | null }[]): readonly Grant[] {
  return grants.map(({ role, practiceId }) => ({
    role: knownWord(roles, role, "person_role.role"),
    ...(practiceId === null ? {} : { practiceId }),
  }));
}

type Row = Readonly<Record<"grants" | "byAdmin" | "byGroup", { role: string; practiceId: string | null }[]>>;

/** A person's roles: all of them, those given by an admin, and those given by groups. One role may be in both. */
export async function loadGrants(
  tx: Tx,
  personId: string,
): Promise<Readonly<Record<"grants" | "byAdmin" | "byGroup", readonly Grant[]>>> {
  const [row] = await tx.$queryRawUnsafe<Row[]>(
    `SELECT ${grantsColumn} AS grants, ${byAdminColumn} AS "byAdmin", ${byGroupColumn} AS "byGroup"
       FROM person p WHERE p.id = $1::uuid`,
    personId,
  );
  const [grants, byAdmin, byGroup] = [row?.grants ?? [], row?.byAdmin ?? [], row?.byGroup ?? []].map(grantsOfRow);
  return { grants: grants ?? [], byAdmin: byAdmin ?? [], byGroup: byGroup ?? [] };
}

/**
 * Sets exactly these as the roles given by an admin, or by groups, and leaves the other kind unchanged. Unassigns open
 * cases that the person may no longer review, and returns how many. An unused link to choose a password is voided if
 * the person may do more now, because it was given for less.
 */
export async function replaceGrants(
  tx: Tx,
  { personId, by }: { readonly personId: string; readonly by: "hand" | "group" },
  grants: readonly Grant[],
): Promise<number> {
  const named = grants.flatMap(({ role, practiceId }) => (practiceId === undefined ? [] : [{ role, practiceId }]));
  const everywhere = grants.flatMap(({ role, practiceId }) => (practiceId === undefined ? [role] : []));
  const { grants: before } = await loadGrants(tx, personId);
  const [roles, practices] = [named.map(({ role }) => role), named.map(({ practiceId }) => practiceId)];
  if (by === "hand") {
    await tx.$executeRaw`
      INSERT INTO person_role (person_id, role, practice_id, by_admin)
      SELECT ${personId}::uuid, role, practice_id, true FROM unnest(${roles}::text[], ${practices}::text[]) g (role, practice_id)
      ON CONFLICT ON CONSTRAINT person_role_pkey DO UPDATE SET by_admin = true`;
  } else {
    await tx.$executeRaw`
      INSERT INTO person_role (person_id, role, practice_id, by_admin, by_group)
      SELECT ${personId}::uuid, role, practice_id, false, true FROM unnest(${roles}::text[], ${practices}::text[]) g (role, practice_id)
      ON CONFLICT ON CONSTRAINT person_role_pkey DO UPDATE SET by_group = true`;
  }
  await dropGrants(tx, { personId, by }, { roles, practices });
  await tx.person.update({
    where: { id: personId },
    data: by === "hand" ? { everywhere } : { everywhereByGroup: everywhere },
  });
  if (grants.some((grant) => !before.some((held) => isSameGrant(held, grant)))) await removeLink(tx, personId);
  return tx.$executeRaw`
    UPDATE task t SET assignee_id = NULL WHERE t.assignee_id = ${personId}::uuid
       AND NOT EXISTS (SELECT FROM person_role pr
                        WHERE pr.person_id = ${personId}::uuid AND pr.role = 'reviewer' AND pr.practice_id = t.practice_id)
       AND ${Prisma.raw(isOpen)}`;
}

/** Removes the roles that this kind no longer gives. A row is deleted when the other kind does not give it either. */
async function dropGrants(
  tx: Tx,
  { personId, by }: { readonly personId: string; readonly by: "hand" | "group" },
  { roles, practices }: { readonly roles: readonly string[]; readonly practices: readonly string[] },
): Promise<void> {
  const [byAdmin, byGroup] = [by === "hand", by === "group"];
  await tx.$executeRaw`
    DELETE FROM person_role WHERE person_id = ${personId}::uuid
       AND (${byAdmin} OR NOT by_admin) AND (${byGroup} OR NOT by_group)
       AND (role, practice_id) NOT IN (SELECT * FROM unnest(${roles}::text[], ${practices}::text[]))`;
  await tx.$executeRaw`
    UPDATE person_role SET by_admin = by_admin AND NOT ${byAdmin}, by_group = by_group AND NOT ${byGroup}
     WHERE person_id = ${personId}::uuid
       AND (role, practice_id) NOT IN (SELECT * FROM unnest(${roles}::text[], ${practices}::text[]))`;
}
