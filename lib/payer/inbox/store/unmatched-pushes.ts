import { now } from "#lib/platform/now";
import type { Store, Tx } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";
import { newId } from "#lib/db/new-id";
import { openBytes, sealBytes } from "#lib/db/sealed";
import { acrossPractices } from "#lib/db/for-practices";

/**
 * The most that may wait for a reviewer of one practice from one payer. Beyond that, the payer is asked to try later.
 */
const openMax = 200;

type NewPush = {
  readonly routeId: string;
  readonly practiceId: string;
  readonly payerId: string;
  readonly digest: string;
  readonly body: Uint8Array;
};

/**
 * Stores a notification for a reviewer of the practice; the same bytes once. False if too many wait already; then
 * nothing was stored.
 */
export async function keepUnmatched(store: Store, push: NewPush): Promise<boolean> {
  const id = newId();
  const { routeId, practiceId, payerId, digest, body } = push;
  await store.keys.ready([practiceId]);
  const { rows } = await store.pool.query<{ kept: boolean }>({
    name: "keep-unmatched",
    text: `
      WITH known AS (SELECT FROM unmatched_push WHERE route_id = $2 AND digest = $5),
      waiting AS (SELECT count(*) AS count FROM (SELECT FROM unmatched_push
                   WHERE practice_id = $3 AND payer_id = $4 AND handled_at IS NULL LIMIT $8) open),
      kept AS (
        INSERT INTO unmatched_push (id, route_id, practice_id, payer_id, digest, size, payload, received_at)
        SELECT $1, $2, $3, $4, $5, $6, $7, clock_timestamp() FROM waiting
         WHERE waiting.count < $8 AND NOT EXISTS (SELECT FROM known)
        ON CONFLICT (route_id, digest) DO NOTHING RETURNING 1)
      SELECT EXISTS (SELECT FROM known) OR waiting.count < $8 AS kept FROM waiting`,
    values: [
      ...[id, routeId, practiceId, payerId, digest, body.length],
      ...[sealBytes(store, "unmatched_push.payload", { row: id, practiceId }, body), openMax],
    ],
  });
  return rows[0]?.kept === true;
}

/** A notification that matched no one case and waits for a reviewer. */
export type UnmatchedPush = {
  readonly id: string;
  readonly practice: string;
  readonly payer: string;
  readonly size: number;
  readonly receivedAt: Date;
};

/** The most that are listed at once. */
const listedMax = 50;

/** What waits in these practices, the oldest first. A handled one makes room for the next. */
export async function listUnmatched(store: Store, practices: readonly string[]): Promise<readonly UnmatchedPush[]> {
  const rows = await store.prisma.unmatchedPush.findMany({
    where: { practiceId: { in: [...practices] }, handledAt: null },
    select: {
      ...{ id: true, payerId: true, size: true, receivedAt: true },
      route: { select: { payerName: true, practice: { select: { name: true } } } },
    },
    orderBy: [{ receivedAt: "asc" }, { id: "asc" }],
    take: listedMax,
  });
  return rows.map(({ id, payerId, size, receivedAt, route }) => ({
    ...{ id, size, receivedAt },
    practice: route.practice.name,
    payer: route.payerName ?? payerId,
  }));
}

/** One notification, byte for byte, handled or not. Undefined if these practices have none with that id. */
export async function findUnmatched(
  store: Store,
  { id, practices }: { id: string; practices: readonly string[] },
): Promise<{ readonly practiceId: string; readonly bytes: Uint8Array } | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await store.prisma.unmatchedPush.findFirst({ where: { id, practiceId: { in: [...practices] } } });
  if (!row) return undefined;
  await store.keys.ready([row.practiceId]);
  const { practiceId, payload } = row;
  return { practiceId, bytes: openBytes(store, "unmatched_push.payload", { row: id, practiceId }, payload) };
}

/** The practice of one with that id, whichever it is. Runs across practices, because a person is shown only their own. */
export async function practiceOfUnmatched(store: Store, id: string): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  const { unmatchedPush } = acrossPractices(store, "denied-cases").prisma;
  return (await unmatchedPush.findUnique({ where: { id }, select: { practiceId: true } }))?.practiceId;
}

/** Marks one as handled. Returns its practice if this was the first mark; else undefined. */
export async function markHandled(
  tx: Tx,
  { id, practices, personId }: { id: string; practices: readonly string[]; personId: string },
): Promise<{ readonly practiceId: string; readonly first: boolean } | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await tx.unmatchedPush.findFirst({
    where: { id, practiceId: { in: [...practices] } },
    select: { practiceId: true },
  });
  if (!row) return undefined;
  const { count } = await tx.unmatchedPush.updateMany({
    where: { id, handledAt: null },
    data: { handledAt: now(), handledBy: personId },
  });
  return { practiceId: row.practiceId, first: count === 1 };
}
