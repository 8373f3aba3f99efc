import type { Atom, ChannelActor } from "#lib/domain/actor";
import type { Store } from "./db.ts";
import { rowToWay, wayOf, type Way, type WayRow } from "./destinations.ts";
import { taskColumns, taskJoins, type TaskRow } from "./task-rows.ts";

/** What a call wants read along with its credential, so that both cost one round trip. */
export type Wanted = { readonly taskId: string } | { readonly practiceId: string; readonly payerId: string };

/**
 * What was read along: whether a task exists at all, and its row when the
 * channel reaches its practice; or a practice's way to a payer, when the
 * channel reaches the practice.
 */
export type Prefetched =
  | { readonly taskId: string; readonly exists: boolean; readonly row: TaskRow | undefined }
  | { readonly practiceId: string; readonly payerId: string; readonly way: Way | undefined };

/** A live key's channel as it stands now, with the active practices it reaches. */
export type Admission = {
  readonly secretHash: Uint8Array;
  readonly actor: ChannelActor;
  readonly prefetched?: Prefetched | undefined;
};

const live = `
    FROM channel_key k
    JOIN channel c ON c.id = k.channel_id AND c.status = 'active'`;

const isKey = `k.id = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())`;

const keyAlone = `
  SELECT k.secret_hash, c.id AS key_channel_id, c.atoms,
         (SELECT coalesce(array_agg(p.id), '{}')
            FROM channel_practice cp JOIN practice p ON p.id = cp.practice_id AND p.status = 'active'
           WHERE cp.channel_id = c.id) AS practices
    ${live} WHERE ${isKey}`;

const keyAndTask = `
  SELECT k.secret_hash, c.id AS key_channel_id, c.atoms, p.id AS reached, ${taskColumns}
    ${live}
    LEFT JOIN task t ON t.id = $2::uuid
    LEFT JOIN channel_practice cp ON cp.channel_id = c.id AND cp.practice_id = t.practice_id
    LEFT JOIN practice p ON p.id = cp.practice_id AND p.status = 'active'
    ${taskJoins} WHERE ${isKey}`;

const keyAndWay = `
  SELECT k.secret_hash, c.id AS key_channel_id, c.atoms, cp.practice_id AS reached, way.*
    ${live}
    LEFT JOIN LATERAL (${wayOf({ practiceId: "$2", payerId: "$3" })} AND p.status = 'active') way ON true
    LEFT JOIN channel_practice cp ON cp.channel_id = c.id AND cp.practice_id = way.id
   WHERE ${isKey}`;

type KeyRow = { secret_hash: Uint8Array; key_channel_id: string; atoms: Atom[] };
type Reach = { reached: string | null };
type Nullable<Row> = Row | { [Column in keyof Row]: null };

/**
 * The channel behind a live key, never from a cache; undefined when there is
 * none. Read along with a task or a way, its practices are just the one that
 * concerns the call, where it reaches it.
 */
export async function admit(store: Store, keyId: string, wanted?: Wanted): Promise<Admission | undefined> {
  if (!wanted) return admitAlone(store, keyId);
  return "taskId" in wanted ? admitWithTask(store, keyId, wanted.taskId) : admitWithWay(store, keyId, wanted);
}

async function admitAlone(store: Store, keyId: string): Promise<Admission | undefined> {
  const query = { name: "admit", text: keyAlone, values: [keyId] };
  const { rows } = await store.pool.query<KeyRow & { practices: string[] }>(query);
  return rows[0] && rowToAdmission(rows[0], rows[0].practices);
}

async function admitWithTask(store: Store, keyId: string, taskId: string): Promise<Admission | undefined> {
  const query = { name: "admit-task", text: keyAndTask, values: [keyId, taskId] };
  const { rows } = await store.pool.query<KeyRow & Reach & Nullable<TaskRow>>(query);
  const row = rows[0];
  if (!row) return undefined;
  const { reached } = row;
  // What the channel does not reach goes no further than this function.
  const seen = row.id === null || reached === null ? undefined : row;
  const prefetched = { taskId, exists: row.id !== null, row: seen };
  return { ...rowToAdmission(row, reached === null ? [] : [reached]), prefetched };
}

type Asked = { readonly practiceId: string; readonly payerId: string };

async function admitWithWay(store: Store, keyId: string, asked: Asked): Promise<Admission | undefined> {
  const { practiceId, payerId } = asked;
  const query = { name: "admit-way", text: keyAndWay, values: [keyId, practiceId, payerId] };
  const { rows } = await store.pool.query<KeyRow & Reach & Nullable<WayRow>>(query);
  const row = rows[0];
  if (!row) return undefined;
  const { reached } = row;
  const way = row.id === null || reached === null ? undefined : rowToWay(row, payerId);
  return { ...rowToAdmission(row, reached === null ? [] : [reached]), prefetched: { practiceId, payerId, way } };
}

function rowToAdmission({ secret_hash, key_channel_id: id, atoms }: KeyRow, practices: readonly string[]): Admission {
  return { secretHash: secret_hash, actor: { kind: "channel", id, atoms, practices } };
}
