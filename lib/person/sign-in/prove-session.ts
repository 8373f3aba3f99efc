import { inTransaction, type Store } from "#lib/db/db";
import { markProved, personById, type Person } from "#lib/person/store/people";
import { hasSecondFactor } from "#lib/person/store/second-factors";
import { clearFailures, recordWrongFactor, recordWrongProof } from "#lib/person/store/sign-in-failures";
import { giveBackTry, proofCounters, takeTry } from "#lib/person/store/sign-in-tries";
import { provesByPassword } from "#lib/person/store/sso-only";
import { checkCode } from "#lib/person/second-factor/check-code";
import { inTurn } from "./hash-turns.ts";
import { isPassword } from "./password.ts";
import { noteDelayedTry } from "./delayed-tries.ts";

/**
 * How a signed-in person proves who they are again: with the password or, where they have a second factor, with a code.
 */
export type Proof = { readonly typed: string };

type Session = { readonly personId: string; readonly sessionId: string };

/**
 * Checks the proof and notes its time in the session. The password is no proof for a person with a second factor, in a
 * session begun through the provider, or where a practice requires single sign-on. Undefined for a wrong proof, for a
 * session that must wait after too many wrong ones, and for an ended session; `busy` where too many are checked at this
 * moment. Each session has its own count, so tries at sign-in do not affect it.
 */
export async function proveSession(
  store: Store,
  session: Session,
  { typed }: Proof,
): Promise<Date | "busy" | undefined> {
  const person = await personById(store, session.personId);
  if (person && (await hasSecondFactor(store, person.id))) return proveByCode(store, { ...session, person }, typed);
  if (!(await provesByPassword(store, session))) return undefined;
  const own = await isOwnPassword(store, session, typed);
  if (own !== true) return own === "busy" ? own : undefined;
  return inTransaction(store, (tx) => markProved(tx, session));
}

/**
 * Whether this is the person's own password. Wrong ones count for the session alone, which then waits as a sign-in
 * does.
 */
export async function isOwnPassword(store: Store, session: Session, password: string): Promise<boolean | "busy"> {
  const { personId, sessionId } = session;
  const counters = proofCounters(sessionId);
  const tried = await takeTry(store, counters);
  if (!tried) {
    noteDelayedTry(store, { personId });
    return false;
  }
  const person = await personById(store, personId);
  const same = await inTurn("known", () => isPassword(password, person?.passwordHash ?? undefined));
  if (!same.ok) {
    await giveBackTry(store, tried);
    return same.refusal;
  }
  if (!person || !same.value || person.status !== "active") {
    await recordWrongProof(store, personId);
    return false;
  }
  // Wrong codes stay counted until a correct one.
  if (await hasSecondFactor(store, personId)) await giveBackTry(store, tried);
  else await clearFailures(store, counters);
  return true;
}

async function proveByCode(
  store: Store,
  { person, personId, sessionId }: Session & { readonly person: Person },
  typed: string,
): Promise<Date | "busy" | undefined> {
  if (person.status !== "active") return undefined;
  const counters = proofCounters(sessionId);
  const tried = await takeTry(store, counters);
  if (!tried) {
    noteDelayedTry(store, { personId });
    return undefined;
  }
  const right = await checkCode(store, personId, typed);
  if (right === "busy") {
    await giveBackTry(store, tried);
    return right;
  }
  const proved = await inTransaction(store, async (tx) => {
    if (!right || !(await right.spend(tx))) return "wrong";
    await clearFailures(tx, counters);
    return markProved(tx, { personId, sessionId, by: right.kind });
  });
  if (proved !== "wrong") return proved;
  await recordWrongFactor(store, personId);
  return undefined;
}
