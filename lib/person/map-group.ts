import { z } from "zod";
import type { Context } from "#lib/access/context";
import { administers, reaches, type Actor } from "#lib/access/model/actor";
import { rolesRecord, type Grant } from "#lib/access/model/grant";
import { issuerName } from "#lib/person/model/identity";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice } from "#lib/practice/store/admin-practices";
import { announce } from "#lib/db/announce";
import type { AdminAct } from "#lib/audit/store/audit";
import type { Tx } from "#lib/db/db";
import {
  deleteGroupRole,
  insertGroupRole,
  listGroupRoles,
  narrowGroupGrants,
  type GroupGrant,
  type GroupRecord,
} from "#lib/person/store/group-roles";
import { keepVersion } from "#lib/access/store/settings-versions";
import { administerProved, mayAdminister, type AdminScope } from "#lib/access/administer";
import { grantSchema } from "./change-grants.ts";
import { checked, identityIssuer } from "#lib/access/checked";
import { peopleChain } from "./create-person.ts";
import { denied } from "#lib/access/denied";
import { strangersAmong } from "#lib/practice/known-practices";
import type { AdminRefusal } from "#lib/access/refusal";

export type { GroupRecord };

const groupText = z
  .string()
  .min(1, "must not be empty")
  .max(255, "must be at most 255 characters")
  .regex(/^\P{Cc}*$/u, "must be without control characters");

const schema = z.object({ issuer: identityIssuer, group: groupText, grant: grantSchema });

/** What a group of the provider gives to whoever is in it; over every practice where none is named. */
export type MapGroup = {
  readonly issuer: string;
  /** As the provider's id token names it, to the letter. */
  readonly group: string;
  readonly role: string;
  readonly practiceId?: string | undefined;
};

/**
 * Gives a role to a group of the provider: everybody in it has the role from their next sign-in through it on, but for
 * the admin who says so. Only an admin of where it holds does it.
 */
export async function mapGroup(ctx: Context, input: MapGroup): Promise<Result<undefined, AdminRefusal>> {
  return administerProved(ctx, concernOf(input), async (tx) => {
    const wanted = await readGroupGrant(tx, ctx.actor, input);
    if (!wanted.ok) return wanted;
    const madeBy = ctx.actor.kind === "person" ? ctx.actor.id : undefined;
    const isNew = await insertGroupRole(tx, wanted.value, madeBy);
    if (!isNew) return ok({ value: undefined, chain: peopleChain, entries: [] });
    await keepVersionOf(tx, ctx.actor, "group.mapped", wanted.value);
    const entries = [{ act: "group.mapped", detail: detailOf(wanted.value) } as const];
    return ok({ value: undefined, chain: peopleChain, entries });
  });
}

/** Takes a role from a group, and at once from everybody who has it by that group alone. */
export async function unmapGroup(
  ctx: Context,
  input: MapGroup,
): Promise<Result<{ peopleChanged: number }, AdminRefusal>> {
  const unmapped = await administerProved(ctx, concernOf(input), async (tx) => {
    const given = await readGroupGrant(tx, ctx.actor, input);
    if (!given.ok) return given;
    if (!(await deleteGroupRole(tx, given.value))) return refuse({ type: "not-found", what: "group" });
    await keepVersionOf(tx, ctx.actor, "group.unmapped", given.value);
    const people = await narrowGroupGrants(tx, given.value);
    const detail = { ...detailOf(given.value), people };
    return ok({ value: people, chain: peopleChain, entries: [{ act: "group.unmapped", detail }] });
  });
  if (!unmapped.ok) return unmapped;
  for (const personId of unmapped.value) announce(ctx.store, "people", personId);
  return ok({ peopleChanged: unmapped.value.length });
}

/** Where it holds in one practice, what groups give there is part of the practice's settings. */
async function keepVersionOf(tx: Tx, actor: Actor, act: AdminAct, { practiceId }: GroupGrant): Promise<void> {
  if (practiceId === undefined) return;
  await lockPractice(tx, practiceId);
  await keepVersion(tx, { practiceId, subject: "practice", actor, act });
}

/** What groups give where whoever asks is an admin. */
export async function listGroups({ actor, store }: Context): Promise<Result<readonly GroupRecord[], AdminRefusal>> {
  if (!mayAdminister(actor, "what-it-reads")) return denied({ actor, store }, "people");
  const list = await listGroupRoles(store);
  return ok(list.filter(({ practiceId }) => reaches(administers(actor), practiceId === undefined ? [] : [practiceId])));
}

function detailOf({ issuer, group, ...grant }: GroupGrant) {
  return { issuer, group, roles: rolesRecord([grant]) };
}

function concernOf({ practiceId }: MapGroup): AdminScope {
  return practiceId === undefined ? "every-practice" : { practiceId };
}

async function readGroupGrant(
  tx: Tx,
  actor: Actor,
  { issuer, group, role, practiceId }: MapGroup,
): Promise<Result<GroupGrant, AdminRefusal>> {
  const read = checked(schema, { issuer, group, grant: { role, practiceId } });
  if (!read.ok) return refuse(unnested(read.refusal));
  const strangers = await strangersAmong(tx, actor, practiceId === undefined ? [] : [practiceId]);
  if (strangers) return strangers;
  const grant: Grant = read.value.grant;
  return ok({ issuer: issuerName(read.value.issuer), group, ...grant });
}

/** Says of the role's fields what they are called where they are asked for. */
function unnested(refusal: AdminRefusal): AdminRefusal {
  if (refusal.type !== "invalid") return refusal;
  const issues = refusal.issues.map(({ field, problem }) => ({ field: field.replace(/^grant\./, ""), problem }));
  return { type: "invalid", issues };
}
