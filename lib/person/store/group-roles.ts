import { isSameGrant, rolesRecord, type Grant } from "#lib/access/model/grant";
import { appendAudit } from "#lib/audit/shared/append-audit";
import type { Store, Tx } from "#lib/db/db";
import { grantsOfRow, loadGrants, replaceGrants } from "./grants.ts";
import { newId } from "#lib/db/new-id";

/** A role that membership in a group of the provider gives. */
export type GroupGrant = Grant & { readonly issuer: string; readonly group: string };

export type GroupRecord = GroupGrant & {
  /** The administrator who set it; null for the operator. */
  readonly madeBy: string | null;
};

type Row = { issuer: string; group: string; role: string; practiceId: string | null; madeBy: string | null };

const columns = `issuer, group_name AS "group", role, practice_id AS "practiceId", made_by AS "madeBy"`;

/** By group, then role and practice. */
export async function listGroupRoles(store: Store): Promise<readonly GroupRecord[]> {
  const { rows } = await store.pool.query<Row>(
    `SELECT ${columns} FROM group_role ORDER BY issuer, group_name, role, practice_id NULLS FIRST`,
  );
  return rows.flatMap(({ issuer, group, madeBy, ...row }) =>
    grantsOfRow([row]).map((grant) => ({ issuer, group, madeBy, ...grant })),
  );
}

/** False if the group gives it already. */
export async function insertGroupRole(
  tx: Tx,
  { issuer, group, role, practiceId }: GroupGrant,
  madeBy: string | undefined,
): Promise<boolean> {
  const row = { issuer, groupName: group, role, practiceId: practiceId ?? null, madeBy: madeBy ?? null };
  const { count } = await tx.groupRole.createMany({ data: { id: newId(), ...row }, skipDuplicates: true });
  return count > 0;
}

/** False if the group does not give it. */
export async function deleteGroupRole(tx: Tx, { issuer, group, role, practiceId }: GroupGrant): Promise<boolean> {
  const where = { issuer, groupName: group, role, practiceId: practiceId ?? null };
  return (await tx.groupRole.deleteMany({ where })).count > 0;
}

type Member = { readonly personId: string; readonly issuer: string };

/** The roles that these groups give a person. Whoever gave a role to a group does not get it from there themselves. */
async function grantsOfGroups(tx: Tx, { personId, issuer }: Member, groups: readonly string[]) {
  const rows = await tx.$queryRaw<{ role: string; practiceId: string | null }[]>`
    SELECT DISTINCT role, practice_id AS "practiceId" FROM group_role
     WHERE issuer = ${issuer} AND group_name = ANY (${[...groups]}::text[])
       AND made_by IS DISTINCT FROM ${personId}::uuid`;
  return grantsOfRow(rows);
}

const without = (list: readonly Grant[], others: readonly Grant[]) =>
  list.filter((grant) => !others.some((other) => isSameGrant(other, grant)));

/**
 * Stores the groups that the provider named, and replaces the roles given by groups. If that changes anything, it is
 * put into the audit log and true is returned. The caller has locked the person.
 */
export async function readGroups(tx: Tx, member: Member, groups: readonly string[]): Promise<boolean> {
  const { personId, issuer } = member;
  await tx.personIdentity.updateMany({ where: { personId, issuer }, data: { groups: [...groups] } });
  const { byGroup: before } = await loadGrants(tx, personId);
  const after = await grantsOfGroups(tx, member, groups);
  const [added, removed] = [without(after, before), without(before, after)];
  if (added.length + removed.length === 0) return false;
  await replaceGrants(tx, { personId, by: "group" }, after);
  const detail = { person: personId, added: rolesRecord(added), removed: rolesRecord(removed) };
  await appendAudit(tx, { chain: "people", actor: { kind: "worker" }, act: "person.groups-read", detail });
  return true;
}

/** Removes the group roles of somebody who is no longer linked to the provider. The caller has locked the person. */
export async function dropGroupGrants(tx: Tx, personId: string): Promise<void> {
  await replaceGrants(tx, { personId, by: "group" }, []);
}

/**
 * Removes from everybody the group roles that their groups at the last sign-in no longer give. Returns whose roles
 * changed.
 */
export async function narrowGroupGrants(tx: Tx, { issuer, role, practiceId }: GroupGrant): Promise<readonly string[]> {
  const members = await tx.$queryRaw<{ id: string; groups: string[] }[]>`
    SELECT p.id, i.groups FROM person p JOIN person_identity i ON i.person_id = p.id AND i.issuer = ${issuer}
     WHERE ${role} = ANY (p.everywhere_by_group) AND ${practiceId ?? null}::text IS NULL
        OR EXISTS (SELECT FROM person_role pr WHERE pr.person_id = p.id AND pr.by_group AND pr.role = ${role}
                      AND pr.practice_id = ${practiceId ?? null}::text)
     ORDER BY p.id FOR NO KEY UPDATE OF p`;
  const changed: string[] = [];
  for (const { id: personId, groups } of members) {
    const { byGroup, byAdmin } = await loadGrants(tx, personId);
    const still = await grantsOfGroups(tx, { personId, issuer }, groups);
    const kept = byGroup.filter((grant) => still.some((other) => isSameGrant(other, grant)));
    if (kept.length === byGroup.length) continue;
    await replaceGrants(tx, { personId, by: "group" }, kept);
    const stays = [...kept, ...byAdmin];
    if (byGroup.some((grant) => !stays.some((other) => isSameGrant(other, grant)))) changed.push(personId);
  }
  return changed;
}
