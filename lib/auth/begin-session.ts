import {
  clearSignInFailures,
  createSession,
  personByEmail,
  recordSignInFailure,
  signInAllowed,
} from "#lib/store/people";
import type { Store } from "#lib/store/db";
import { isPassword } from "./password.ts";

export type Credentials = { readonly email: string; readonly password: string };

/** Who signed in, and the session row that every later request is checked against. */
export type Begun = { readonly personId: string; readonly sessionId: string };

const emailCharactersMax = 254;

/**
 * Checks the password and opens a session. Undefined, after the same work, for
 * an unknown or disabled person, a wrong password, and an account that failed
 * so often that it must wait.
 */
export async function beginSession(store: Store, { email, password }: Credentials): Promise<Begun | undefined> {
  const account = email.trim().toLowerCase().slice(0, emailCharactersMax);
  const allowed = await signInAllowed(store, account);
  const person = await personByEmail(store, account);
  const same = await isPassword(password, person?.passwordHash ?? undefined);
  if (!allowed) return undefined;
  if (!same || person?.status !== "active") {
    await recordSignInFailure(store, account, person?.id);
    return undefined;
  }
  await clearSignInFailures(store, account);
  const session = await createSession(store, { personId: person.id });
  return { personId: person.id, sessionId: session.id };
}
