import { actorName, type ChannelActor } from "#lib/access/model/actor";
import type { Event } from "#lib/task/model/lifecycle/event";
import { riskOf } from "#lib/task/model/vote-rule";
import { gateOf, stateOf, type Task } from "#lib/task/model/task";
import { announce } from "#lib/db/announce";
import { coalesced, type Columns, batchStatement } from "#lib/db/coalesce";
import { auditDetail } from "#lib/audit/model/entry";
import { type Store, unscoped } from "#lib/db/db";
import { sealFacts } from "./events.ts";
import { filterBits } from "#lib/platform/clever/filter-bits";
import { newId } from "#lib/db/new-id";
import { assert } from "#lib/platform/result";
import { retried } from "#lib/db/retry";
import { inPracticeShare, isChainSuspected, lockingChain } from "#lib/db/practice-share";
import {
  resultOf,
  withHastyTenantScope,
  withTenantScope,
  scopeTextOfAll,
  type TenantScope,
} from "#lib/db/tenant-scope";
import { columnTypes } from "./task-columns.ts";
import { revisionRow, sealCalls, type FrozenGate } from "./save-task.ts";
import { memberHash, sealBytes, sealText } from "#lib/db/sealed";

export type NewTask = {
  readonly id: string;
  readonly practiceId: string;
  readonly contextId: string;
  /** The task whose authorization it renews or extends. */
  readonly earlierTaskId?: string | undefined;
  readonly payerId: string;
  /** The payer id of the connection its request goes over. */
  readonly connection: string;
  readonly environment: "live" | "test";
  readonly events: readonly Event[];
  readonly task: Task;
  readonly frozen: FrozenGate | undefined;
  readonly procedureCodes: readonly string[];
  readonly patient: string | undefined;
  readonly memberId: string | undefined;
  readonly urgent: boolean;
  readonly revision: { readonly digest: string; readonly bytes: Uint8Array };
  readonly message: {
    readonly messageId: string | undefined;
    readonly contentDigest: string;
    readonly body: Uint8Array;
  };
  readonly at: Date;
};

/** The columns of a task that its first message gives. */
const opened = columnTypes([
  "id",
  "practice_id",
  "channel_id",
  "context_id",
  "earlier_task_id",
  "payer_id",
  "route_payer_id",
  "environment",
  "stage",
  "gate_id",
  "revision_digest",
  "missing",
  "procedure_codes",
  "patient",
  "member_hash",
  "filter_bits",
  "urgent",
  "state",
  "due_at",
]);

const openedNames = Object.keys(opened).join(", ");

/** What a new task's rows are made of. */
const columns = {
  ...opened,
  row_id: "uuid",
  message_id: "text",
  content_digest: "text",
  body: "bytea",
  size: "int",
  at: "timestamptz",
  event: "text",
  facts: "bytea",
  service_review: "bytea",
  is_manual: "boolean",
  gate_digest: "text",
  document_digests: "text[]",
  calls: "bytea",
  route_id: "uuid",
  route_version: "int",
  route_rule: "text",
  connector: "text",
  warnings: "text[]",
  risk: "text",
  expires_at: "timestamptz",
  actor: "text",
  detail: "text",
} as const satisfies Columns;

type SealedColumn = "body" | "facts" | "service_review" | "calls" | "patient" | "member_hash";
/** One task to be made, column by column. */
type Opening = { readonly [Name in keyof typeof columns]: Name extends SealedColumn ? Uint8Array | null : unknown } & {
  readonly practice_id: string;
};

/** One row's parameters cost less to name again than to keep. */
const kept = (many: boolean) => (many ? "MATERIALIZED" : "NOT MATERIALIZED");

const recordOne = "SELECT ARRAY[n] AS made, audit_append(practice_id, actor, 'task.opened', id, detail) FROM opening";
const recordAll = `
  SELECT array_agg(n) AS made,
         audit_append_each(array_agg(practice_id), array_agg(actor), 'task.opened', array_agg(id), array_agg(detail))
    FROM opening`;

/**
 * The message decides: where its id was taken, none of the other rows are made.
 * One statement, so that all tasks asked for together, their gates and their
 * audit entries cost one round trip and one commit. Messages and chains are
 * taken in order, so that no two statements wait for each other.
 */
const openTasks = batchStatement(
  "open-task",
  columns,
  (given, many) => `
  WITH candidate AS ${kept(many)} (
    SELECT * FROM ${given} given
  ), accepted AS (
    INSERT INTO message (id, task_id, practice_id, channel_id, message_id, content_digest, revision, body, size, created_at)
    SELECT row_id, id, practice_id, channel_id, message_id, content_digest, 1, body, size, at
      FROM candidate ${many ? "ORDER BY channel_id, message_id" : ""}
    ON CONFLICT DO NOTHING RETURNING task_id
  ), opening AS ${kept(many)} (
    SELECT candidate.* FROM candidate JOIN accepted ON accepted.task_id = candidate.id
  ), opened AS (
    INSERT INTO task (${openedNames}, short_id, payer_receipt, revision, created_at, changed_at)
    SELECT ${openedNames}, right(id::text, 8), 'no', 1, at, at
      FROM opening
  ), happened AS (
    INSERT INTO task_event (task_id, version, position, practice_id, type, facts, occurred_at)
    SELECT id, 1, 1, practice_id, event, facts, at FROM opening
  ), revised AS (
    INSERT INTO revision (task_id, number, practice_id, digest, service_review, created_at)
    SELECT id, 1, practice_id, revision_digest, service_review, at FROM opening
  ), gated AS (
    INSERT INTO gate (id, task_id, practice_id, action, is_update, is_manual, revision, digest, document_digests, calls,
                      route_id, route_version, route_rule, connector, environment, warnings, risk, status, opened_at, expires_at)
    SELECT gate_id, id, practice_id, 'transmit', false, is_manual, 1, gate_digest, document_digests, calls,
           route_id, route_version, route_rule::jsonb, connector, environment, warnings, risk, 'open', at, expires_at
      FROM opening WHERE gate_id IS NOT NULL
  )
  ${many ? recordAll : recordOne}`,
);

/**
 * Makes a task from its first message. False when a message with this id was accepted before. Where the connection is
 * lost it is asked for again with the same rows, which are made once.
 */
export async function insertTask(store: Store, actor: ChannelActor, opening: NewTask): Promise<boolean> {
  const wait = store.keys.ready([opening.practiceId]);
  if (wait) await wait;
  const ask = { ...openingOf(store, actor, opening), scope: store.scope };
  const whole = unscoped(store);
  const insert = () =>
    isChainSuspected(whole, opening.practiceId) ? insertInShare(whole, ask) : insertOpening(whole, ask);
  const made = await retried(insert, { repeatable: true });
  if (made) announce(store, "cases", opening.practiceId);
  return made;
}

/** What the statement gives, once or not at all: the numbers of the tasks it made. */
type OpenedTasks = { readonly made: readonly number[] | null };

/** The statement that makes the rows of one new task; where the message id was taken, none. */
export function openTaskStatement(store: Store, actor: ChannelActor, opening: NewTask) {
  return openTasks([openingOf(store, actor, opening)]);
}

/** A task to be made, in the practices its store is narrowed to. */
type Ask = Opening & { readonly scope: TenantScope | undefined };

const insertOpening = coalesced(insertOpenings, {
  bytesOf: ({ body, service_review: review, calls }: Ask) =>
    [body, review, calls].reduce((bytes, part) => bytes + (part?.length ?? 0), 0),
});

/** Of several practices none waits long for another's audit chain: where one is locked, each is asked for alone. */
async function insertOpenings(store: Store, openings: readonly Ask[]): Promise<readonly boolean[]> {
  const [first, ...others] = openings;
  if (first && others.length === 0) return [await insertInShare(store, first)];
  return insertTogether(store, openings);
}

async function insertInShare(store: Store, ask: Ask): Promise<boolean> {
  const [made = false] = await inPracticeShare(store, ask.practice_id, () => insertTogether(store, [ask]));
  return made;
}

function insertTogether(store: Store, openings: readonly Ask[]): Promise<readonly boolean[]> {
  const practices = new Set(openings.map(({ practice_id: practice }) => practice));
  const [practice, ...others] = practices;
  if (practice === undefined || others.length > 0) return insertRows(store, openings, withHastyTenantScope);
  return lockingChain(store, practice, () => insertRows(store, openings, withTenantScope));
}

async function insertRows(
  store: Store,
  openings: readonly Ask[],
  inScope: typeof withTenantScope,
): Promise<readonly boolean[]> {
  const { rows } = await resultOf<OpenedTasks>(store.pool, inScope(scopeTextOfAll(openings), openTasks(openings)));
  const made = new Set(rows[0]?.made);
  // Nobody but an earlier try of the same can have taken the place of a message without an id.
  return openings.map(({ message_id: messageId }, index) => messageId === null || made.has(index + 1));
}

function openingOf(store: Store, actor: ChannelActor, opening: NewTask): Opening {
  const { id, practiceId, events, task, frozen, revision, message, at } = opening;
  const [opened] = events;
  assert(opened, "a task opens with an event");
  const gate = gateOf(task);
  const rowId = newId();
  const of = { row: id, practiceId };
  const detail = {
    channel: actor.id,
    key: actor.keyId,
    revision: 1,
    digest: revision.digest,
    gate: gate?.digest ?? null,
    to: stateOf(task),
  };
  return {
    row_id: rowId,
    id,
    practice_id: practiceId,
    channel_id: actor.id,
    message_id: message.messageId ?? null,
    content_digest: message.contentDigest,
    body: sealBytes(store, "message.body", { row: rowId, practiceId }, message.body),
    size: message.body.length,
    at,
    context_id: opening.contextId,
    earlier_task_id: opening.earlierTaskId ?? null,
    payer_id: opening.payerId,
    route_payer_id: opening.connection === opening.payerId ? null : opening.connection,
    environment: opening.environment,
    stage: task.stage.kind,
    gate_id: gate?.id ?? null,
    event: opened.type,
    facts: sealFacts(store, opened, { taskId: id, practiceId, version: 1, position: 1 }),
    missing: task.missing,
    procedure_codes: opening.procedureCodes,
    patient: opening.patient === undefined ? null : sealText(store, "task.patient", of, opening.patient),
    member_hash: opening.memberId === undefined ? null : memberHash(store, opening.memberId, practiceId),
    filter_bits: filterBits({ payerId: opening.payerId, channelId: actor.id, codes: opening.procedureCodes }),
    urgent: opening.urgent,
    state: stateOf(task),
    due_at: frozen?.dueAt ?? null,
    revision_digest: revision.digest,
    service_review: sealBytes(store, "revision.service_review", revisionRow(id, 1, practiceId), revision.bytes),
    is_manual: gate?.manual ?? null,
    gate_digest: gate?.digest ?? null,
    document_digests: frozen?.documentDigests ?? null,
    calls: frozen ? sealCalls(store, frozen, practiceId) : null,
    route_id: frozen?.routeId ?? null,
    route_version: frozen?.routeVersion ?? null,
    route_rule: frozen?.rule ? JSON.stringify(frozen.rule) : null,
    connector: frozen?.connector ?? null,
    warnings: frozen?.warnings ?? null,
    risk: frozen ? riskOf({ action: "transmit", determined: false, warnings: frozen.warnings }) : null,
    expires_at: gate?.expiresAt ?? null,
    actor: actorName(actor),
    detail: auditDetail(detail),
  };
}
