import { z } from "zod";
import type { Context } from "#lib/access/context";
import { roles, type Actor } from "#lib/access/model/actor";
import { isSameGrant, rolesRecord, type Grant } from "#lib/access/model/grant";
import { ok, refuse, type Result } from "#lib/platform/result";
import { announce } from "#lib/db/announce";
import { replaceGrants } from "#lib/person/store/grants";
import { administerProved, type Entry } from "#lib/access/administer";
import { requestChange, wantingSecondAdmin, type Awaiting } from "#lib/access/second-admin";
import { lockPerson } from "#lib/person/store/admin-people";
import type { Tx } from "#lib/db/db";
import { personProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";
import { beyondReach, lockAdministeredPerson, mayGrant } from "./administered-person.ts";
import { validate } from "#lib/access/validate";
import { peopleChain } from "./create-person.ts";
import { refuseUnknownPractices } from "#lib/practice/refuse-unknown-practices";
import { isOnlyAdmin } from "./last-admin.ts";
import type { AdminRefusal } from "#lib/access/refusal";

/** A role to give or take. A reviewer's role names its practice. */
export const grantSchema = z
  .object({ role: z.enum(roles, problems.of(roles)), practiceId: z.string().max(64).optional() })
  .refine(({ role, practiceId }) => role !== "reviewer" || practiceId !== undefined, {
    path: ["practices"],
    message: personProblems.decidingRoles,
  });

export const grantList = z.array(grantSchema).max(3_000, problems.listMax(3_000, "roles"));

export type ChangeGrants = {
  readonly id?: string | undefined;
  readonly email?: string | undefined;
  readonly add?: readonly { readonly role: string; readonly practiceId?: string | undefined }[];
  readonly remove?: readonly { readonly role: string; readonly practiceId?: string | undefined }[];
};

export type ChangedGrants = Awaiting & { readonly id: string; readonly grants: readonly Grant[] };

/**
 * Gives and takes roles, from the person's next request on. Administrators do it in their own practices only and cannot
 * give themselves a role. The last administrator of every practice keeps that role (`last-admin`), except against the
 * operator. The role of an administrator where a second one is wanted is given once one confirms.
 */
export async function changeGrants(
  ctx: Context,
  { id, email, add = [], remove = [] }: ChangeGrants,
): Promise<Result<ChangedGrants, AdminRefusal>> {
  const changed = await administerProved(ctx, "what-it-reads", async (tx) => {
    const [given, taken] = [validate(grantList, add), validate(grantList, remove)];
    if (!given.ok) return given;
    if (!taken.ok) return taken;
    const { actor } = ctx;
    const found = await lockAdministeredPerson(tx, actor, { id, email });
    if (!found.ok) return found;
    const person = found.value;
    const wanted = changesOf(person.byAdmin, given.value, taken.value);
    const waiting = await adminGrantsWaiting(tx, actor, wanted.added);
    const atOnce = given.value.filter((grant) => !waiting.some((other) => isSameGrant(other, grant)));
    const { added, removed, next } = changesOf(person.byAdmin, atOnce, taken.value);
    const requested = [...given.value, ...taken.value];
    const practices = new Set(requested.flatMap(({ practiceId }) => practiceId ?? []));
    const unknown = await refuseUnknownPractices(tx, actor, [...practices]);
    if (unknown) return unknown;
    if (!mayGrant(actor, requested)) return beyondReach;
    if (isSelf(actor, person.id) && wanted.added.length > 0) return refuse({ type: "own-rights" });
    const endsAdmin = removed.some(({ role, practiceId }) => role === "admin" && practiceId === undefined);
    if (endsAdmin && (await isOnlyAdmin(tx, actor, person))) return refuse({ type: "last-admin" });
    const isByGroup = (grant: Grant) => person.byGroup.some((other) => isSameGrant(other, grant));
    if (taken.value.some(isByGroup)) return refuse({ type: "by-group" });
    const held = [...next, ...person.byGroup.filter((grant) => !next.some((other) => isSameGrant(other, grant)))];
    const request =
      waiting.length > 0
        ? await requestChange(tx, actor, {
            change: { kind: "admin-roles", personId: person.id, roles: waiting },
            scope: scopeOf(waiting),
          })
        : undefined;
    const entries: Entry[] = request ? [request.entry] : [];
    const grants = held.filter((grant) => mayGrant(actor, [grant]));
    const value = { id: person.id, grants, awaiting: request?.id };
    if (added.length + removed.length === 0) return ok({ value, chain: peopleChain, entries });
    const unassigned = await replaceGrants(tx, { personId: person.id, by: "hand" }, next);
    const detail = {
      person: person.id,
      added: rolesRecord(added),
      removed: rolesRecord(removed),
      ...(unassigned > 0 ? { unassigned } : {}),
    };
    return ok({ value, chain: peopleChain, entries: [{ act: "person.changed", detail }, ...entries] });
  });
  if (changed.ok) announce(ctx.store, "people", changed.value.id);
  return changed;
}

/** An administrator's role, in one practice or in every one. */
export type AdminGrant = { readonly role: "admin"; readonly practiceId?: string | undefined };

/** Those of these roles that wait for a second administrator. One over every practice waits where any practice wants it. */
export async function adminGrantsWaiting(
  tx: Tx,
  actor: Actor,
  grants: readonly Grant[],
): Promise<readonly AdminGrant[]> {
  const ofAdmins = grants.flatMap(({ role, practiceId }): AdminGrant[] =>
    role === "admin" ? [{ role, practiceId }] : [],
  );
  if (ofAdmins.length === 0) return [];
  const everywhere = ofAdmins.some(({ practiceId }) => practiceId === undefined);
  const named = ofAdmins.flatMap(({ practiceId }) => practiceId ?? []);
  const wanting = await wantingSecondAdmin(tx, actor, everywhere ? "every" : named);
  return ofAdmins.filter(({ practiceId }) =>
    practiceId === undefined ? wanting.length > 0 : wanting.includes(practiceId),
  );
}

/**
 * Refuses a way into an account that has the role of an administrator where a second one is wanted: whoever opens it to
 * somebody makes them an administrator. Undefined where nobody else is wanted, and for one's own account.
 */
export async function refuseAdminAccount(
  tx: Tx,
  actor: Actor,
  { id, grants }: { readonly id: string; readonly grants: readonly Grant[] },
) {
  if (isSelf(actor, id) || (await adminGrantsWaiting(tx, actor, grants)).length === 0) return undefined;
  return refuse({ type: "second-admin-first" as const });
}

/** The practices whose administrators may confirm these roles; none means those of every practice. */
export function scopeOf(grants: readonly Grant[]): readonly string[] {
  if (grants.some(({ practiceId }) => practiceId === undefined)) return [];
  return [...new Set(grants.flatMap(({ practiceId }) => practiceId ?? []))];
}

/** Gives roles to a person; part of what a second administrator confirms. */
export async function addGrants(
  tx: Tx,
  actor: Actor,
  { personId, roles: added }: { readonly personId: string; readonly roles: readonly Grant[] },
): Promise<Result<readonly Entry[], AdminRefusal>> {
  const person = await lockPerson(tx, { id: personId });
  if (!person) return refuse({ type: "not-found", what: "person" });
  if (person.status === "disabled") return refuse({ type: "account-deactivated" });
  if (isSelf(actor, person.id)) return refuse({ type: "own-rights" });
  const missing = added.filter((grant) => !person.byAdmin.some((other) => isSameGrant(other, grant)));
  if (missing.length === 0) return ok([]);
  await replaceGrants(tx, { personId, by: "hand" }, [...person.byAdmin, ...missing]);
  const detail = { person: personId, added: rolesRecord(missing), removed: [] };
  return ok([{ act: "person.changed", detail }]);
}

function isSelf(actor: Actor, personId: string): boolean {
  return actor.kind === "person" && actor.id === personId;
}

function changesOf(before: readonly Grant[], add: readonly Grant[], remove: readonly Grant[]) {
  const includesGrant = (list: readonly Grant[], grant: Grant) => list.some((other) => isSameGrant(other, grant));
  const fresh = add.filter((grant) => !includesGrant(before, grant) && !includesGrant(remove, grant));
  const added = fresh.filter((grant, index) => !includesGrant(fresh.slice(0, index), grant));
  const removed = before.filter((grant) => includesGrant(remove, grant));
  return { added, removed, next: [...before.filter((grant) => !includesGrant(removed, grant)), ...added] };
}
