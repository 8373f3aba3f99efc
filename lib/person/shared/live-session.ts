import { reachesAny, type PersonActor } from "#lib/access/model/actor";
import { powersOf } from "#lib/access/model/grant";
import type { Store } from "#lib/db/db";
import { grantsOfRow, sessionGrantsColumn } from "#lib/person/store/grants";
import { endedSessions } from "./ended-sessions.ts";
import { isUuid } from "#lib/platform/uuid";
import { sessionIdleMinutes } from "#lib/person/store/sessions";
import { openGrants, shutColumn } from "#lib/person/store/sso-only";
import { acrossPractices } from "#lib/db/for-practices";

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
 * A live session: its person with the current roles and practices that count in it, and how long it lasts. Undefined if it was revoked
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
      SELECT p.id, p.name, p.single_keys, p.opens_next, ${sessionGrantsColumn} AS grants, s.issuer, ${shutColumn} AS shut, s.proved_at, s.second_factor_at IS NOT NULL AS shown,
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
  if (!row) {
    endedSessions().add(sessionId);
    return undefined;
  }
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
