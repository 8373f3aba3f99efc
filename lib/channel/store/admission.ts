import type { QueryConfig } from "pg";
import type { Atom, ChannelActor } from "#lib/access/model/actor";
import { noChannel } from "#lib/access/model/no-channel";
import { coalesced, eachSeparately, batchStatement } from "#lib/db/coalesce";
import { type Store, unscoped } from "#lib/db/db";
import {
  rowToResolvedRoute,
  resolvedRouteText,
  type ResolvedRoute,
  type ResolvedRouteRow,
} from "#lib/practice/shared/resolved-route";
import { lastMessagesJoin, rowToHistory, type HistoryColumns, type SealedMessage } from "#lib/task/store/messages";
import { retried } from "#lib/db/retry";
import { resultOf, withNamedScope, withReachScope } from "#lib/db/tenant-scope";
import { submissionsColumn } from "#lib/submission/store/submissions";
import {
  recordColumns,
  taskJoins,
  versionColumns,
  type RecordRow,
  type StoredRow,
  type VersionRow,
} from "#lib/task/store/task-rows";
import { isCurrent } from "#lib/task/record-cache";
import type { TaskRecord } from "#lib/task/views";

/** What to read together with a call's credential, so that both cost one round trip. */
export type Prefetch = TaskPrefetch | { readonly practiceId: string; readonly payerId: string };

export type TaskPrefetch = {
  readonly taskId: string;
  /** How many of its last messages to read too. */
  readonly historyLength?: number | undefined;
  /** The last answer to this poll. The task is read only if it has changed since. */
  readonly known?: TaskRecord | undefined;
};

/**
 * What was read: whether a task exists at all, with its row if the channel reaches its practice; or a practice's
 * connection to a payer, if the channel reaches the practice.
 */
export type PrefetchResult =
  | PrefetchedTask
  | { readonly practiceId: string; readonly payerId: string; readonly route: ResolvedRoute | undefined };

export type PrefetchedTask = {
  readonly taskId: string;
  readonly exists: boolean;
  /** As it is stored; `lookUpTask` reads it. */
  readonly row: StoredRow<RecordRow> | undefined;
  /** The last answer, if the channel reaches the task and the task has not changed since; then there is no row. */
  readonly known?: TaskRecord | undefined;
  /** The task's last messages, as many as requested. Undefined if none were, or if they are too large for this. */
  readonly history?: readonly SealedMessage[] | undefined;
};

/** Limits over all processes; absent means no limit. */
export type CallLimits = {
  readonly callsPerSecond?: number | undefined;
  readonly callsAtOnce?: number | undefined;
};

/** What a call shows as proof of who it is. */
export type Credential = {
  readonly keyId: string;
  /** The hash of the secret it brought; the row of the key has the same, or it is not this key. */
  readonly secretHash: Uint8Array;
  /** The address it comes from, if known. */
  readonly address?: string | undefined;
};

/** The channel of a live key as it is now, with the active practices that it reaches. */
export type Admission = {
  readonly actor: ChannelActor;
  readonly limits: CallLimits;
  readonly prefetched?: PrefetchResult | undefined;
};

/**
 * SQL: whether a channel limited to these networks may call from this address. An unknown address may not call a
 * limited channel.
 */
export function networkAllows(networks: string, address: string): string {
  return `(${networks} = '{}' OR ${address} <<= ANY (${networks}))`;
}

const credential = { key_id: "text", secret_hash: "bytea", address: "inet" } as const;

/**
 * Everything that admits a key, in one join: whatever is wrong with it, there is no row and nothing more is read. The
 * channel is looked up even if there is no such key, so that a suspended channel takes no longer. The hash is of 256
 * random bits, so the time of the comparison reveals nothing useful.
 */
const liveKey = `
    LEFT JOIN channel_key k
      ON k.id = lookup.key_id AND k.secret_hash = lookup.secret_hash AND k.revoked_at IS NULL
     AND k.expires_at > clock_timestamp()
    JOIN channel c
      ON c.id = coalesce(k.channel_id, '${noChannel}') AND c.status = 'active'
     AND ${networkAllows("c.networks", "lookup.address")}`;

const keyAlone = `
  SELECT c.id AS key_channel_id, c.atoms, c.calls_per_second, c.calls_at_once,
         (SELECT coalesce(array_agg(p.id), '{}')
            FROM channel_practice cp JOIN practice p ON p.id = cp.practice_id AND p.status = 'active'
           WHERE cp.channel_id = c.id) AS practices
    FROM (SELECT $1::text AS key_id, $2::bytea AS secret_hash, $3::inet AS address) lookup ${liveKey}`;

/** A sub-select instead of a join, which would have to carry a case's many columns. */
const taskReached = `(
  SELECT p.id FROM channel_practice cp JOIN practice p ON p.id = cp.practice_id AND p.status = 'active'
   WHERE cp.channel_id = c.id AND cp.practice_id = t.practice_id)`;

const taskOfKey = (call: string, more: { columns: string; join: string } = { columns: "", join: "" }) => `
  SELECT lookup.n, c.id AS key_channel_id, c.atoms, c.calls_per_second, c.calls_at_once, ${taskReached} AS reached,
         coalesce(t.id IS NOT NULL OR task_known(lookup.task_id), false) AS known, ${recordColumns}, ${submissionsColumn}
         ${more.columns}
    FROM ${call} lookup ${liveKey}
    LEFT JOIN task t ON t.id = lookup.task_id
    ${taskJoins} ${more.join}`;

const keysAndTasks = batchStatement(
  "admit-task",
  { ...credential, task_id: "uuid" },
  eachSeparately((call) => taskOfKey(call)),
);

/** Reads only the version of a task. */
const keysAndVersions = batchStatement(
  "admit-version",
  { ...credential, task_id: "uuid" },
  eachSeparately(
    (call) => `
  SELECT lookup.n, c.id AS key_channel_id, c.atoms, c.calls_per_second, c.calls_at_once, ${taskReached} AS reached,
         ${versionColumns}
    FROM ${call} lookup ${liveKey}
    LEFT JOIN task t ON t.id = lookup.task_id`,
  ),
);

/** A separate statement, because one that reads no messages would also pay for the join. */
const keysAndHistories = batchStatement(
  "admit-history",
  { ...credential, task_id: "uuid", history_length: "int" },
  eachSeparately((call) =>
    taskOfKey(call, {
      columns: ", history.*",
      join: lastMessagesJoin({ practiceId: taskReached, limit: "lookup.history_length" }),
    }),
  ),
);

/**
 * A sub-select instead of a join, because from a join the planner infers the practice and looks it up first. What a
 * channel reaches is looked up without the permission too, which would otherwise take less time.
 */
const practiceReached = `(
  SELECT CASE WHEN 'prior_auth_intake' = ANY (c.atoms) THEN cp.practice_id END FROM channel_practice cp
   WHERE cp.channel_id = c.id AND cp.practice_id = lookup.practice_id)`;

/**
 * If the channel has no right to it, it is not looked up at all, so that it takes the same time whether it exists or
 * not.
 */
const keysAndRoutes = batchStatement(
  "admit-route",
  { ...credential, practice_id: "text", payer_id: "text" },
  eachSeparately(
    (call) => `
  SELECT lookup.n, c.id AS key_channel_id, c.atoms, c.calls_per_second, c.calls_at_once, route.id AS reached, route.*
    FROM ${call} lookup ${liveKey}
    LEFT JOIN LATERAL (${resolvedRouteText({ practiceId: practiceReached, payerId: "lookup.payer_id" })} AND p.status = 'active') route ON true`,
  ),
);

type KeyRow = {
  key_channel_id: string;
  atoms: Atom[];
  calls_per_second: number | null;
  calls_at_once: number | null;
};
/** The number of the call that this row answers, counted from 1, and the practice it reaches. */
type Reach = { n: number; reached: string | null };
type Nullable<Row> = Row | { [Column in keyof Row]: null };

/**
 * The channel of a live key, never from a cache. Undefined if there is none. If a task or connection is read with it,
 * its practices are only the one that the call concerns, if it reaches that.
 */
export async function admit(store: Store, by: Credential, wanted?: Prefetch): Promise<Admission | undefined> {
  const admission = await admitted(store, by, wanted);
  const wait = admission && store.keys.ready(admission.actor.practices);
  if (wait) await wait;
  return admission;
}

function admitted(store: Store, by: Credential, wanted: Prefetch | undefined): Promise<Admission | undefined> {
  return retried(() => admittedOnce(store, by, wanted), { repeatable: true });
}

async function admittedOnce(
  store: Store,
  by: Credential,
  wanted: Prefetch | undefined,
): Promise<Admission | undefined> {
  if (!wanted) return admitAlone(store, by);
  if (!("taskId" in wanted)) return admitWithRoute(store, { ...by, ...wanted });
  const { taskId, historyLength = 0, known } = wanted;
  if (known) {
    const admission = await admitWithVersion(store, { ...by, taskId, known });
    if (!admission?.prefetched) return admission && admittedOnce(store, by, { taskId, historyLength });
    return admission;
  }
  if (historyLength === 0) return admitWithTask(store, { ...by, taskId });
  return admitWithHistory(store, { ...by, taskId, historyLength });
}

async function admitAlone(store: Store, by: Credential): Promise<Admission | undefined> {
  const { key_id, secret_hash, address } = credentialColumns(by);
  const query = { name: "admit", text: keyAlone, values: [key_id, secret_hash, address] };
  const { rows } = await ask<KeyRow & { practices: string[] }>(store, [by], query);
  return rows[0] && rowToAdmission(rows[0], rows[0].practices);
}

type TaskLookup = Credential & { readonly taskId: string };
type HistoryLookup = TaskLookup & { readonly historyLength: number };
type TaskOfKey = KeyRow & Reach & { known: boolean } & Nullable<StoredRow<RecordRow>>;

const admitWithTask = coalesced(async (store, asks: readonly TaskLookup[]) => {
  const query = keysAndTasks(asks.map((ask) => ({ ...credentialColumns(ask), task_id: ask.taskId })));
  const { rows } = await ask<TaskOfKey>(store, asks, query);
  return inOrder(asks, rows, rowToTaskAdmission);
});

const admitWithHistory = coalesced(async (store, asks: readonly HistoryLookup[]) => {
  const given = asks.map((ask) => ({
    ...credentialColumns(ask),
    task_id: ask.taskId,
    history_length: ask.historyLength,
  }));
  const { rows } = await ask<TaskOfKey & HistoryColumns>(store, asks, keysAndHistories(given));
  return inOrder(asks, rows, (call, row) => rowToTaskAdmission(call, row, rowToHistory(row)));
});

type KnownTask = TaskLookup & { readonly known: TaskRecord };

/** Without the task, if it has changed since or the channel does not reach it. */
const admitWithVersion = coalesced(async (store, asks: readonly KnownTask[]) => {
  const query = keysAndVersions(asks.map((ask) => ({ ...credentialColumns(ask), task_id: ask.taskId })));
  const { rows } = await ask<KeyRow & Reach & Nullable<VersionRow>>(store, asks, query);
  return inOrder(asks, rows, ({ taskId, known }, row) => {
    const isKnown = row.id !== null && row.reached !== null && isCurrent(known, row);
    const prefetched = isKnown ? { taskId, exists: true, row: undefined, known } : undefined;
    return { ...rowToAdmission(row, practicesOf(row)), prefetched };
  });
});

/** What the channel does not reach goes no further than this function. */
function rowToTaskAdmission({ taskId }: TaskLookup, row: TaskOfKey, messages?: readonly SealedMessage[]): Admission {
  const seen = row.id === null || row.reached === null ? undefined : row;
  const history = seen && messages;
  return { ...rowToAdmission(row, practicesOf(row)), prefetched: { taskId, exists: row.known, row: seen, history } };
}

type RouteLookup = Credential & { readonly practiceId: string; readonly payerId: string };

const admitWithRoute = coalesced(async (store, asks: readonly RouteLookup[]) => {
  const given = asks.map((ask) => ({
    ...credentialColumns(ask),
    practice_id: ask.practiceId,
    payer_id: ask.payerId,
  }));
  const query = withNamedScope(asks, keysAndRoutes(given));
  const { rows } = await resultOf<KeyRow & Reach & Nullable<ResolvedRouteRow>>(unscoped(store).pool, query);
  return inOrder(asks, rows, ({ practiceId, payerId }, row) => {
    const route = row.id === null || row.reached === null ? undefined : rowToResolvedRoute(row, payerId);
    return { ...rowToAdmission(row, practicesOf(row)), prefetched: { practiceId, payerId, route } };
  });
});

/** Rows of only the practices that the channels of these keys reach, whatever the statement itself asks for. */
async function ask<Row>(
  store: Store,
  asks: readonly Credential[],
  query: QueryConfig,
): Promise<{ readonly rows: readonly Row[] }> {
  return resultOf<Row>(unscoped(store).pool, withReachScope(asks, query));
}

/** One answer for each call; undefined if no row came for it. */
function inOrder<Ask, Row extends Reach, Answer>(
  asks: readonly Ask[],
  rows: readonly Row[],
  answer: (ask: Ask, row: Row) => Answer,
): readonly (Answer | undefined)[] {
  const byNumber = new Map(rows.map((row) => [row.n, row]));
  return asks.map((ask, index) => {
    const row = byNumber.get(index + 1);
    return row && answer(ask, row);
  });
}

function practicesOf({ reached }: Reach): readonly string[] {
  return reached === null ? [] : [reached];
}

function credentialColumns({ keyId, secretHash, address }: Credential) {
  return { key_id: keyId, secret_hash: secretHash, address: address ?? null };
}

function rowToAdmission(row: KeyRow, practices: readonly string[]): Admission {
  return {
    actor: { kind: "channel", id: row.key_channel_id, atoms: row.atoms, practices },
    limits: { callsPerSecond: row.calls_per_second ?? undefined, callsAtOnce: row.calls_at_once ?? undefined },
  };
}
