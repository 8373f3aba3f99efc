import type { Store, Tx } from "./db.ts";

const lifeMs = 5 * 60 * 1000;

/** Keeps for five minutes that somebody's password was right; their tickets that are over go. */
export async function insertTicket(
  store: Store,
  { hash, personId }: { hash: Buffer; personId: string },
): Promise<void> {
  const now = Date.now();
  await store.prisma.signInTicket.deleteMany({ where: { personId, expiresAt: { lt: new Date(now) } } });
  await store.prisma.signInTicket.create({
    data: { hash: new Uint8Array(hash), personId, expiresAt: new Date(now + lifeMs) },
  });
}

/** Whose ticket this is; undefined where it is over, was used, never was, or its person was disabled. */
export async function ticketPerson(store: Store, hash: Buffer): Promise<{ id: string; email: string } | undefined> {
  const ticket = await store.prisma.signInTicket.findFirst({
    where: { hash: new Uint8Array(hash), expiresAt: { gt: new Date() }, person: { status: "active" } },
    select: { person: { select: { id: true, email: true } } },
  });
  return ticket?.person;
}

/** Uses the ticket up; false where somebody else has, or it is over. */
export async function takeTicket(tx: Tx, hash: Buffer): Promise<boolean> {
  const { count } = await tx.signInTicket.deleteMany({
    where: { hash: new Uint8Array(hash), expiresAt: { gt: new Date() }, person: { status: "active" } },
  });
  return count === 1;
}
