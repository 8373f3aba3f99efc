import type { Store } from "#lib/store/db";
import { personOfIdentity, recordSignInRefused } from "#lib/store/identities";
import { createSession } from "#lib/store/people";
import type { Begun } from "./begin-session.ts";
import type { SsoIdentity } from "./sso-flow.ts";

/** Opens a session for whoever is linked to this identity; undefined, and on record, where nobody active is. */
export async function signInBySso(store: Store, { issuer, subject }: SsoIdentity): Promise<Begun | undefined> {
  const person = await personOfIdentity(store, { issuer, subject });
  if (person?.status !== "active") {
    await recordSignInRefused(store, { issuer, subject }, person?.id);
    return undefined;
  }
  const session = await createSession(store, { personId: person.id, issuer });
  return { personId: person.id, sessionId: session.id };
}
