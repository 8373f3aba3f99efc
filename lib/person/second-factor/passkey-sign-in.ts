import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { markPasskeyUsed, useChallenge } from "#lib/person/store/passkeys";
import { createSession, markProved, type ComesFrom } from "#lib/person/store/people";
import { clearFailures } from "#lib/person/store/sign-in-failures";
import { signInCounters } from "#lib/person/store/sign-in-tries";
import { ticketPerson } from "#lib/person/store/sign-in-tickets";
import type { NewSession } from "#lib/person/session/begin-session";
import type { PasskeySite } from "./passkey-site.ts";
import { verifySigned, type PasskeyResponse } from "./passkeys.ts";
import { ticketHash } from "#lib/person/sign-in/sign-in-ticket";

/** Who asked a passkey to sign, where nobody is signed in: the one browser that has this. */
export function askedByBrowser(secret: string) {
  return `browser:${ticketHash(secret).toString("hex")}` as const;
}

type Right = NonNullable<Awaited<ReturnType<typeof verifySigned>>>;
type Signed = { readonly site: PasskeySite; readonly response: PasskeyResponse };

/**
 * Opens a session for a passkey, which is both factors: who has the device, and
 * is known to it. No wrong password keeps it waiting, since it cannot be guessed.
 */
export async function signInByPasskey(
  store: Store,
  { browser, from, ...signed }: Signed & { readonly browser: string; readonly from?: ComesFrom | undefined },
): Promise<NewSession | undefined> {
  const right = await verifySigned(store, { ...signed, askedBy: askedByBrowser(browser) });
  if (!right) return undefined;
  const { personId, email } = right.passkey;
  // As the second step it goes on from the first; by itself it is no provider's word.
  const first = await ticketPerson(store, ticketHash(browser));
  const issuer = first?.id === personId ? first.issuer : undefined;
  return inTransaction(store, async (tx) => {
    if (!(await useOnce(tx, right))) return undefined;
    await clearFailures(tx, signInCounters({ account: email, address: from?.address }));
    const { id: sessionId } = await createSession(tx, { personId, issuer, by: "passkey", ...from });
    return { personId, sessionId };
  });
}

/** Proves in a session, by a passkey of its person, who they are. */
export async function proveByPasskey(
  store: Store,
  { personId, sessionId, ...signed }: Signed & { readonly personId: string; readonly sessionId: string },
): Promise<Date | undefined> {
  const right = await verifySigned(store, { ...signed, askedBy: `session:${sessionId}:prove` });
  if (right?.passkey.personId !== personId) return undefined;
  return inTransaction(store, async (tx) => {
    if (!(await useOnce(tx, right))) return undefined;
    return markProved(tx, { personId, sessionId, by: "passkey" });
  });
}

/** False where the same was signed and used before, or a copy of the passkey signed it. */
async function useOnce(tx: Tx, { passkey, counter, signed }: Right): Promise<boolean> {
  return (await useChallenge(tx, signed)) && markPasskeyUsed(tx, { id: passkey.id, counter });
}
