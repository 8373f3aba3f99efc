import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { SsoIdentity } from "#lib/person/model/identity";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockAdmins } from "#lib/person/store/admin-people";
import { announce } from "#lib/db/announce";
import { appendAudit } from "#lib/audit/store/audit";
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
import { hasOtherWay } from "#lib/person/store/sso-only";
import { provedSelf, type Self } from "#lib/person/second-factor/own-factors";

/** Somebody's own account of the provider, and whether they could sign in without it. */
export type OwnLink = LinkRecord & { readonly hasOtherWay: boolean };

export async function ownLink({ actor, store }: Context<PersonActor>, issuer: string): Promise<OwnLink | undefined> {
  const link = await linkOf(store, { issuer, personId: actor.id });
  return link && { ...link, hasOtherWay: await hasOtherWay(store.prisma, actor.id) };
}

/** Why somebody's own account was not linked. */
export type LinkRefusal =
  | "proof-needed"
  /** The provider's account is somebody else's here. */
  | "taken"
  /** Another account of the provider is linked to them. */
  | "another";

/** Links the account the provider vouched for to whoever asks, for a new proof of who they are. */
export async function linkOwn(self: Self, identity: SsoIdentity): Promise<Result<undefined, LinkRefusal>> {
  const proved = provedSelf(self);
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
 * Undoes it for a new proof, and ends in the same commit the sessions begun through the provider and what its groups
 * gave. `last-way`: nothing else would let them in.
 */
export async function unlinkOwn(
  self: Self,
  issuer: string,
): Promise<Result<undefined, "proof-needed" | "last-way" | "not-found">> {
  const proved = provedSelf(self);
  if (!proved.ok) return proved;
  const { actor, store } = self;
  const unlinked = await inTransaction(store, async (tx): Promise<Result<undefined, "last-way" | "not-found">> => {
    await lockOwnFactors(tx, actor.id);
    // What shuts passwords out waits for this, or this for it: the last who administers everything stays able to come.
    await lockAdmins(tx);
    if (!(await hasOtherWay(tx, actor.id))) return refuse("last-way");
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

/** Why what the provider said proves nothing. */
export type NotProved =
  /** They came as somebody else, or the session was not begun through this provider. */
  | "not-you"
  /** They have a second factor here, and the provider says of none. */
  | "own-factor";

/** Takes the provider's word, given just now, that the person behind this session is still the one it was begun by. */
export async function proveByProvider(
  { actor, store, sessionId }: Self,
  identity: SsoIdentity,
): Promise<Result<undefined, NotProved>> {
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
