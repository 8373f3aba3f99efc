import type { PersonActor } from "#lib/access/model/actor";
import { accountEmail } from "#lib/person/model/account-email";
import { powersOf } from "#lib/access/model/grant";
import { announce } from "#lib/db/announce";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";
import { newId } from "#lib/db/new-id";
import { now, nowMs } from "#lib/platform/now";
import { dropOfferedTotp } from "./totp.ts";

/** A session ends 12 hours after sign-in, or `sessionIdleMinutes` after the last request. */
const sessionAbsoluteMs = 12 * 60 * 60 * 1000;

export type Person = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly status: string;
};

export async function personByEmail(store: Store, email: string): Promise<Person | undefined> {
  const person = await store.prisma.person.findUnique({ where: { email: accountEmail(email) } });
  return person ?? undefined;
}

export async function personById(store: Store, id: string): Promise<Person | undefined> {
  return (await store.prisma.person.findUnique({ where: { id } })) ?? undefined;
}

/** Locks a person until the commit. False if they were deactivated or their password was changed since they were read. */
export async function lockUnchanged(tx: Tx, { id, passwordHash }: Person): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM person WHERE id = ${id}::uuid AND status = 'active' AND password_hash = ${passwordHash} FOR NO KEY UPDATE`;
  return rows.length === 1;
}

/** What somebody showed besides the password, or instead of it. */
export type SecondFactor = "passkey" | "totp" | "recovery-code" | "provider";

type IdentityProof = {
  readonly personId: string;
  readonly sessionId: string;
  /** The second factor they showed. */
  readonly by?: SecondFactor | undefined;
  /** The provider that vouched, if one did. */
  readonly issuer?: string | undefined;
};

/** Records that the person of a live session has verified their identity again. Undefined if the session is over. */
export async function markProved(
  tx: Tx,
  { personId, sessionId, by, issuer }: IdentityProof,
): Promise<Date | undefined> {
  const [proved] = await tx.$queryRaw<{ proved_at: Date }[]>`
    UPDATE session SET proved_at = clock_timestamp(),
           second_factor_at = CASE WHEN ${by !== undefined} THEN clock_timestamp() ELSE second_factor_at END
     WHERE id = ${sessionId}::uuid AND person_id = ${personId}::uuid AND revoked_at IS NULL RETURNING proved_at`;
  if (!proved) return undefined;
  const detail = { session: sessionId, ...(issuer === undefined ? {} : { issuer }), ...(by && { by }) };
  await appendAudit(tx, { chain: "people", actor: personActor(personId), act: "person.proved-again", detail });
  return proved.proved_at;
}

/** Where a request comes from, as far as it says. */
export type ComesFrom = {
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  /** What the browser keeps from an earlier sign-in. */
  readonly device?: string | undefined;
};

const userAgentMax = 300;

type NewSession = ComesFrom & {
  readonly personId: string;
  /** The provider that checked them. Absent if it was a password. */
  readonly issuer?: string | undefined;
  /** The second factor they showed. */
  readonly by?: SecondFactor | undefined;
  /** When they last verified themselves at the provider, if its word alone opens the session. Absent means now. */
  readonly provedAt?: Date | "long ago" | undefined;
};

/** Opens a session for somebody who was just checked, by password, second factor or provider. */
export async function createSession(db: Store | Tx, opened: NewSession): Promise<{ id: string }> {
  if ("pool" in db) return inTransaction(db, (tx) => createSession(tx, opened));
  const { personId, issuer, by, provedAt, address, userAgent } = opened;
  const [id, expiresAt] = [newId(), new Date(nowMs() + sessionAbsoluteMs)];
  const from = { address: address ?? null, userAgent: userAgent?.slice(0, userAgentMax).toWellFormed() ?? null };
  const checked = { issuer: issuer ?? null, secondFactorAt: by === undefined ? null : now() };
  const proved = provedAt === undefined ? {} : { provedAt: noLater(provedAt === "long ago" ? new Date(0) : provedAt) };
  await db.session.create({ data: { id, personId, ...checked, ...proved, ...from, expiresAt } });
  const detail = { session: id, ...(issuer === undefined ? {} : { issuer }), ...(by && { by }) };
  await appendAudit(db, { chain: "people", actor: personActor(personId), act: "person.signed-in", detail });
  return { id };
}

/** No later than the database's time, so that a clock that is ahead does not extend anything. */
function noLater(time: Date): Date {
  return new Date(Math.min(time.getTime(), nowMs()));
}

/** Ends a session at once; every copy of its cookie becomes invalid. */
export async function revokeSession(store: Store, sessionId: string): Promise<void> {
  if (!isUuid(sessionId)) return;
  const personId = await inTransaction(store, async (tx) => {
    const [ended] = await tx.session.updateManyAndReturn({
      where: { id: sessionId, revokedAt: null },
      data: { revokedAt: now() },
    });
    if (!ended) return undefined;
    await dropOfferedTotp(tx, { personId: ended.personId, only: sessionId });
    const actor = personActor(ended.personId);
    await appendAudit(tx, { chain: "people", actor, act: "person.signed-out", detail: { session: sessionId } });
    return ended.personId;
  });
  if (personId !== undefined) announce(store, "people", personId);
}

/** A person in the audit log, where only the id is known. */
export function personActor(id: string): PersonActor {
  return { kind: "person", id, name: "", ...powersOf([]) };
}
