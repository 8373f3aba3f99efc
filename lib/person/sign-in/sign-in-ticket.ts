import { createHash } from "node:crypto";
import type { Store } from "#lib/db/db";
import { insertTicket, ticketPerson } from "#lib/person/store/sign-in-tickets";
import { loadSecondFactors } from "#lib/person/store/second-factors";
import type { PendingSecondFactor } from "#lib/person/session/begin-session";
import { newBrowserSecret } from "#lib/person/session/browser-secret";

/** For five minutes the browser that has this may show the second factor. Only its hash is kept. */
export async function issueTicket(
  store: Store,
  { personId, issuer }: Pick<PendingSecondFactor, "personId" | "issuer">,
): Promise<string> {
  const ticket = newBrowserSecret();
  await insertTicket(store, { hash: ticketHash(ticket), personId, issuer });
  return ticket;
}

/** A fast hash will do, because what it covers has 256 random bits. */
export function ticketHash(ticket: string): Buffer {
  return createHash("sha256").update(`sign-in ticket ${ticket}`).digest();
}

/** Who took the first step in the browser that has this; undefined where none was, or it is over. */
export async function ticketOwner(store: Store, ticket: string): Promise<string | undefined> {
  return (await ticketPerson(store, ticketHash(ticket)))?.id;
}

/** What may be shown with a live ticket. */
export type SecondStep = { readonly totp: boolean; readonly passkey: boolean };

export async function secondStep(store: Store, ticket: string | undefined): Promise<SecondStep | undefined> {
  const person = ticket === undefined ? undefined : await ticketPerson(store, ticketHash(ticket));
  if (!person) return undefined;
  const { totpSince, passkeys } = await loadSecondFactors(store, person.id);
  return { totp: totpSince !== undefined, passkey: passkeys.length > 0 };
}
