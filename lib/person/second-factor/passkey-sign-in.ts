import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { markPasskeyUsed, useChallenge } from "#lib/person/store/passkeys";
import { createSession, markProved, type ComesFrom } from "#lib/person/store/people";
import { clearFailures } from "#lib/person/store/sign-in-failures";
import { signInCounters } from "#lib/person/store/sign-in-tries";
import { ticketPerson } from "#lib/person/store/sign-in-tickets";
import type { NewSession } from "#lib/person/session/begin-session";
import type { PasskeySite } from "./passkey-site.ts";
import { verifySignature, type PasskeyResponse } from "./passkeys.ts";
import { ticketHash } from "#lib/person/sign-in/sign-in-ticket";

/** The requester of a signature before sign-in: the browser that has this secret. */
export function browserRequester(secret: string) {
  return `browser:${ticketHash(secret).toString("hex")}` as const;
}

type VerifiedSignature = NonNullable<Awaited<ReturnType<typeof verifySignature>>>;
type PasskeySignature = { readonly site: PasskeySite; readonly response: PasskeyResponse };

/**
 * Begins a session with a passkey, which is both factors: the device, and what unlocks it. Earlier wrong passwords do
 * not delay it, because a passkey cannot be guessed.
 */
export async function signInByPasskey(
  store: Store,
  { browser, from, ...signed }: PasskeySignature & { readonly browser: string; readonly from?: ComesFrom | undefined },
): Promise<NewSession | undefined> {
  const right = await verifySignature(store, { ...signed, requester: browserRequester(browser) });
  if (!right) return undefined;
  const { personId, email } = right.passkey;
  // As the second step, it continues the first step; by itself, it is no sign-in through the provider.
  const first = await ticketPerson(store, ticketHash(browser));
  const issuer = first?.id === personId ? first.issuer : undefined;
  return inTransaction(store, async (tx) => {
    if (!(await useOnce(tx, right))) return undefined;
    await clearFailures(tx, signInCounters({ account: email, address: from?.address }));
    const { id: sessionId } = await createSession(tx, { personId, issuer, by: "passkey", ...from });
    return { personId, sessionId };
  });
}

/** Proves the person's identity in a session, with one of their passkeys. */
export async function proveByPasskey(
  store: Store,
  { personId, sessionId, ...signed }: PasskeySignature & { readonly personId: string; readonly sessionId: string },
): Promise<Date | undefined> {
  const right = await verifySignature(store, { ...signed, requester: `session:${sessionId}:prove` });
  if (right?.passkey.personId !== personId) return undefined;
  return inTransaction(store, async (tx) => {
    if (!(await useOnce(tx, right))) return undefined;
    return markProved(tx, { personId, sessionId, by: "passkey" });
  });
}

/** Uses up the signature; false where it was used before, or a copy of the passkey made it. */
async function useOnce(tx: Tx, { passkey, counter, signed }: VerifiedSignature): Promise<boolean> {
  return (await useChallenge(tx, signed)) && markPasskeyUsed(tx, { id: passkey.id, counter });
}
