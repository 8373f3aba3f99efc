import { actorName } from "#lib/access/model/actor";
import { browserName } from "#lib/person/model/browser-name";
import { auditDetail } from "#lib/audit/store/audit";
import type { Store, Tx } from "#lib/db/db";
import { forgetDevices } from "./known-devices.ts";
import { isUuid } from "#lib/task/store/load-task";

/** A browser somebody is signed in with. */
export type SessionRecord = {
  readonly id: string;
  readonly createdAt: Date;
  /** To a minute. */
  readonly seenAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** The same in words. */
  readonly browser: string;
};

/** Unused for so long a session ends. */
export const sessionIdleMinutes = 30;

/** The sessions of a person that are not over, the last used first. */
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
  /** This one alone. */
  readonly only?: string | undefined;
  /** All but this one. */
  readonly except?: string | undefined;
};

/**
 * Ends sessions of a person at once; returns how many. With all, or all but one, end the devices that are known for them:
 * what somebody else has of a browser of theirs is worth no try any more.
 */
export async function endSessionsOf(tx: Tx, { personId, only, except }: Meant): Promise<number> {
  if ([only, except].some((id) => id !== undefined && !isUuid(id))) return 0;
  if (only === undefined) await forgetDevices(tx, personId);
  return tx.$executeRaw`
    UPDATE session SET revoked_at = clock_timestamp()
     WHERE person_id = ${personId}::uuid AND revoked_at IS NULL
       AND (${only ?? null}::uuid IS NULL OR id = ${only ?? null}::uuid)
       AND (${except ?? null}::uuid IS NULL OR id <> ${except ?? null}::uuid)`;
}

/** For how long an ended session is kept, to look into what was done with it; the record has that it was begun for longer. */
const sessionKeptDays = 30;

/**
 * Forgets sessions that ended long ago, with where they were begun, and says so in the record. Of somebody's last one
 * only when it was used is left. Returns how many it was.
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
