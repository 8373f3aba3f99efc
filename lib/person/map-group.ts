import { z } from "zod";
import type { Context } from "#lib/access/context";
import { administers, reaches, type Actor } from "#lib/access/model/actor";
import { rolesRecord, type Grant } from "#lib/access/model/grant";
import { issuerName } from "#lib/person/model/identity";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice } from "#lib/practice/shared/practices";
import { announce } from "#lib/db/announce";
import type { AdminAct } from "#lib/audit/model/entry";
import type { Tx } from "#lib/db/db";
import {
  deleteGroupRole,
  insertGroupRole,
  listGroupRoles,
  narrowGroupGrants,
  type GroupGrant,
  type GroupRecord,
} from "#lib/person/store/group-roles";
import { keepVersion } from "#lib/access/shared/settings-versions";
import { administerProved, mayAdminister, type AdminScope, type Entry } from "#lib/access/administer";
import { requestChange, type Awaiting } from "#lib/access/second-admin";
import { problems } from "#lib/messages/problems/field";
import { adminGrantsWaiting, grantSchema } from "./change-grants.ts";
import { validate, identityIssuer } from "#lib/access/validate";
import { peopleChain } from "./create-person.ts";
import { deny } from "#lib/access/deny";
import { refuseUnknownPractices } from "#lib/practice/refuse-unknown-practices";
import type { AdminRefusal } from "#lib/access/refusal";

export type { GroupRecord };

const groupText = z
  .string()
  .min(1, problems.notEmpty)
  .max(255, problems.charactersMax(255))
  .regex(/^\P{Cc}*$/u, problems.noControlCharacters);

const schema = z.object({ issuer: identityIssuer, group: groupText, grant: grantSchema });

/** A role that a group of the provider gives to its members; in every practice where none is named. */
export type MapGroup = {
  readonly issuer: string;
  /** Exactly as the provider's id token names it. */
  readonly group: string;
  readonly role: string;
  readonly practiceId?: string | undefined;
};

/**
 * Gives a role to a group of the provider. Its members have the role from their next sign-in through the provider on,
 * except the administrator who does this. The actor must administer the practices of the role. The role of an
 * administrator where a second one is wanted is given once one confirms.
 */
export async function mapGroup(ctx: Context, input: MapGroup): Promise<Result<Awaiting, AdminRefusal>> {
  return administerProved(ctx, scopeOf(input), async (tx) => {
    const parsed = await readGroupGrant(tx, ctx.actor, input);
    if (!parsed.ok) return parsed;
    const { issuer, group, practiceId } = parsed.value;
    const [waiting] = await adminGrantsWaiting(tx, ctx.actor, [parsed.value]);
    if (waiting) {
      const { id, entry } = await requestChange(tx, ctx.actor, {
        change: { kind: "admin-group", issuer, group, practiceId },
        scope: practiceId === undefined ? [] : [practiceId],
      });
      return ok({ value: { awaiting: id }, chain: peopleChain, entries: [entry] });
    }
    return ok({ value: {}, chain: peopleChain, entries: await addGroupGrant(tx, ctx.actor, parsed.value) });
  });
}

/**
 * Gives a group a role; also where a second administrator confirms it. Then `requestedBy` is who gives it, and does not
 * get it from there themselves.
 */
export async function addGroupGrant(
  tx: Tx,
  actor: Actor,
  { requestedBy, ...grant }: GroupGrant & { readonly requestedBy?: string },
): Promise<readonly Entry[]> {
  const isNew = await insertGroupRole(tx, grant, requestedBy ?? (actor.kind === "person" ? actor.id : undefined));
  if (!isNew) return [];
  await keepVersionOf(tx, actor, "group.mapped", grant);
  return [{ act: "group.mapped", detail: detailOf(grant) }];
}

/** Takes a role from a group, and at once from everyone who has it through that group alone. */
export async function unmapGroup(
  ctx: Context,
  input: MapGroup,
): Promise<Result<{ peopleChanged: number }, AdminRefusal>> {
  const unmapped = await administerProved(ctx, scopeOf(input), async (tx) => {
    const parsed = await readGroupGrant(tx, ctx.actor, input);
    if (!parsed.ok) return parsed;
    if (!(await deleteGroupRole(tx, parsed.value))) return refuse({ type: "not-found", what: "group" });
    await keepVersionOf(tx, ctx.actor, "group.unmapped", parsed.value);
    const people = await narrowGroupGrants(tx, parsed.value);
    const detail = { ...detailOf(parsed.value), people };
    return ok({ value: people, chain: peopleChain, entries: [{ act: "group.unmapped", detail }] });
  });
  if (!unmapped.ok) return unmapped;
  for (const personId of unmapped.value) announce(ctx.store, "people", personId);
  return ok({ peopleChanged: unmapped.value.length });
}

/** The groups' roles in a practice are part of the practice's settings, so they keep a version of them. */
async function keepVersionOf(tx: Tx, actor: Actor, act: AdminAct, { practiceId }: GroupGrant): Promise<void> {
  if (practiceId === undefined) return;
  await lockPractice(tx, practiceId);
  await keepVersion(tx, { practiceId, subject: "practice", actor, act });
}

/** The roles of groups in the practices that the actor administers. */
export async function listGroups({ actor, store }: Context): Promise<Result<readonly GroupRecord[], AdminRefusal>> {
  if (!mayAdminister(actor, "what-it-reads")) return deny({ actor, store }, "people");
  const list = await listGroupRoles(store);
  return ok(list.filter(({ practiceId }) => reaches(administers(actor), practiceId === undefined ? [] : [practiceId])));
}

function detailOf({ issuer, group, ...grant }: GroupGrant) {
  return { issuer, group, roles: rolesRecord([grant]) };
}

function scopeOf({ practiceId }: MapGroup): AdminScope {
  return practiceId === undefined ? "every-practice" : { practiceId };
}

async function readGroupGrant(
  tx: Tx,
  actor: Actor,
  { issuer, group, role, practiceId }: MapGroup,
): Promise<Result<GroupGrant, AdminRefusal>> {
  const read = validate(schema, { issuer, group, grant: { role, practiceId } });
  if (!read.ok) return refuse(withoutGrantPrefix(read.refusal));
  const unknown = await refuseUnknownPractices(tx, actor, practiceId === undefined ? [] : [practiceId]);
  if (unknown) return unknown;
  const grant: Grant = read.value.grant;
  return ok({ issuer: issuerName(read.value.issuer), group, ...grant });
}

/** Names the fields of the role as the form names them. */
function withoutGrantPrefix(refusal: AdminRefusal): AdminRefusal {
  if (refusal.type !== "invalid") return refusal;
  const issues = refusal.issues.map(({ field, problem }) => ({ field: field.replace(/^grant\./, ""), problem }));
  return { type: "invalid", issues };
}
