import { browserWords } from "#lib/domain/browser-words";
import type { Store, Tx } from "./db.ts";
import { isUuid } from "./load-task.ts";

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
  return rows.map((row) => ({ ...row, browser: browserWords(row.userAgent) }));
}

type Meant = {
  readonly personId: string;
  /** This one alone. */
  readonly only?: string | undefined;
  /** All but this one. */
  readonly except?: string | undefined;
};

/** Ends sessions of a person at once; returns how many. */
export async function endSessionsOf(tx: Tx, { personId, only, except }: Meant): Promise<number> {
  if ([only, except].some((id) => id !== undefined && !isUuid(id))) return 0;
  return tx.$executeRaw`
    UPDATE session SET revoked_at = clock_timestamp()
     WHERE person_id = ${personId}::uuid AND revoked_at IS NULL
       AND (${only ?? null}::uuid IS NULL OR id = ${only ?? null}::uuid)
       AND (${except ?? null}::uuid IS NULL OR id <> ${except ?? null}::uuid)`;
}
