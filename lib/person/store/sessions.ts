import { actorName } from "#lib/access/model/actor";
import { browserName } from "#lib/person/model/browser-name";
import { auditDetail } from "#lib/audit/model/entry";
import type { Store, Tx } from "#lib/db/db";
import { forgetDevices } from "./known-devices.ts";
import { dropTickets } from "./sign-in-tickets.ts";
import { dropOfferedTotp } from "./totp.ts";
import { isUuid } from "#lib/platform/uuid";

/** A browser that somebody is signed in with. */
export type SessionRecord = {
  readonly id: string;
  readonly createdAt: Date;
  /** To the minute. */
  readonly seenAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** The browser's name and system. */
  readonly browser: string;
};

/** A session ends after this time without use. */
export const sessionIdleMinutes = 30;

/** The live sessions of a person, the most recently used first. */
export async function liveSessionsOf(store: Store, personId: string): Promise<readonly SessionRecord[]> {
  const { rows } = await store.pool.query<Omit<SessionRecord, "browser">>(
    `SELECT id, created_at AS "createdAt", seen_at AS "seenAt", host(address) AS address, user_agent AS "userAgent"
       FROM session
      WHERE person_id = $1 AND revoked_at IS NULL AND expires_at > clock_timestamp()
        AND seen_at > clock_timestamp() - make_interval(mins => $2)
      ORDER BY seen_at DESC, id`,
    [personId, sessionIdleMinutes],
  );
  return rows.map((row) => ({ ...row, browser: browserName(row.userAgent) }));
}

type Meant = {
  readonly personId: string;
  /** Only this one. */
  readonly only?: string | undefined;
  /** All but this one. */
  readonly except?: string | undefined;
};

/**
 * Ends sessions of a person at once and returns how many, and drops what they had begun of an authenticator app. If all,
 * or all but one, are ended, their known devices and sign-ins that await a second factor end too, so that a stolen cookie
 * is worth nothing.
 */
export async function endSessionsOf(tx: Tx, { personId, only, except }: Meant): Promise<number> {
  if ([only, except].some((id) => id !== undefined && !isUuid(id))) return 0;
  if (only === undefined) {
    await forgetDevices(tx, personId);
    await dropTickets(tx, { personId });
  }
  await dropOfferedTotp(tx, { personId, only, except });
  return tx.$executeRaw`
    UPDATE session SET revoked_at = clock_timestamp()
     WHERE person_id = ${personId}::uuid AND revoked_at IS NULL
       AND (${only ?? null}::uuid IS NULL OR id = ${only ?? null}::uuid)
       AND (${except ?? null}::uuid IS NULL OR id <> ${except ?? null}::uuid)`;
}

/** How many days an ended session is kept for investigations; the audit log keeps its beginning longer. */
const sessionKeptDays = 30;

/**
 * Deletes sessions that ended long ago, with where they were begun, and notes it in the audit log. Of somebody's last
 * session, the time of its use is kept. Returns how many were deleted.
 */
export async function purgeSessions(store: Store): Promise<number> {
  const { rows } = await store.pool.query<{ purged: number }>(
    `WITH past AS MATERIALIZED (
       SELECT s.id, EXISTS (SELECT FROM session n WHERE n.person_id = s.person_id AND (n.seen_at, n.id) > (s.seen_at, s.id)) AS superseded
         FROM session s WHERE s.expires_at < clock_timestamp() - make_interval(days => $1)
     ), gone AS (
       DELETE FROM session s USING past WHERE s.id = past.id AND past.superseded RETURNING s.id
     ), bared AS (
       UPDATE session s SET address = NULL, user_agent = NULL FROM past
        WHERE s.id = past.id AND NOT past.superseded AND (s.address IS NOT NULL OR s.user_agent IS NOT NULL) RETURNING s.id
     ), counted AS (
       SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM bared) AS purged
     )
     SELECT purged::int AS purged, audit_append('people', $2, 'sessions.purged', NULL, replace($3, '"N"', purged::text))
       FROM counted WHERE purged > 0`,
    [sessionKeptDays, actorName({ kind: "worker" }), auditDetail({ count: "N", days: sessionKeptDays })],
  );
  return rows[0]?.purged ?? 0;
}
