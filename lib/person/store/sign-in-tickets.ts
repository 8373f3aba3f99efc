import type { Store, Tx } from "#lib/db/db";
import { now, nowMs } from "#lib/platform/now";

const lifeMs = 5 * 60 * 1000;

/**
 * Keeps for five minutes that somebody took the first step, by password or through this provider. Expired tickets are
 * deleted.
 */
export async function insertTicket(
  store: Store,
  { hash, personId, issuer }: { hash: Buffer; personId: string; issuer?: string | undefined },
): Promise<void> {
  await store.prisma.signInTicket.deleteMany({ where: { personId, expiresAt: { lt: now() } } });
  await store.prisma.signInTicket.create({
    data: { hash: new Uint8Array(hash), personId, issuer: issuer ?? null, expiresAt: new Date(nowMs() + lifeMs) },
  });
}

export type TicketPerson = { readonly id: string; readonly email: string; readonly issuer?: string | undefined };

/** The person of this ticket. Undefined if it has expired, was used, never existed, or the person was deactivated. */
export async function ticketPerson(store: Store, hash: Buffer): Promise<TicketPerson | undefined> {
  const ticket = await store.prisma.signInTicket.findFirst({
    where: { hash: new Uint8Array(hash), expiresAt: { gt: now() }, person: { status: "active" } },
    select: { issuer: true, person: { select: { id: true, email: true } } },
  });
  return ticket ? { ...ticket.person, issuer: ticket.issuer ?? undefined } : undefined;
}

/** Uses the ticket up. False if it was used before or has expired. */
export async function takeTicket(tx: Tx, hash: Buffer): Promise<boolean> {
  const { count } = await tx.signInTicket.deleteMany({
    where: { hash: new Uint8Array(hash), expiresAt: { gt: now() }, person: { status: "active" } },
  });
  return count === 1;
}

/**
 * Deletes the tickets of a person, or only those of sign-ins begun through this provider. Call it before the sessions are
 * ended: it waits for a sign-in that is using its ticket up, whose session is then seen.
 */
export async function dropTickets(
  tx: Tx,
  where: { readonly personId: string; readonly issuer?: string },
): Promise<void> {
  await tx.signInTicket.deleteMany({ where });
}
