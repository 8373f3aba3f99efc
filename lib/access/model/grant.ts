import { reachesAny, roles, type PersonActor, type Reach, type Role } from "./actor.ts";

/** A role in one practice, or in every practice where none is named. A reviewer's practice is always named. */
export type Grant = { readonly role: Role; readonly practiceId?: string | undefined };

/** Each role in each of these practices. Without practices, each role but reviewer in every practice. */
export function grantsOf(held: readonly Role[], practices: readonly string[]): readonly Grant[] {
  return held.flatMap((role): readonly Grant[] => {
    if (practices.length > 0) return practices.map((practiceId) => ({ role, practiceId }));
    return role === "reviewer" ? [] : [{ role }];
  });
}

/** What a person with these grants may do. */
export function powersOf(
  grants: readonly Grant[],
): Pick<PersonActor, "roles" | "practices" | "administers" | "audits"> {
  const named = (role: Role) =>
    grants.flatMap((grant) => (grant.role === role ? (grant.practiceId ?? []) : [])).toSorted();
  const reach = (role: Role): Reach =>
    grants.some((grant) => grant.role === role && grant.practiceId === undefined) ? "every" : named(role);
  return {
    roles: roles.filter((role) => grants.some((grant) => grant.role === role)),
    practices: named("reviewer"),
    administers: reach("admin"),
    audits: reach("auditor"),
  };
}

/** One entry for each role with its practices, for the audit log. */
export function rolesRecord(grants: readonly Grant[]): readonly { role: Role; practices: Reach }[] {
  const { practices, administers, audits } = powersOf(grants);
  const reach = { reviewer: practices, admin: administers, auditor: audits };
  return roles.flatMap((role) => (reachesAny(reach[role]) ? [{ role, practices: reach[role] }] : []));
}

export function isSameGrant(one: Grant, other: Grant): boolean {
  return one.role === other.role && one.practiceId === other.practiceId;
}
