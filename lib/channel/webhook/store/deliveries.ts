import type { Reach } from "#lib/access/model/actor";
import { knownWord } from "#lib/platform/known-word";
import { acrossPractices } from "#lib/db/for-practices";
import { newId } from "#lib/db/new-id";
import { query, type Store, type Tx } from "#lib/db/db";
import { openText } from "#lib/db/sealed";
import { states, type State } from "#lib/task/model/task";
import {
  deliveryProblems,
  deliveryStatuses,
  type DeliveryProblem,
  type DeliveryRecord,
} from "#lib/channel/webhook/model/delivery";

/** A change of a task, told to whoever named a place for it. */
type TaskChange = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly version: number;
  readonly state: State;
  readonly changedAt: Date;
};

/**
 * Puts a change into the outbox, in the transaction that makes it. The changes before it that were not tried yet are
 * superseded here, so that the worker need not pass over them to reach the deliveries of other channels.
 */
export async function insertDelivery(
  tx: Tx,
  { taskId, practiceId, version, state, changedAt }: TaskChange,
): Promise<void> {
  await query(tx, {
    name: "insert-delivery",
    text: `
      WITH overtaken AS (
        UPDATE webhook_delivery SET status = 'superseded'
         WHERE task_id = $2::uuid AND practice_id = $3 AND version < $4::int
           AND status = 'waiting' AND tries = 0 AND NOT is_resent)
      INSERT INTO webhook_delivery (id, task_id, practice_id, channel_id, version, state, changed_at)
      SELECT $1::uuid, w.task_id, w.practice_id, w.channel_id, $4::int, $5, $6::timestamptz
        FROM task_webhook w WHERE w.task_id = $2::uuid AND w.practice_id = $3`,
    values: [newId(), taskId, practiceId, version, state, changedAt],
  });
}

export type DueDelivery = {
  readonly id: string;
  readonly practiceId: string;
  readonly channelId: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly version: number;
  readonly state: State;
  readonly changedAt: Date;
  readonly tries: number;
};

type DueRow = Omit<DueDelivery, "state"> & { readonly state: string; readonly isOvertaken: boolean };

type DueDeliveries = { readonly due: readonly DueDelivery[]; readonly isMore: boolean };

/** After how long a try whose process ended counts as failed. */
const leaseS = 60;

/** How many of the oldest due deliveries are looked at for those to claim. */
const lookedAt = 200;

type Claim = {
  readonly limit: number;
  /** The most of one channel, with those that it has under way. */
  readonly share: number;
  readonly underWay: ReadonlyMap<string, number>;
};

/**
 * Claims deliveries that are due, for as long as one try takes: of the channels that have the fewest under way first, and
 * no more than its share of any. Those that a later change of their task overtook are marked so instead. `isMore` is
 * whether there were any of either kind, so that others may be due behind them.
 */
export async function claimDue(store: Store, { limit, share, underWay }: Claim): Promise<DueDeliveries> {
  const busy = [...underWay].filter(([, count]) => count >= share).map(([id]) => id);
  const { rows } = await acrossPractices(store, "due-work").pool.query<DueRow>({
    name: "claim-webhooks",
    text: `
      WITH oldest AS (
        SELECT id, channel_id, due_at FROM webhook_delivery
         WHERE status = 'waiting' AND due_at <= statement_timestamp() AND channel_id <> ALL ($2::uuid[])
         ORDER BY due_at LIMIT ${lookedAt}),
      ranked AS (
        SELECT o.id, o.due_at, row_number() OVER (PARTITION BY o.channel_id ORDER BY o.due_at) + coalesce(u.count, 0) AS nth
          FROM oldest o LEFT JOIN unnest($3::uuid[], $4::int[]) AS u (channel_id, count) ON u.channel_id = o.channel_id),
      due AS (
        SELECT d.id, NOT d.is_resent AND EXISTS (
                 SELECT FROM webhook_delivery later
                  WHERE later.task_id = d.task_id AND later.version > d.version) AS is_overtaken
          FROM webhook_delivery d JOIN ranked r ON r.id = d.id
         WHERE d.status = 'waiting' AND d.due_at <= clock_timestamp() AND r.nth <= $5
         ORDER BY r.nth, r.due_at LIMIT $1 FOR UPDATE OF d SKIP LOCKED),
      claimed AS (
        UPDATE webhook_delivery d
           SET status = CASE WHEN due.is_overtaken THEN 'superseded' ELSE d.status END,
               tries = d.tries + CASE WHEN due.is_overtaken THEN 0 ELSE 1 END,
               tried_at = CASE WHEN due.is_overtaken THEN d.tried_at ELSE clock_timestamp() END,
               due_at = clock_timestamp() + make_interval(secs => ${leaseS})
          FROM due WHERE d.id = due.id
        RETURNING d.*, due.is_overtaken)
      SELECT c.id, c.practice_id AS "practiceId", c.channel_id AS "channelId", c.task_id AS "taskId",
             t.context_id AS "contextId", c.version, c.state, c.changed_at AS "changedAt", c.tries, c.is_overtaken AS "isOvertaken"
        FROM claimed c JOIN task t ON t.id = c.task_id`,
    values: [limit, busy, [...underWay.keys()], [...underWay.values()], share],
  });
  const due = rows.flatMap(({ isOvertaken, ...row }) =>
    isOvertaken ? [] : [{ ...row, state: knownWord(states, row.state, "webhook_delivery.state") }],
  );
  return { due, isMore: rows.length > 0 };
}

export type DeliveryTarget = { readonly url: string; readonly token?: string | undefined };

type TargetRow = { readonly url: Uint8Array; readonly token: Uint8Array | null };

/**
 * Where a change is told, in the scope of its practice; undefined where the channel may not be told any more: it is
 * suspended, may not read tasks, does not reach the practice, or has no webhooks.
 */
export async function loadTarget(
  store: Store,
  { taskId, practiceId, channelId }: Pick<DueDelivery, "taskId" | "practiceId" | "channelId">,
): Promise<DeliveryTarget | undefined> {
  const { rows } = await store.pool.query<TargetRow>({
    name: "webhook-target",
    text: `
      SELECT w.url, w.token FROM task_webhook w
        JOIN channel c ON c.id = w.channel_id AND c.status = 'active' AND 'tasks_get' = ANY (c.atoms)
        JOIN channel_practice cp ON cp.channel_id = c.id AND cp.practice_id = w.practice_id
        JOIN practice p ON p.id = cp.practice_id AND p.status = 'active'
       WHERE w.task_id = $1::uuid AND w.practice_id = $2 AND w.channel_id = $3::uuid`,
    values: [taskId, practiceId, channelId],
  });
  const [row] = rows;
  if (!row) return undefined;
  await store.keys.ready([practiceId]);
  const of = { row: taskId, practiceId };
  const token = row.token === null ? undefined : openText(store, "task_webhook.token", of, row.token);
  return { url: openText(store, "task_webhook.url", of, row.url), token };
}

export type TryOutcome =
  | { readonly status: "delivered"; readonly httpStatus: number }
  | {
      readonly status: "failed";
      readonly httpStatus?: number | undefined;
      readonly problem?: DeliveryProblem | undefined;
      /** Until the next try; the delivery has failed where there is none. */
      readonly pauseS?: number | undefined;
    };

/** Keeps what became of a try, unless another process tried it meanwhile. */
export async function recordTry(
  store: Store,
  { id, tries, practiceId }: DueDelivery,
  outcome: TryOutcome,
): Promise<void> {
  const { httpStatus = null } = outcome;
  const [problem, pauseS] =
    outcome.status === "failed" ? [outcome.problem ?? null, outcome.pauseS ?? null] : [null, null];
  await store.pool.query({
    name: "record-webhook-try",
    text: `
      UPDATE webhook_delivery
         SET status = CASE WHEN $6::int IS NULL THEN $3 ELSE status END, http_status = $4, problem = $5,
             due_at = clock_timestamp() + make_interval(secs => coalesce($6::int, 0))
       WHERE id = $1::uuid AND practice_id = $7 AND tries = $2 AND status = 'waiting'`,
    values: [id, tries, outcome.status, httpStatus, problem, pauseS, practiceId],
  });
}

/** The latest deliveries of a channel. */
export async function listChannelDeliveries(
  store: Store,
  { channelId, most }: { readonly channelId: string; readonly most: number },
): Promise<readonly DeliveryRecord[]> {
  const rows = await store.prisma.webhookDelivery.findMany({
    where: { channelId },
    orderBy: [{ changedAt: "desc" }, { id: "desc" }],
    take: most,
  });
  return rows.map(({ id, taskId, version, changedAt, tries, status, state, problem, dueAt, triedAt, httpStatus }) => ({
    ...{ id, taskId, version, changedAt, tries },
    state: knownWord(states, state, "webhook_delivery.state"),
    status: knownWord(deliveryStatuses, status, "webhook_delivery.status"),
    dueAt: status === "waiting" ? dueAt : undefined,
    triedAt: triedAt ?? undefined,
    httpStatus: httpStatus ?? undefined,
    problem: problem === null ? undefined : knownWord(deliveryProblems, problem, "webhook_delivery.problem"),
  }));
}

/**
 * Lets a delivery of these practices be tried again, from the first try on; false where it is not there, or is being
 * tried anyway.
 */
export async function resend(
  tx: Tx,
  {
    deliveryId,
    channelId,
    practices,
  }: { readonly deliveryId: string; readonly channelId: string; readonly practices: Reach },
): Promise<boolean> {
  const among = practices === "every" ? {} : { practiceId: { in: [...practices] } };
  const { count } = await tx.webhookDelivery.updateMany({
    where: { id: deliveryId, channelId, status: { not: "waiting" }, ...among },
    data: { status: "waiting", tries: 0, dueAt: new Date(), isResent: true, problem: null, httpStatus: null },
  });
  return count === 1;
}

const keptDays = 30;

/** The most that are deleted in one statement, and in one go. */
const [forgottenAtOnce, forgottenMax] = [5_000, 100_000];

/** In parts, because after days without any delivery one statement for all would take longer than a statement may. */
export async function forgetOldDeliveries(store: Store): Promise<void> {
  for (let forgotten = 0; forgotten < forgottenMax; forgotten += forgottenAtOnce) {
    const { rowCount } = await acrossPractices(store, "due-work").pool.query(
      `DELETE FROM webhook_delivery WHERE id IN (
         SELECT id FROM webhook_delivery WHERE changed_at < clock_timestamp() - make_interval(days => $1)
          ORDER BY changed_at LIMIT $2)`,
      [keptDays, forgottenAtOnce],
    );
    if ((rowCount ?? 0) < forgottenAtOnce) return;
  }
}
