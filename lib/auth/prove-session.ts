import { inTransaction, type Store } from "#lib/store/db";
import { markProved, personById, type Person } from "#lib/store/people";
import { hasSecondFactor } from "#lib/store/second-factors";
import { clearSignInFailures, recordSignInFailure, recordWrongFactor } from "#lib/store/sign-in-failures";
import { giveBackTry, takeTry } from "#lib/store/sign-in-tries";
import { provesByPassword } from "#lib/store/sso-only";
import { checkCode } from "./check-code.ts";
import { isPassword } from "./password.ts";

/** How somebody who is signed in proves again who they are: by the password, or, with a second factor, by a code. */
export type Proof = { readonly typed: string };

type Session = { readonly personId: string; readonly sessionId: string };

/**
 * Checks the proof and notes in the session when it was given. Of somebody with
 * a second factor the password is none, nor is it in a session that was begun
 * through the provider, or of somebody whose practice shuts passwords out.
 * Undefined for a wrong one, an account that failed so often that it must wait,
 * as at sign-in and counted together with it, and a session that is over.
 */
export async function proveSession(store: Store, session: Session, { typed }: Proof): Promise<Date | undefined> {
  const person = await personById(store, session.personId);
  if (person && (await hasSecondFactor(store, person.id))) return proveByCode(store, { ...session, person }, typed);
  if (!(await provesByPassword(store, session))) return undefined;
  if (!(await isOwnPassword(store, session.personId, typed))) return undefined;
  return inTransaction(store, (tx) => markProved(tx, session));
}

/** Whether this is the person's own password; wrong ones count as at sign-in, and the account waits as there. */
export async function isOwnPassword(store: Store, personId: string, password: string): Promise<boolean> {
  const person = await personById(store, personId);
  const tried = person && (await takeTry(store, { account: person.email }));
  const same = await isPassword(password, person?.passwordHash ?? undefined);
  if (!person || !tried) return false;
  if (!same || person.status !== "active") {
    await recordSignInFailure(store, { personId: person.id });
    return false;
  }
  // Wrong codes stay counted until a right one is shown.
  if (await hasSecondFactor(store, person.id)) await giveBackTry(store, tried);
  else await clearSignInFailures(store, { account: person.email });
  return true;
}

async function proveByCode(
  store: Store,
  { person, personId, sessionId }: Session & { readonly person: Person },
  typed: string,
): Promise<Date | undefined> {
  if (person.status !== "active" || !(await takeTry(store, { account: person.email }))) return undefined;
  const right = await checkCode(store, personId, typed);
  const proved = await inTransaction(store, async (tx) => {
    if (!right || !(await right.spend(tx))) return "wrong";
    await clearSignInFailures(tx, { account: person.email });
    return markProved(tx, { personId, sessionId, by: right.kind });
  });
  if (proved !== "wrong") return proved;
  await recordWrongFactor(store, personId);
  return undefined;
}
