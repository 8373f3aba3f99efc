import { z } from "zod";
import type { Context } from "#lib/access/context";
import { isSubject, issuerName } from "#lib/person/model/identity";
import { ok, refuse, type Result } from "#lib/platform/result";
import { markLetIn } from "#lib/person/store/admin-people";
import { announce } from "#lib/db/announce";
import { dropGroupGrants } from "#lib/person/store/group-roles";
import { identityName, linkIdentity, unlinkIdentity } from "#lib/person/store/identities";
import { administer, administerProved } from "#lib/access/administer";
import { personProblems } from "#lib/messages/problems/admin";
import { administersAllOf, denyBeyondReach, lockAdministeredPerson } from "./administered-person.ts";
import { validate, identityIssuer } from "#lib/access/validate";
import { refuseAdminAccount } from "./change-grants.ts";
import { peopleChain } from "./create-person.ts";
import { isOnlyAdmin } from "./last-admin.ts";
import type { AdminRefusal } from "#lib/access/refusal";

const identitySchema = z.object({
  issuer: identityIssuer,
  subject: z.string().refine(isSubject, personProblems.identitySubject),
});

type PersonReference = { readonly id?: string | undefined; readonly email?: string | undefined };

export type LinkPerson = PersonReference & { readonly issuer: string; readonly subject: string };

/**
 * Lets a person sign in as this subject of this provider. The subject can then do everything the person may, so the
 * actor must administer all of it. Linking an existing link again changes nothing. Refuses an administrator where a
 * second one is wanted (`second-admin-first`).
 */
export async function linkPerson(
  ctx: Context,
  { id, email, ...input }: LinkPerson,
): Promise<Result<{ id: string }, AdminRefusal>> {
  return administerProved(ctx, "what-it-reads", async (tx) => {
    const parsed = validate(identitySchema, input);
    if (!parsed.ok) return parsed;
    const found = await lockAdministeredPerson(tx, ctx.actor, { id, email });
    if (!found.ok) return found;
    const person = found.value;
    if (!administersAllOf(ctx.actor, person)) return denyBeyondReach(tx, ctx.actor, person);
    const refused = await refuseAdminAccount(tx, ctx.actor, person);
    if (refused) return refused;
    const identity = { issuer: issuerName(parsed.value.issuer), subject: parsed.value.subject };
    const linked = await linkIdentity(tx, identity, person.id);
    if (linked === "others") return refuse({ type: "taken", what: "identity" });
    if (linked === "has-another") return refuse({ type: "taken", what: "link" });
    if (linked === "linked" && ctx.actor.kind === "person") await markLetIn(tx, person.id, ctx.actor.id);
    const detail = { person: person.id, issuer: identity.issuer, identity: identityName(identity) };
    const entries = linked === "linked" ? [{ act: "person.linked", detail } as const] : [];
    return ok({ value: { id: person.id }, chain: peopleChain, entries });
  });
}

export type UnlinkPerson = PersonReference & { readonly issuer: string };

/**
 * Removes the link. In the same commit, the sessions begun through the provider end, and the roles from its groups go.
 */
export async function unlinkPerson(
  ctx: Context,
  { id, email, ...input }: UnlinkPerson,
): Promise<Result<{ id: string; sessionsEnded: number }, AdminRefusal>> {
  const unlinked = await administer(ctx, "what-it-reads", async (tx) => {
    const parsed = validate(z.object({ issuer: identityIssuer }), input);
    if (!parsed.ok) return parsed;
    const found = await lockAdministeredPerson(tx, ctx.actor, { id, email });
    if (!found.ok) return found;
    const person = found.value;
    if (!administersAllOf(ctx.actor, person)) return denyBeyondReach(tx, ctx.actor, person);
    const issuer = issuerName(parsed.value.issuer);
    const through = ctx.actor.kind === "person" ? (ctx.actor.issuer ?? issuer) : issuer;
    if (await isOnlyAdmin(tx, ctx.actor, person, { issuer: through })) return refuse({ type: "last-admin" });
    const gone = await unlinkIdentity(tx, { issuer, personId: person.id });
    if (!gone) return refuse({ type: "not-found", what: "link" });
    // The roles from the provider's groups go with the link.
    await dropGroupGrants(tx, person.id);
    const { subject, sessionsEnded } = gone;
    const detail = { person: person.id, issuer, identity: identityName({ issuer, subject }), sessionsEnded };
    const value = { id: person.id, sessionsEnded };
    return ok({ value, chain: peopleChain, entries: [{ act: "person.unlinked", detail }] });
  });
  if (unlinked.ok) announce(ctx.store, "people", unlinked.value.id);
  return unlinked;
}
