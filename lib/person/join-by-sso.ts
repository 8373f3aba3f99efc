import type { SsoIdentity } from "#lib/person/model/identity";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPerson, markJoined } from "#lib/person/store/admin-people";
import { announce } from "#lib/db/announce";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { readGroups } from "#lib/person/store/group-roles";
import { identityName, linkIdentity } from "#lib/person/store/identities";
import { findLink, lockLink, removeLink } from "#lib/person/store/password-links";
import { createSession, personActor, type ComesFrom } from "#lib/person/store/people";
import { hasSecondFactor } from "#lib/person/store/second-factors";
import { endSessionsOf } from "#lib/person/store/sessions";
import { clearFailures } from "#lib/person/store/sign-in-failures";
import { signInCounters } from "#lib/person/store/sign-in-tries";
import { validate } from "#lib/access/validate";
import { linkProblem, nameSchema } from "./choose-password.ts";
import { peopleChain } from "./create-person.ts";
import { isStillAuthorized } from "./is-still-authorized.ts";
import { hashLinkToken } from "./password-link.ts";

/** Why a link was not accepted. It still works, unless it did not before. */
type JoinRefusal =
  | "link-over"
  | "link-gone"
  /** The name is not valid. */
  | "name"
  /** The provider's account is linked to another person. */
  | "taken"
  /** The link's person is linked to another account of the provider. */
  | "another";

type JoinedPerson =
  | { readonly personId: string; readonly sessionId: string }
  /** The person has a second factor here, which comes first. */
  | { readonly personId: string; readonly sessionId?: undefined; readonly issuer: string };

type JoinBySso = {
  readonly token: string;
  readonly name: string;
  readonly identity: SsoIdentity;
  readonly from?: ComesFrom | undefined;
};

/**
 * Accepts an invitation, or a link sent in place of a password, with an account of the single sign-on provider. In one
 * commit it links the two by issuer and subject, whatever the provider's email is, uses the link up and begins a
 * session. All earlier sessions end. The administrator who gave the link must still administer everything the person
 * may do.
 */
export async function joinBySso(
  store: Store,
  { token, name: given, identity, from = {} }: JoinBySso,
): Promise<Result<JoinedPerson, JoinRefusal>> {
  const link = await findLink(store, hashLinkToken(token));
  if (!link || link.isOver) return refuse(linkProblem(link));
  const isInvitation = link.status === "invited";
  const named = isInvitation ? validate(nameSchema, { name: given }) : ok({ name: link.name });
  if (!named.ok) return refuse("name");
  const whom = { personId: link.personId, isInvitation, name: named.value.name };
  const joined = await inTransaction(store, async (tx): Promise<Result<JoinedPerson, JoinRefusal>> => {
    const person = await lockPerson(tx, { id: link.personId });
    const held = await lockLink(tx, hashLinkToken(token));
    if (!held || person?.status !== link.status || !(await isStillAuthorized(tx, held, person)))
      return refuse("link-gone");
    const linked = await linkIdentity(tx, identity, person.id);
    if (linked === "others") return refuse("taken");
    if (linked === "has-another") return refuse("another");
    await acceptInvitation(tx, { ...whom, letInBy: held.givenBy }, identity);
    return ok(await startSession(tx, { personId: person.id, identity, from }));
  });
  if (!joined.ok) return joined;
  await clearFailures(store, signInCounters({ account: link.email, address: from.address }));
  announce(store, "people", link.personId);
  return joined;
}

type Invitee = {
  readonly personId: string;
  readonly name: string;
  readonly isInvitation: boolean;
  readonly letInBy: string | null;
};

async function acceptInvitation(tx: Tx, whom: Invitee, identity: SsoIdentity): Promise<void> {
  const { personId, name, isInvitation, letInBy } = whom;
  await removeLink(tx, personId);
  await markJoined(tx, personId, { name, letInBy });
  const detail = {
    ...{ person: personId, issuer: identity.issuer, identity: identityName(identity) },
    sessionsEnded: await endSessionsOf(tx, { personId }),
  };
  const act = isInvitation ? "person.joined" : "person.linked";
  await appendAudit(tx, { chain: peopleChain, actor: personActor(personId), act, detail });
  await readGroups(tx, { personId, issuer: identity.issuer }, identity.groups);
}

type SessionStart = { readonly personId: string; readonly identity: SsoIdentity; readonly from: ComesFrom };

async function startSession(tx: Tx, { personId, identity, from }: SessionStart): Promise<JoinedPerson> {
  const { issuer, hasSecondFactor: shown, authTime } = identity;
  if (!shown && (await hasSecondFactor(tx, personId))) return { personId, issuer };
  const by = shown ? "provider" : undefined;
  const session = await createSession(tx, { personId, issuer, by, provedAt: authTime ?? "long ago", ...from });
  return { personId, sessionId: session.id };
}
