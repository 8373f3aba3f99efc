import type { SsoIdentity } from "#lib/person/model/identity";
import { lockPerson } from "#lib/person/store/admin-people";
import { announce } from "#lib/db/announce";
import { inTransaction, type Store } from "#lib/db/db";
import { readGroups } from "#lib/person/store/group-roles";
import { personOfIdentity, recordSignInRefused } from "#lib/person/store/identities";
import { hasSecondFactor } from "#lib/person/store/second-factors";
import { createSession, type ComesFrom } from "#lib/person/store/people";
import type { NewSession, PendingSecondFactor } from "#lib/person/session/begin-session";

/**
 * Begins a session for the person linked to this account, with the roles that its groups give now in place of the
 * earlier ones. Undefined, with an audit entry, where no active person is linked. A person with a second factor here
 * shows it first, unless the provider reports one. The session's proof of identity dates from when the provider
 * authenticated the person, which may be earlier.
 */
export async function signInBySso(
  store: Store,
  { issuer, subject, groups, hasSecondFactor: shown, authTime }: SsoIdentity,
  from: ComesFrom = {},
): Promise<NewSession | PendingSecondFactor | undefined> {
  const person = await personOfIdentity(store, { issuer, subject });
  if (person?.status !== "active") {
    await recordSignInRefused(store, { issuer, subject }, person?.id);
    return undefined;
  }
  const begun = await inTransaction(store, async (tx) => {
    await lockPerson(tx, { id: person.id });
    // Read again under the lock: whoever unlinks or deactivates them meanwhile ends no session that is not there yet.
    const still = await personOfIdentity({ prisma: tx }, { issuer, subject });
    if (still?.id !== person.id || still.status !== "active") return undefined;
    const changed = await readGroups(tx, { personId: person.id, issuer }, groups);
    if (!shown && (await hasSecondFactor(tx, person.id))) return { changed, value: { personId: person.id, issuer } };
    const by = shown ? "provider" : undefined;
    const opened = { personId: person.id, issuer, by, provedAt: authTime ?? "long ago", ...from } as const;
    const { id: sessionId } = await createSession(tx, opened);
    return { changed, value: { personId: person.id, sessionId } };
  });
  if (!begun) {
    await recordSignInRefused(store, { issuer, subject }, person.id);
    return undefined;
  }
  if (begun.changed) announce(store, "people", person.id);
  return begun.value;
}
