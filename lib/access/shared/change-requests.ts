import type { Reach } from "#lib/access/model/actor";
import {
  wideningChange,
  changeStatuses,
  type ChangeStatus,
  type WideningChange,
} from "#lib/access/model/widening-change";
import type { Store, Tx } from "#lib/db/db";
import { knownWord } from "#lib/platform/known-word";

/** How long a request waits for a second administrator. */
const requestDays = 7;

export type ChangeRequest = {
  readonly id: string;
  readonly change: WideningChange;
  /** The practices whose administrators may confirm it: all of these; none means those of every practice. */
  readonly scope: readonly string[];
  readonly requestedBy: string;
  readonly requestedByName: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  readonly status: ChangeStatus;
  readonly decidedByName?: string | undefined;
  readonly decidedAt?: Date | undefined;
};

/** Those of these practices, or of all, where a second administrator confirms what widens access. */
export async function practicesWithSecondAdmin(
  tx: Tx,
  practices: readonly string[] | "every",
): Promise<readonly string[]> {
  const among = practices === "every" ? {} : { id: { in: [...practices] } };
  const rows = await tx.practice.findMany({ where: { secondAdmin: true, ...among }, select: { id: true } });
  return rows.map(({ id }) => id);
}

export async function insertChangeRequest(
  tx: Tx,
  request: Pick<ChangeRequest, "id" | "change" | "scope" | "requestedBy">,
): Promise<void> {
  const { id, change, scope, requestedBy } = request;
  await tx.$executeRaw`
    INSERT INTO change_request (id, change, scope, asked_by, status, expires_at)
    VALUES (${id}::uuid, ${JSON.stringify(change)}::jsonb, ${[...scope]}::text[], ${requestedBy}::uuid, 'waiting',
            clock_timestamp() + make_interval(days => ${requestDays}::int))`;
}

const columns = `r.id, r.change, r.scope, r.asked_by AS "requestedBy", requester.name AS "requestedByName", r.asked_at AS "requestedAt",
  r.expires_at AS "expiresAt", decider.name AS "decidedByName", r.decided_at AS "decidedAt",
  CASE WHEN r.status = 'waiting' AND r.expires_at <= clock_timestamp() THEN 'expired' ELSE r.status END AS status`;

const tables = `change_request r JOIN person requester ON requester.id = r.asked_by LEFT JOIN person decider ON decider.id = r.decided_by`;

type Row = Omit<ChangeRequest, "change" | "status" | "decidedByName" | "decidedAt"> & {
  readonly status: string;
  readonly change: unknown;
  readonly decidedByName: string | null;
  readonly decidedAt: Date | null;
};

function rowToRequest({ change, status, decidedByName, decidedAt, ...row }: Row): ChangeRequest {
  return {
    ...row,
    change: wideningChange.parse(change),
    status: knownWord(changeStatuses, status, "change_request.status"),
    decidedByName: decidedByName ?? undefined,
    decidedAt: decidedAt ?? undefined,
  };
}

/** The request, held until the commit. */
export async function lockChangeRequest(tx: Tx, id: string): Promise<ChangeRequest | undefined> {
  const rows = await tx.$queryRawUnsafe<Row[]>(
    `SELECT ${columns} FROM ${tables} WHERE r.id = $1::uuid FOR NO KEY UPDATE OF r`,
    id,
  );
  return rows[0] && rowToRequest(rows[0]);
}

/**
 * Those that wait, and those of the last days that were decided or expired, the newest first, of which these practices
 * are all that they concern. What others asked takes no place among them.
 */
export async function listChangeRequestRows(
  store: Store,
  { practices, waiting }: { readonly practices: Reach; readonly waiting: boolean },
): Promise<readonly ChangeRequest[]> {
  const { rows } = await store.pool.query<Row>(
    `SELECT ${columns} FROM ${tables}
      WHERE r.asked_at > clock_timestamp() - interval '60 days'
        AND ($1::text[] IS NULL OR (cardinality(r.scope) > 0 AND r.scope <@ $1::text[]))
        AND (NOT $2::boolean OR (r.status = 'waiting' AND r.expires_at > clock_timestamp()))
      ORDER BY r.asked_at DESC, r.id DESC LIMIT 200`,
    [practices === "every" ? null : practices, waiting],
  );
  return rows.map(rowToRequest);
}

/** Of these channels, those that wait to reach practices, with everything the latest such request concerns. */
export async function practicesAwaitedBy(
  db: Tx,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (channelIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; scope: string[] }[]>`
    SELECT DISTINCT ON (change ->> 'channelId') change ->> 'channelId' AS id, scope FROM change_request
     WHERE status = 'waiting' AND expires_at > clock_timestamp() AND change ->> 'kind' = 'channel-practices'
       AND change ->> 'channelId' = ANY (${[...channelIds]}::text[])
     ORDER BY change ->> 'channelId', asked_at DESC`;
  return new Map(rows.map(({ id, scope }) => [id, scope]));
}

export async function markDecided(
  tx: Tx,
  id: string,
  { status, by }: { readonly status: "confirmed" | "rejected" | "withdrawn"; readonly by: string },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE change_request SET status = ${status}, decided_by = ${by}::uuid, decided_at = clock_timestamp() WHERE id = ${id}::uuid`;
}
