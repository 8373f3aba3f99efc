import { createHash } from "node:crypto";
import type { Identity } from "#lib/person/model/identity";
import { auditDetail } from "#lib/audit/model/entry";
import type { Store, Tx } from "#lib/db/db";
import { dropTickets } from "./sign-in-tickets.ts";

/** The person an identity is linked to, whether or not they may sign in. */
export async function personOfIdentity(
  { prisma }: { readonly prisma: Pick<Tx, "personIdentity"> },
  { issuer, subject }: Identity,
): Promise<{ readonly id: string; readonly status: string } | undefined> {
  const linked = await prisma.personIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    select: { person: { select: { id: true, status: true } } },
  });
  return linked?.person;
}

/** A person's link to a provider. */
export type LinkRecord = { readonly subject: string; readonly createdAt: Date };

export async function linkOf(
  { prisma }: Pick<Store, "prisma">,
  { issuer, personId }: { readonly issuer: string; readonly personId: string },
): Promise<LinkRecord | undefined> {
  const link = await prisma.personIdentity.findUnique({
    where: { personId_issuer: { personId, issuer } },
    select: { subject: true, createdAt: true },
  });
  return link ?? undefined;
}

/** Puts into the audit log that somebody the provider vouched for was not let in. */
export async function recordSignInRefused(
  store: Store,
  identity: Identity,
  personId: string | undefined,
): Promise<void> {
  const detail = { identity: identityName(identity), person: personId };
  await store.pool.query("SELECT audit_append('people', 'nobody', 'person.sign-in-refused', NULL, $1)", [
    auditDetail(detail),
  ]);
}

/** Equal for equal identities only. Not the bare subject, because a provider may use an email as one. */
export function identityName({ issuer, subject }: Identity): string {
  return createHash("sha256").update(`${issuer}\n${subject}`).digest("hex").slice(0, 16);
}

/**
 * Links an identity to a person whose row the caller has locked, unless it is another person's, or the person has
 * another subject of this provider.
 */
export async function linkIdentity(
  tx: Tx,
  { issuer, subject }: Identity,
  personId: string,
): Promise<"linked" | "linked-before" | "others" | "has-another"> {
  const { count } = await tx.personIdentity.createMany({
    data: { issuer, subject, personId },
    skipDuplicates: true,
  });
  if (count === 1) return "linked";
  const owner = await tx.personIdentity.findUnique({ where: { issuer_subject: { issuer, subject } } });
  if (!owner) return "has-another";
  return owner.personId === personId ? "linked-before" : "others";
}

/** Removes the link and ends the sessions and sign-ins begun through it. Undefined if the person has no subject of this provider. */
export async function unlinkIdentity(
  tx: Tx,
  { issuer, personId }: { readonly issuer: string; readonly personId: string },
): Promise<{ readonly subject: string; readonly sessionsEnded: number } | undefined> {
  const [gone] = await tx.$queryRaw<{ subject: string }[]>`
    DELETE FROM person_identity WHERE issuer = ${issuer} AND person_id = ${personId}::uuid RETURNING subject`;
  if (!gone) return undefined;
  await dropTickets(tx, { personId, issuer });
  const sessionsEnded = await tx.$executeRaw`
    UPDATE session SET revoked_at = clock_timestamp()
     WHERE person_id = ${personId}::uuid AND issuer = ${issuer} AND revoked_at IS NULL`;
  return { subject: gone.subject, sessionsEnded };
}
