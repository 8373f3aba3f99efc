import { reachesAny, type PersonActor } from "#lib/access/model/actor";
import { powersOf } from "#lib/access/model/grant";
import { announce } from "#lib/db/announce";
import { appendAudit } from "#lib/audit/store/audit";
import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { grantsColumn, grantsOfRow } from "./grants.ts";
import { isUuid } from "#lib/platform/uuid";
import { newId } from "#lib/db/new-id";
import { sessionIdleMinutes } from "./sessions.ts";
import { openGrants, shutColumn } from "./sso-only.ts";
import { now, nowMs } from "#lib/platform/now";
import { acrossPractices } from "#lib/db/for-practices";

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
  const person = await store.prisma.person.findUnique({ where: { email: email.toLowerCase() } });
  return person ?? undefined;
}

export async function personById(store: Store, id: string): Promise<Person | undefined> {
  return (await store.prisma.person.findUnique({ where: { id } })) ?? undefined;
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

export type LiveSession = {
  readonly actor: PersonActor;
  /** How long it lasts if unused, and at most, by the database's clock. */
  readonly idleLeftMs: number;
  readonly leftMs: number;
  /** Whether single characters are shortcuts for this person. */
  readonly singleKeys: boolean;
  /** Whether the next case to decide opens after a decision of theirs. */
  readonly opensNext: boolean;
  /** They must show a second factor first; until then the actor may do nothing. */
  readonly lacksSecondFactor: boolean;
};

type SessionRow = {
  readonly id: string;
  readonly name: string;
  readonly grants: { role: string; practiceId: string | null }[];
  readonly issuer: string | null;
  readonly shut: string[];
  readonly proved_at: Date;
  readonly shown: boolean;
  readonly factor_required: boolean;
  readonly single_keys: boolean;
  readonly opens_next: boolean;
  readonly stale: boolean;
  readonly idle_left_ms: number;
  readonly left_ms: number;
};

/** The person of a live session, see `liveSession`; this counts as a use. */
export async function sessionActor(store: Store, sessionId: string): Promise<PersonActor | undefined> {
  return (await liveSession(store, sessionId))?.actor;
}

/**
 * A live session: its person with their current roles and practices, and how long it lasts. Undefined if it was revoked
 * or has expired, or the person was deactivated. Somebody who needs a second factor and has not shown one in this
 * session may do nothing. Marks the session as used, at most once a minute, unless the request was made by a page on
 * its own (`isUse: false`).
 */
export async function liveSession(
  store: Store,
  sessionId: string,
  { isUse = true } = {},
): Promise<LiveSession | undefined> {
  if (!isUuid(sessionId)) return undefined;
  const { rows } = await acrossPractices(store, "own-grants").pool.query<SessionRow>({
    name: "session-actor",
    text: `
      SELECT p.id, p.name, p.single_keys, p.opens_next, ${grantsColumn} AS grants, s.issuer, ${shutColumn} AS shut, s.proved_at, s.second_factor_at IS NOT NULL AS shown,
             EXISTS (SELECT FROM practice x WHERE x.reviewers_second_factor AND x.id = ANY (ARRAY(
                       SELECT practice_id FROM person_role WHERE person_id = p.id AND role = 'reviewer'))) AS factor_required,
             s.seen_at < clock_timestamp() - interval '1 minute' AS stale,
             (extract(epoch FROM s.seen_at + make_interval(mins => $2) - clock_timestamp()) * 1000)::float8 AS idle_left_ms,
             (extract(epoch FROM s.expires_at - clock_timestamp()) * 1000)::float8 AS left_ms
        FROM session s JOIN person p ON p.id = s.person_id
       WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > clock_timestamp()
         AND s.seen_at > clock_timestamp() - make_interval(mins => $2) AND p.status = 'active'`,
    values: [sessionId, sessionIdleMinutes],
  });
  const row = rows[0];
  if (!row) return undefined;
  const granted = powersOf(openGrants(grantsOfRow(row.grants), row.shut));
  const factorRequired =
    row.factor_required ||
    (store.adminsSecondFactor && (reachesAny(granted.administers) || reachesAny(granted.audits)));
  const lacksSecondFactor = factorRequired && !row.shown;
  const powers = lacksSecondFactor ? powersOf([]) : granted;
  await store.keys.ready(powers.practices);
  const marks = isUse && row.stale;
  if (marks) await store.pool.query("UPDATE session SET seen_at = clock_timestamp() WHERE id = $1", [sessionId]);
  const { id, name, proved_at: provedAt } = row;
  return {
    actor: { kind: "person", id, name, ...powers, provedAt, ...(row.issuer === null ? {} : { issuer: row.issuer }) },
    idleLeftMs: marks ? sessionIdleMinutes * 60_000 : row.idle_left_ms,
    leftMs: row.left_ms,
    singleKeys: row.single_keys,
    opensNext: row.opens_next,
    lacksSecondFactor,
  };
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
