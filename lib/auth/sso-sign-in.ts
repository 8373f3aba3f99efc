import { isSameGrant, rolesRecord, type Grant } from "#lib/domain/grant";
import { lockPerson } from "#lib/store/admin-people";
import { announce } from "#lib/store/announce";
import { appendAudit } from "#lib/store/audit";
import { inTransaction, type Store } from "#lib/store/db";
import { takeGroups } from "#lib/store/group-roles";
import { personOfIdentity, recordSignInRefused } from "#lib/store/identities";
import { hasSecondFactor } from "#lib/store/second-factors";
import { createSession, type ComesFrom } from "#lib/store/people";
import type { Begun, HalfBegun } from "./begin-session.ts";
import type { SsoIdentity } from "./sso-flow.ts";

/**
 * Opens a session for whoever is linked to this identity, with the roles its groups give in place of those they gave
 * before; undefined, and on record, where nobody active is linked. Who has a second factor here shows it first, unless
 * the provider says that it was shown one.
 */
export async function signInBySso(
  store: Store,
  { issuer, subject, groups, hasSecondFactor: shown }: SsoIdentity,
  from: ComesFrom = {},
): Promise<Begun | HalfBegun | undefined> {
  const person = await personOfIdentity(store, { issuer, subject });
  if (person?.status !== "active") {
    await recordSignInRefused(store, { issuer, subject }, person?.id);
    return undefined;
  }
  await readGroups(store, { personId: person.id, issuer }, groups);
  if (!shown && (await hasSecondFactor(store, person.id))) return { personId: person.id, issuer };
  const by = shown ? "provider" : undefined;
  const session = await createSession(store, { personId: person.id, issuer, by, ...from });
  return { personId: person.id, sessionId: session.id };
}

const without = (list: readonly Grant[], others: readonly Grant[]) =>
  list.filter((grant) => !others.some((other) => isSameGrant(other, grant)));

async function readGroups(
  store: Store,
  { personId, issuer }: { readonly personId: string; readonly issuer: string },
  groups: readonly string[],
): Promise<void> {
  const changed = await inTransaction(store, async (tx) => {
    await lockPerson(tx, { id: personId });
    const { before, after } = await takeGroups(tx, { personId, issuer }, groups);
    const [added, removed] = [without(after, before), without(before, after)];
    if (added.length + removed.length === 0) return false;
    const detail = { person: personId, added: rolesRecord(added), removed: rolesRecord(removed) };
    await appendAudit(tx, { chain: "people", actor: { kind: "worker" }, act: "person.groups-read", detail });
    return true;
  });
  if (changed) announce(store, "people", personId);
}
