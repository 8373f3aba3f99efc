import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { SsoIdentity } from "#lib/person/model/identity";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockAdmins } from "#lib/person/shared/admins";
import { announce } from "#lib/db/announce";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { inTransaction } from "#lib/db/db";
import { dropGroupGrants } from "#lib/person/store/group-roles";
import {
  identityName,
  linkIdentity,
  linkOf,
  personOfIdentity,
  unlinkIdentity,
  type LinkRecord,
} from "#lib/person/store/identities";
import { markProved } from "#lib/person/store/people";
import { hasSecondFactor, lockOwnFactors } from "#lib/person/store/second-factors";
import { canSignInOtherwise } from "#lib/person/store/sso-only";
import { requireRecentProof, type Self } from "#lib/person/second-factor/own-factors";

/** A person's own link to the provider, and whether they could sign in without it. */
export type OwnLink = LinkRecord & { readonly canSignInOtherwise: boolean };

export async function ownLink({ actor, store }: Context<PersonActor>, issuer: string): Promise<OwnLink | undefined> {
  const link = await linkOf(store, { issuer, personId: actor.id });
  return link && { ...link, canSignInOtherwise: await canSignInOtherwise(store.prisma, actor.id) };
}

/** Why a person's own account was not linked. */
export type LinkRefusal =
  | "proof-needed"
  /** The provider's account is linked to another person. */
  | "taken"
  /** The person is linked to another account of the provider. */
  | "another";

/** Links the provider's account to the actor. Needs a new proof of identity. */
export async function linkOwnAccount(self: Self, identity: SsoIdentity): Promise<Result<undefined, LinkRefusal>> {
  const proved = requireRecentProof(self);
  if (!proved.ok) return proved;
  const { actor, store } = self;
  const linked = await inTransaction(store, async (tx): Promise<Result<undefined, LinkRefusal>> => {
    await lockOwnFactors(tx, actor.id);
    const came = await linkIdentity(tx, identity, actor.id);
    if (came === "others") return refuse("taken");
    if (came === "has-another") return refuse("another");
    const detail = { person: actor.id, issuer: identity.issuer, identity: identityName(identity) };
    if (came === "linked") await appendAudit(tx, { chain: "people", actor, act: "person.linked", detail });
    return ok(undefined);
  });
  if (linked.ok) announce(store, "people", actor.id);
  return linked;
}

/**
 * Removes the link. Needs a new proof of identity. In the same commit, the sessions begun through the provider end, and
 * the roles from its groups go. `last-way`: the link is the only way they can sign in.
 */
export async function unlinkOwnAccount(
  self: Self,
  issuer: string,
): Promise<Result<undefined, "proof-needed" | "last-way" | "not-found">> {
  const proved = requireRecentProof(self);
  if (!proved.ok) return proved;
  const { actor, store } = self;
  const unlinked = await inTransaction(store, async (tx): Promise<Result<undefined, "last-way" | "not-found">> => {
    await lockOwnFactors(tx, actor.id);
    // Requiring single sign-on takes the same lock, so that the last administrator of every practice always keeps a way
    // to sign in.
    await lockAdmins(tx);
    if (!(await canSignInOtherwise(tx, actor.id))) return refuse("last-way");
    const gone = await unlinkIdentity(tx, { issuer, personId: actor.id });
    if (!gone) return refuse("not-found");
    await dropGroupGrants(tx, actor.id);
    const identity = identityName({ issuer, subject: gone.subject });
    const detail = { person: actor.id, issuer, identity, sessionsEnded: gone.sessionsEnded };
    await appendAudit(tx, { chain: "people", actor, act: "person.unlinked", detail });
    return ok(undefined);
  });
  if (unlinked.ok) announce(store, "people", actor.id);
  return unlinked;
}

/** Why the provider's answer proves nothing. */
export type ProofRefusal =
  /** The provider's account is another person's, or the session did not begin through this provider. */
  | "not-you"
  /** The person has a second factor here, and the provider reports none. */
  | "own-factor";

/** Accepts the provider's answer of this moment as a new proof that the session's person is still the same. */
export async function proveByProvider(
  { actor, store, sessionId }: Self,
  identity: SsoIdentity,
): Promise<Result<undefined, ProofRefusal>> {
  const person = await personOfIdentity(store, identity);
  if (actor.issuer !== identity.issuer || person?.id !== actor.id || person.status !== "active") {
    return refuse("not-you");
  }
  if (!identity.hasSecondFactor && (await hasSecondFactor(store, actor.id))) return refuse("own-factor");
  const by = identity.hasSecondFactor ? ("provider" as const) : undefined;
  const session = { personId: actor.id, sessionId, by, issuer: identity.issuer };
  const at = await inTransaction(store, (tx) => markProved(tx, session));
  return at ? ok(undefined) : refuse("not-you");
}
