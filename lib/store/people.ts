import type { PersonActor } from "#lib/domain/actor";
import { powersOf } from "#lib/domain/grant";
import { announce } from "./announce.ts";
import { appendAudit, auditDetail } from "./audit.ts";
import { inTransaction, type Store } from "./db.ts";
import { grantsColumn, grantsOfRow } from "./grants.ts";
import { isUuid } from "./load-task.ts";
import { newId } from "./new-id.ts";

/** A session ends 12 hours after sign-in, or after 30 minutes without a request. */
const sessionAbsoluteMs = 12 * 60 * 60 * 1000;
const sessionIdleMinutes = 30;

export type Person = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly status: string;
};

export async function personByEmail(store: Store, email: string): Promise<Person | undefined> {
  const person = await store.prisma.person.findUnique({ where: { email: email.toLowerCase() } });
  return person ?? undefined;
}

export async function personById(store: Store, id: string): Promise<Person | undefined> {
  return (await store.prisma.person.findUnique({ where: { id } })) ?? undefined;
}

/** Notes that the person behind a live session has just proved again who they are; undefined where it is over. */
export async function markProved(
  store: Store,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<Date | undefined> {
  return inTransaction(store, async (tx) => {
    const [proved] = await tx.$queryRaw<{ proved_at: Date }[]>`
      UPDATE session SET proved_at = clock_timestamp()
       WHERE id = ${sessionId}::uuid AND person_id = ${personId}::uuid AND revoked_at IS NULL RETURNING proved_at`;
    if (!proved) return undefined;
    const detail = { session: sessionId };
    await appendAudit(tx, { chain: "people", actor: personActor(personId), act: "person.proved-again", detail });
    return proved.proved_at;
  });
}

/** Opens a session for somebody who was just checked: by their password, or by the provider of this issuer. */
export async function createSession(
  store: Store,
  { personId, issuer }: { readonly personId: string; readonly issuer?: string | undefined },
): Promise<{ id: string }> {
  const id = newId();
  await inTransaction(store, async (tx) => {
    await tx.session.create({
      data: { id, personId, issuer: issuer ?? null, expiresAt: new Date(Date.now() + sessionAbsoluteMs) },
    });
    await appendAudit(tx, {
      chain: "people",
      actor: personActor(personId),
      act: "person.signed-in",
      detail: { session: id, ...(issuer === undefined ? {} : { issuer }) },
    });
  });
  return { id };
}

export type LiveSession = {
  readonly actor: PersonActor;
  /** How long it still lasts unused, and at the most; by the database's clock. */
  readonly idleLeftMs: number;
  readonly leftMs: number;
  /** Single characters are shortcuts for this person. */
  readonly singleKeys: boolean;
};

type SessionRow = {
  readonly id: string;
  readonly name: string;
  readonly grants: { role: string; practiceId: string | null }[];
  readonly proved_at: Date;
  readonly single_keys: boolean;
  readonly stale: boolean;
  readonly idle_left_ms: number;
  readonly left_ms: number;
};

/** The person behind a live session, see `liveSession`; asking is using it. */
export async function sessionActor(store: Store, sessionId: string): Promise<PersonActor | undefined> {
  return (await liveSession(store, sessionId))?.actor;
}

/**
 * A live session: its person, with their roles and practices as they are now,
 * and how long it lasts. Undefined when it was revoked, ran out or idled out,
 * or the person was disabled. Marks the session as used, at most once a minute,
 * unless a page asks by itself and not for anybody (`isUse: false`).
 */
export async function liveSession(
  store: Store,
  sessionId: string,
  { isUse = true } = {},
): Promise<LiveSession | undefined> {
  if (!isUuid(sessionId)) return undefined;
  const { rows } = await store.pool.query<SessionRow>({
    name: "session-actor",
    text: `
      SELECT p.id, p.name, p.single_keys, ${grantsColumn} AS grants, s.proved_at, s.seen_at < clock_timestamp() - interval '1 minute' AS stale,
             (extract(epoch FROM s.seen_at + make_interval(mins => $2) - clock_timestamp()) * 1000)::float8 AS idle_left_ms,
             (extract(epoch FROM s.expires_at - clock_timestamp()) * 1000)::float8 AS left_ms
        FROM session s JOIN person p ON p.id = s.person_id
       WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > clock_timestamp()
         AND s.seen_at > clock_timestamp() - make_interval(mins => $2) AND p.status = 'active'`,
    values: [sessionId, sessionIdleMinutes],
  });
  const row = rows[0];
  if (!row) return undefined;
  const powers = powersOf(grantsOfRow(row.grants));
  await store.keys.ready(powers.practices);
  const marks = isUse && row.stale;
  if (marks) await store.pool.query("UPDATE session SET seen_at = clock_timestamp() WHERE id = $1", [sessionId]);
  const { id, name, proved_at: provedAt } = row;
  return {
    actor: { kind: "person", id, name, ...powers, provedAt },
    idleLeftMs: marks ? sessionIdleMinutes * 60_000 : row.idle_left_ms,
    leftMs: row.left_ms,
    singleKeys: row.single_keys,
  };
}

/** Ends a session at once; every copy of its cookie is worth nothing. */
export async function revokeSession(store: Store, sessionId: string): Promise<void> {
  if (!isUuid(sessionId)) return;
  const personId = await inTransaction(store, async (tx) => {
    const [ended] = await tx.session.updateManyAndReturn({
      where: { id: sessionId, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (!ended) return undefined;
    const actor = personActor(ended.personId);
    await appendAudit(tx, { chain: "people", actor, act: "person.signed-out", detail: { session: sessionId } });
    return ended.personId;
  });
  if (personId !== undefined) announce(store, "people", personId);
}

/** Failures in a row before an account waits: a minute, then twice as long each time, up to a quarter of an hour. */
const failuresMax = 5;

export async function signInAllowed(store: Store, account: string): Promise<boolean> {
  const { rows } = await store.pool.query<{ allowed: boolean }>(
    `SELECT count < $2 OR last_at < clock_timestamp() - least(interval '15 minutes', interval '1 minute' * power(2, least(count - $2, 4))) AS allowed
       FROM sign_in_failure WHERE subject = $1`,
    [account, failuresMax],
  );
  return rows[0]?.allowed ?? true;
}

/**
 * Counts a failure, and puts it on record with whose account it was. One statement, and the same for an account that
 * nobody has, so that its time tells nothing; what was typed is never recorded.
 */
export async function recordSignInFailure(store: Store, account: string, personId: string | undefined): Promise<void> {
  await store.pool.query(
    `WITH counted AS (
       INSERT INTO sign_in_failure (subject, count, last_at) VALUES ($1, 1, clock_timestamp())
       ON CONFLICT (subject) DO UPDATE SET count = sign_in_failure.count + 1, last_at = clock_timestamp() RETURNING count)
     SELECT audit_append('people', 'nobody', 'person.sign-in-failed', NULL, $2) FROM counted`,
    [account, auditDetail({ person: personId })],
  );
}

export async function clearSignInFailures(store: Store, account: string): Promise<void> {
  await store.prisma.signInFailure.deleteMany({ where: { subject: account } });
}

function personActor(id: string): PersonActor {
  return { kind: "person", id, name: "", ...powersOf([]) };
}
