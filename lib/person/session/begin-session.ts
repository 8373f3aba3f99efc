import { ok, refuse, type Result } from "#lib/platform/result";
import { accountEmail } from "#lib/person/model/account-email";
import { createSession, lockUnchanged, personByEmail, type ComesFrom } from "#lib/person/store/people";
import { clearFailures, recordSignInFailure } from "#lib/person/store/sign-in-failures";
import { giveBackTry, isWaiting, signInCounters, takeTry, type Counter } from "#lib/person/store/sign-in-tries";
import { inTransaction, type Store } from "#lib/db/db";
import { hasSecondFactor } from "#lib/person/store/second-factors";
import { isPasswordShut } from "#lib/person/store/sso-only";
import { inTurn } from "#lib/person/sign-in/hash-turns";
import { deviceOf } from "#lib/person/sign-in/known-device";
import { isPassword } from "#lib/person/sign-in/password";
import { noteDelayedTry } from "#lib/person/sign-in/delayed-tries";

export type Credentials = { readonly email: string; readonly password: string };

/** The person who signed in, and the session row that every later request is checked against. */
export type NewSession = { readonly personId: string; readonly sessionId: string };

/** The first step succeeded, and a second factor is still required before there is a session. */
export type PendingSecondFactor = {
  readonly personId: string;
  readonly sessionId?: undefined;
  /** The provider of the first step, where it was one. */
  readonly issuer?: string | undefined;
};

/** `busy`: too many people are signing in; nothing was checked or counted. */
export type SignInFailure = "failed" | "busy";

const emailCharactersMax = 254;

/** Begins a session for a correct password; undefined also for a person who has a second factor. */
export async function beginSession(
  store: Store,
  credentials: Credentials,
  from: ComesFrom = {},
): Promise<NewSession | undefined> {
  const begun = await beginSignIn(store, credentials, from);
  return begun.ok && begun.value.sessionId !== undefined ? begun.value : undefined;
}

/**
 * Checks the password and begins a session, unless the person has a second factor. `failed` for an unknown or
 * deactivated person, a wrong password, a person who must wait, and a person whose practice requires single sign-on;
 * all but the wait take the same work. Whether a try must wait depends only on the typed email and the address it comes
 * from, not on whether the account exists; then nothing is hashed or written.
 */
export async function beginSignIn(
  store: Store,
  { email, password }: Credentials,
  from: ComesFrom = {},
): Promise<Result<NewSession | PendingSecondFactor, SignInFailure>> {
  const account = accountEmail(email).slice(0, emailCharactersMax);
  const { address } = from;
  const device = await deviceOf(store, { account, device: from.device });
  const counters = signInCounters({ account, address, device });
  if (await isWaiting(store, counters)) {
    noteDelayedTry(store, { account, address });
    return refuse("failed");
  }
  const lane = device === undefined ? "anybody" : "known";
  const done = await inTurn(lane, () => tryPassword(store, { account, password, from, counters }));
  return done.ok ? done.value : done;
}

type PasswordTry = { account: string; password: string; from: ComesFrom; counters: readonly Counter[] };

async function tryPassword(
  store: Store,
  { account, password, from, counters }: PasswordTry,
): Promise<Result<NewSession | PendingSecondFactor, "failed">> {
  const { address } = from;
  const tried = await takeTry(store, counters);
  if (!tried) {
    // Concurrent tries used up the limit while this one waited for its turn.
    noteDelayedTry(store, { account, address });
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
  const session = await inTransaction(store, async (tx) =>
    // Looked at again under the person's lock, because the check took its time.
    (await lockUnchanged(tx, person)) ? createSession(tx, { personId: person.id, ...from }) : undefined,
  );
  if (!session) return refuse("failed");
  await clearFailures(store, counters);
  return ok({ personId: person.id, sessionId: session.id });
}
