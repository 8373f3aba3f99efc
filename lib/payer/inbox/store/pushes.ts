import type { ConnectorName } from "#lib/payer/model/destination";
import type { Action } from "#lib/task/model/task";
import type { Store, Tx } from "#lib/db/db";
import { newId } from "#lib/db/new-id";
import { openArchivedBytes, sealBytes } from "#lib/db/sealed";
import { isOnConnection } from "#lib/task/shared/route-payer";
import { knownWord } from "#lib/platform/known-word";
import { actions } from "#lib/task/model/vote-rule";

/** A practice, and the payer id of one of its payer connections. */
type Of = { readonly practiceId: string; readonly payerId: string };

/** Those of these tasks that belong to this practice and payer and of which something was submitted. */
export async function submittedTasks(
  store: Store,
  { practiceId, payerId, taskIds }: Of & { taskIds: readonly string[] },
): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ id: string }>({
    name: "sent-tasks",
    text: `
      SELECT t.id FROM task t
       WHERE t.id = ANY($1::uuid[]) AND t.practice_id = $2 AND ${isOnConnection("t", "$3")}
         AND EXISTS (SELECT FROM gate g JOIN transmission x ON x.gate_id = g.id
                      WHERE g.task_id = t.id AND (x.started_at IS NOT NULL OR x.sent_at IS NOT NULL))`,
    values: [taskIds, practiceId, payerId],
  });
  return rows.map(({ id }) => id);
}

/**
 * The practice's tasks with this payer that have one of these payer references and of which something was submitted.
 */
export async function tasksByReference(
  store: Store,
  { practiceId, payerId, references }: Of & { references: readonly string[] },
): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ id: string }>({
    name: "tasks-by-reference",
    text: `
      SELECT t.id FROM task t
       WHERE t.practice_id = $1 AND t.reference = ANY($2) AND ${isOnConnection("t", "$3")}
         AND EXISTS (SELECT FROM gate g JOIN transmission x ON x.gate_id = g.id
                      WHERE g.task_id = t.id AND (x.started_at IS NOT NULL OR x.sent_at IS NOT NULL))
       LIMIT 10`,
    values: [practiceId, references, payerId],
  });
  return rows.map(({ id }) => id);
}

/** A request that was submitted electronically, with what identifies it. */
export type SubmittedRequest = {
  readonly taskId: string;
  readonly revision: number;
  readonly action: Action;
  /** How often the payer had rejected the same action before. */
  readonly refusals: number;
  readonly after: { readonly releasedAt: Date; readonly gateId: string };
};

/** The most requests that one statement reads. */
const requestsPage = 2_000;

/** Requests that were submitted electronically from a practice to a payer, the latest first, after a given one. */
export async function submittedRequests(
  store: Store,
  {
    practiceId,
    payerId,
    connector,
    after,
  }: Of & { connector: ConnectorName; after?: SubmittedRequest["after"] | undefined },
): Promise<readonly SubmittedRequest[]> {
  const { rows } = await store.pool.query<RequestRow>({
    name: "sent-requests",
    text: `
      SELECT g.task_id, g.revision, g.action, x.released_at, x.gate_id,
             (SELECT count(*)::int FROM gate e JOIN transmission y ON y.gate_id = e.id
               WHERE e.task_id = g.task_id AND e.action = g.action AND e.revision = g.revision
                 AND e.opened_at < g.opened_at AND y.result = 'refused') AS refusals
        FROM transmission x JOIN gate g ON g.id = x.gate_id JOIN task t ON t.id = g.task_id
       WHERE x.practice_id = $1 AND ${isOnConnection("t", "$2")} AND g.connector = $3 AND NOT x.is_manual AND x.started_at IS NOT NULL
         AND ($4::timestamptz IS NULL OR (x.released_at, x.gate_id) < ($4, $5::uuid))
       ORDER BY x.released_at DESC, x.gate_id DESC LIMIT ${requestsPage}`,
    values: [practiceId, payerId, connector, after?.releasedAt ?? null, after?.gateId ?? null],
  });
  return rows.map(({ task_id: taskId, released_at: releasedAt, gate_id: gateId, action, ...named }) => ({
    taskId,
    action: knownWord(actions, action, "gate.action"),
    ...named,
    after: { releasedAt, gateId },
  }));
}

type RequestRow = {
  task_id: string;
  revision: number;
  action: string;
  released_at: Date;
  gate_id: string;
  refusals: number;
};

/** Stores a notification about a task, to be handled. The same bytes about a task are stored once. */
export async function keepPush(
  store: Store,
  push: { readonly taskId: string; readonly practiceId: string; readonly digest: string; readonly body: Uint8Array },
): Promise<void> {
  const id = newId();
  const { taskId, practiceId, digest, body } = push;
  await store.pool.query({
    name: "keep-push",
    text: `
      INSERT INTO payer_event (id, task_id, practice_id, gate_id, kind, digest, payload, received_at)
      SELECT $1, t.id, t.practice_id, t.gate_id, 'push', $4, $5, clock_timestamp()
        FROM task t WHERE t.id = $2 AND t.practice_id = $3
      ON CONFLICT (task_id, kind, digest) DO NOTHING`,
    values: [id, taskId, practiceId, digest, sealBytes(store, "payer_event.payload", { row: id, practiceId }, body)],
  });
}

/** The oldest notification about a task that is not handled yet. */
export async function nextPush(
  tx: Tx,
  { taskId, practiceId }: { taskId: string; practiceId: string },
): Promise<{ id: string; body: Uint8Array } | undefined> {
  const waiting = await tx.payerEvent.findFirst({
    where: { taskId, practiceId, handledAt: null, payload: { not: null } },
    orderBy: { receivedAt: "asc" },
  });
  if (!waiting?.payload) return undefined;
  return {
    id: waiting.id,
    body: await openArchivedBytes(tx, "payer_event.payload", { row: waiting.id, practiceId }, waiting.payload),
  };
}

/** When the payer last answered the submission of this gate, by its own date, and no later than the receipt. */
export async function lastAnswerAt(
  tx: Tx,
  { taskId, gateId }: { taskId: string; gateId: string },
): Promise<Date | undefined> {
  const answers = await tx.payerEvent.findMany({
    where: { taskId, gateId, kind: { startsWith: "answer." }, payerAt: { not: null } },
    select: { payerAt: true, receivedAt: true },
  });
  const instants = answers.map(({ payerAt, receivedAt }) => (payerAt && payerAt < receivedAt ? payerAt : receivedAt));
  return instants.toSorted((one, other) => other.getTime() - one.getTime())[0];
}
