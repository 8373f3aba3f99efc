import { createSession, personByEmail, type ComesFrom } from "#lib/store/people";
import { clearSignInFailures, recordSignInFailure } from "#lib/store/sign-in-failures";
import { giveBackTry, takeTry } from "#lib/store/sign-in-tries";
import type { Store } from "#lib/store/db";
import { hasSecondFactor } from "#lib/store/second-factors";
import { isPasswordShut } from "#lib/store/sso-only";
import { isPassword } from "./password.ts";

export type Credentials = { readonly email: string; readonly password: string };

/** Who signed in, and the session row that every later request is checked against. */
export type Begun = { readonly personId: string; readonly sessionId: string };

/** The password was right, or the provider vouched, and a second factor is to follow before there is a session. */
export type HalfBegun = {
  readonly personId: string;
  readonly sessionId?: undefined;
  /** Of the provider, where it was one. */
  readonly issuer?: string | undefined;
};

const emailCharactersMax = 254;

/** Opens a session for a password alone; undefined too for whoever has a second factor to show. */
export async function beginSession(
  store: Store,
  credentials: Credentials,
  from: ComesFrom = {},
): Promise<Begun | undefined> {
  const begun = await beginSignIn(store, credentials, from);
  return begun?.sessionId === undefined ? undefined : begun;
}

/**
 * Checks the password and opens a session, unless the person has a second
 * factor. Undefined, after the same work, for an unknown or disabled person, a
 * wrong password, an account or an address that failed so often that it must
 * wait, and whoever holds a role where only the single sign-on provider lets in.
 */
export async function beginSignIn(
  store: Store,
  { email, password }: Credentials,
  from: ComesFrom = {},
): Promise<Begun | HalfBegun | undefined> {
  const account = email.trim().toLowerCase().slice(0, emailCharactersMax);
  const attempt = { account, address: from.address };
  const tried = await takeTry(store, attempt);
  const person = await personByEmail(store, account);
  const same = await isPassword(password, person?.passwordHash ?? undefined);
  const isShut = await isPasswordShut(store, person?.id);
  if (!tried) {
    await recordSignInFailure(store, { address: from.address, personId: person?.id, waiting: true });
    return undefined;
  }
  if (!same || isShut || person?.status !== "active") {
    await recordSignInFailure(store, { address: from.address, personId: person?.id });
    return undefined;
  }
  await giveBackTry(store, tried);
  // Failures stay counted until the second factor is shown, or whoever knows the password could guess codes for ever.
  if (await hasSecondFactor(store, person.id)) return { personId: person.id };
  await clearSignInFailures(store, attempt);
  const session = await createSession(store, { personId: person.id, ...from });
  return { personId: person.id, sessionId: session.id };
}
