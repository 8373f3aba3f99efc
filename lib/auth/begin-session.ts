import { createSession, personByEmail, type ComesFrom } from "#lib/store/people";
import {
  clearSignInFailures,
  recordSignInFailure,
  recordSignInWaiting,
  signInAllowed,
} from "#lib/store/sign-in-failures";
import type { Store } from "#lib/store/db";
import { isPassword } from "./password.ts";

export type Credentials = { readonly email: string; readonly password: string };

/** Who signed in, and the session row that every later request is checked against. */
export type Begun = { readonly personId: string; readonly sessionId: string };

const emailCharactersMax = 254;

/**
 * Checks the password and opens a session. Undefined, after the same work, for
 * an unknown or disabled person, a wrong password, and an account or an address
 * that failed so often that it must wait.
 */
export async function beginSession(
  store: Store,
  { email, password }: Credentials,
  from: ComesFrom = {},
): Promise<Begun | undefined> {
  const account = email.trim().toLowerCase().slice(0, emailCharactersMax);
  const attempt = { account, address: from.address };
  const allowed = await signInAllowed(store, attempt);
  const person = await personByEmail(store, account);
  const same = await isPassword(password, person?.passwordHash ?? undefined);
  if (!allowed) {
    await recordSignInWaiting(store, { ...attempt, personId: person?.id });
    return undefined;
  }
  if (!same || person?.status !== "active") {
    await recordSignInFailure(store, { ...attempt, personId: person?.id });
    return undefined;
  }
  await clearSignInFailures(store, attempt);
  const session = await createSession(store, { personId: person.id, ...from });
  return { personId: person.id, sessionId: session.id };
}
