import type { Context } from "#lib/access/context";
import type { OperatorActor } from "#lib/access/model/actor";
import { findBadGuards, type Guard } from "#lib/audit/shared/audit-guards";
import { type FigureOptions, type Figures, readFigures } from "#lib/submission/store/figures";

export type ServiceStanding = {
  readonly figures: Figures;
  /** What of the database's own guards of the audit log is not as the migrations made it. */
  readonly guards: readonly Guard[];
  readonly database: {
    readonly version: string;
    /** It is a standby, which takes no writes. */
    readonly isStandby: boolean;
    readonly roundTripMs: number;
    /** How far its clock is ahead of this machine's, in seconds. */
    readonly clockAheadS: number;
  };
};

/** How the service stands, for an operator: numbers and states alone. */
export async function inspectService(
  { store }: Context<OperatorActor>,
  options: FigureOptions = {},
): Promise<ServiceStanding> {
  const [figures, guards] = await Promise.all([readFigures(store, options), findBadGuards(store)]);
  const began = Date.now();
  const { rows } = await store.pool.query<{ version: string; isStandby: boolean; now: number }>(
    `SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS "isStandby",
            extract(epoch FROM clock_timestamp())::float8 AS now`,
  );
  const ended = Date.now();
  const { version = "", isStandby = false, now = 0 } = rows[0] ?? {};
  const clockAheadS = now - (began + ended) / 2_000;
  return { figures, guards, database: { version, isStandby, roundTripMs: ended - began, clockAheadS } };
}
