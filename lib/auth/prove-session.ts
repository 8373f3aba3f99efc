import { markProved, personById } from "#lib/store/people";
import { clearSignInFailures, recordSignInFailure, signInAllowed } from "#lib/store/sign-in-failures";
import type { Store } from "#lib/store/db";
import { isPassword } from "./password.ts";

/** How somebody who is signed in proves again who they are. */
export type Proof = { readonly password: string };

/**
 * Checks the proof and notes in the session when it was given. Undefined for a
 * wrong one, an account that failed so often that it must wait, as at sign-in
 * and counted together with it, and a session that is over.
 */
export async function proveSession(
  store: Store,
  { personId, sessionId }: { personId: string; sessionId: string },
  { password }: Proof,
): Promise<Date | undefined> {
  const person = await personById(store, personId);
  const allowed = person !== undefined && (await signInAllowed(store, { account: person.email }));
  const same = await isPassword(password, person?.passwordHash ?? undefined);
  if (!person || !allowed) return undefined;
  if (!same || person.status !== "active") {
    await recordSignInFailure(store, { account: person.email, personId: person.id });
    return undefined;
  }
  await clearSignInFailures(store, { account: person.email });
  return markProved(store, { personId, sessionId });
}
