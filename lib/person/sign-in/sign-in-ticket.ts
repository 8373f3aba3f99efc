import { createHash } from "node:crypto";
import type { Store } from "#lib/db/db";
import { insertTicket, ticketPerson } from "#lib/person/store/sign-in-tickets";
import { loadSecondFactors } from "#lib/person/store/second-factors";
import type { PendingSecondFactor } from "#lib/person/session/begin-session";
import { newBrowserSecret } from "#lib/person/session/browser-secret";

/** Issues a ticket: for five minutes, the browser that has it may show the second factor. Only its hash is stored. */
export async function issueTicket(
  store: Store,
  { personId, issuer }: Pick<PendingSecondFactor, "personId" | "issuer">,
): Promise<string> {
  const ticket = newBrowserSecret();
  await insertTicket(store, { hash: ticketHash(ticket), personId, issuer });
  return ticket;
}

/** A fast hash is enough, because the ticket has 256 random bits. */
export function ticketHash(ticket: string): Buffer {
  return createHash("sha256").update(`sign-in ticket ${ticket}`).digest();
}

/** The person who passed the first step with this ticket; undefined where the ticket is unknown or has expired. */
export async function ticketOwner(store: Store, ticket: string): Promise<string | undefined> {
  return (await ticketPerson(store, ticketHash(ticket)))?.id;
}

/** The second factors that a person with a live ticket may show. */
export type SecondStep = { readonly totp: boolean; readonly passkey: boolean };

export async function secondStep(store: Store, ticket: string | undefined): Promise<SecondStep | undefined> {
  const person = ticket === undefined ? undefined : await ticketPerson(store, ticketHash(ticket));
  if (!person) return undefined;
  const { totpSince, passkeys } = await loadSecondFactors(store, person.id);
  return { totp: totpSince !== undefined, passkey: passkeys.length > 0 };
}
