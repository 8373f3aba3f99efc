import type { Store } from "#lib/db/db";

export type WorkerHeartbeat = {
  readonly workerId: string;
  readonly host: string;
  readonly startedAt: Date;
  readonly beatAt: Date;
  /** Submissions and inquiries under way. */
  readonly inHand: number;
  readonly maySubmit: boolean;
  /** By the database's clock. */
  readonly silentS: number;
};

/** After so long without a report a worker counts as stopped: several times as long as one takes between two. */
export const stoppedAfterS = 60;

/** The database that a worker compared with its ledger and found complete. */
export type ComparedDatabase = {
  readonly identity: string;
  /** Releases from before then are held again. */
  readonly heldBefore: Date;
};

type Beat = Pick<WorkerHeartbeat, "workerId" | "host" | "inHand" | "maySubmit"> & {
  /** Undefined while the database lacks an entry, or nothing was compared. */
  readonly compared: ComparedDatabase | undefined;
};

/** Reports that a worker is at work, and forgets those that ended a day ago. */
export async function beat(store: Store, { workerId, host, inHand, maySubmit, compared }: Beat): Promise<void> {
  await store.pool.query({
    name: "worker-beat",
    text: `
      WITH gone AS (DELETE FROM worker_heartbeat WHERE beat_at < clock_timestamp() - interval '1 day' AND worker_id <> $1)
      INSERT INTO worker_heartbeat (worker_id, host, in_hand, is_sending, compared_identity, held_before)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (worker_id) DO UPDATE
         SET beat_at = clock_timestamp(), in_hand = excluded.in_hand, is_sending = excluded.is_sending,
             compared_identity = excluded.compared_identity, held_before = excluded.held_before`,
    values: [workerId, host, inHand, maySubmit, compared?.identity ?? null, compared?.heldBefore ?? null],
  });
}

/** Three reports of a worker. */
const comparesWithinS = 15;

/**
 * Since when releases are not held again, as the workers have it that compare this very database now; undefined where none
 * does. A restored database has their reports of long ago, and a promoted one is another by its identity.
 */
export async function findComparing(store: Store, identity: string): Promise<Date | undefined> {
  const { rows } = await store.pool.query<{ heldBefore: Date | null }>({
    name: "workers-comparing",
    text: `SELECT max(held_before) AS "heldBefore" FROM worker_heartbeat
            WHERE compared_identity = $1 AND beat_at > clock_timestamp() - interval '${comparesWithinS} s'`,
    values: [identity],
  });
  return rows[0]?.heldBefore ?? undefined;
}

/**
 * A worker that ends in order compares nothing any more. Its last report stays, so that it is missed if no other worker
 * follows.
 */
export async function endBeats(store: Store, workerId: string): Promise<void> {
  const data = { inHand: 0, comparedIdentity: null, heldBefore: null };
  await store.prisma.workerHeartbeat.updateMany({ where: { workerId }, data });
}

/** The workers that have reported within a day, the latest report first. */
export async function readHeartbeats(store: Store): Promise<readonly WorkerHeartbeat[]> {
  const { rows } = await store.pool.query<WorkerHeartbeat>({
    name: "worker-heartbeats",
    text: `SELECT worker_id AS "workerId", host, started_at AS "startedAt", beat_at AS "beatAt", in_hand AS "inHand",
                  is_sending AS "maySubmit", extract(epoch FROM clock_timestamp() - beat_at)::float8 AS "silentS"
             FROM worker_heartbeat ORDER BY beat_at DESC`,
  });
  return rows;
}
