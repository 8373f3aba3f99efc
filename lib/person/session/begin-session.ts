import { ok, refuse, type Result } from "#lib/platform/result";
import { createSession, personByEmail, type ComesFrom } from "#lib/person/store/people";
import { clearFailures, recordSignInFailure } from "#lib/person/store/sign-in-failures";
import { giveBackTry, isWaiting, signInCounters, takeTry, type Counter } from "#lib/person/store/sign-in-tries";
import type { Store } from "#lib/db/db";
import { hasSecondFactor } from "#lib/person/store/second-factors";
import { isPasswordShut } from "#lib/person/store/sso-only";
import { inTurn } from "#lib/person/sign-in/hash-turns";
import { deviceOf } from "#lib/person/sign-in/known-device";
import { isPassword } from "#lib/person/sign-in/password";
import { noteWaiting } from "#lib/person/sign-in/waiting-tries";

export type Credentials = { readonly email: string; readonly password: string };

/** Who signed in, and the session row that every later request is checked against. */
export type NewSession = { readonly personId: string; readonly sessionId: string };

/** The password was right, or the provider vouched, and a second factor is to follow before there is a session. */
export type PendingSecondFactor = {
  readonly personId: string;
  readonly sessionId?: undefined;
  /** Of the provider, where it was one. */
  readonly issuer?: string | undefined;
};

/** `busy`: too many sign in just now, and nothing was looked at or counted. */
export type SignInFailure = "failed" | "busy";

const emailCharactersMax = 254;

/** Opens a session for a password alone; undefined too for whoever has a second factor to show. */
export async function beginSession(
  store: Store,
  credentials: Credentials,
  from: ComesFrom = {},
): Promise<NewSession | undefined> {
  const begun = await beginSignIn(store, credentials, from);
  return begun.ok && begun.value.sessionId !== undefined ? begun.value : undefined;
}

/**
 * Checks the password and opens a session, unless the person has a second
 * factor. `failed` for an unknown or disabled person, a wrong password, whoever
 * must wait, and whoever holds a role where only the single sign-on provider
 * lets in; all of these but waiting after the same work. Waiting is found by
 * what was typed and by where it comes from alone, whether or not there is such
 * an account, and then nothing is hashed and nothing written.
 */
export async function beginSignIn(
  store: Store,
  { email, password }: Credentials,
  from: ComesFrom = {},
): Promise<Result<NewSession | PendingSecondFactor, SignInFailure>> {
  const account = email.trim().toLowerCase().slice(0, emailCharactersMax);
  const { address } = from;
  const device = await deviceOf(store, { account, device: from.device });
  const counters = signInCounters({ account, address, device });
  if (await isWaiting(store, counters)) {
    noteWaiting(store, { account, address });
    return refuse("failed");
  }
  const lane = device === undefined ? "anybody" : "known";
  const done = await inTurn(lane, () => tryPassword(store, { account, password, from, counters }));
  return done.ok ? done.value : done;
}

type Tried = { account: string; password: string; from: ComesFrom; counters: readonly Counter[] };

async function tryPassword(
  store: Store,
  { account, password, from, counters }: Tried,
): Promise<Result<NewSession | PendingSecondFactor, "failed">> {
  const { address } = from;
  const tried = await takeTry(store, counters);
  if (!tried) {
    // Others took the last tries while this one waited for its turn.
    noteWaiting(store, { account, address });
    return refuse("failed");
  }
  const person = await personByEmail(store, account);
  const same = await isPassword(password, person?.passwordHash ?? undefined);
  const isShut = await isPasswordShut(store, person?.id);
  if (!same || isShut || person?.status !== "active") {
    await recordSignInFailure(store, { address, personId: person?.id });
    return refuse("failed");
  }
  await giveBackTry(store, tried);
  if (await hasSecondFactor(store, person.id)) return ok({ personId: person.id });
  await clearFailures(store, counters);
  const session = await createSession(store, { personId: person.id, ...from });
  return ok({ personId: person.id, sessionId: session.id });
}
