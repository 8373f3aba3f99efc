import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { CheckType } from "#lib/gate/model/check";
import { actionIn, queueViews, type QueueFilters, type QueueSort, type QueueView } from "#lib/queue/model/queue";
import { loadSearch } from "#lib/queue/store/case-searches";
import { openText } from "#lib/db/seal";
import { casesAmong, countCases, countViews, listCases, type Counts, type ListedRow } from "#lib/queue/store/queue";
import type { QueueQuery } from "#lib/queue/store/queue-sections";
import { caseClock } from "#lib/task/case-clock";
import { placeAt, readPlace } from "./queue-place.ts";
import { shortIdOf } from "#lib/task/model/short-id";
import type { QueueRow } from "#lib/task/views";

/** The list at hand is counted no further than this: then there are "1,000+". */
const listedMax = 1000;

/** The views beside it are counted no further than this: then there are "99+". Ten counts to a thousand took longer than the page. */
const besideMax = 99;

/** Most rows a page of the queue shows. */
const queuePageMax = 40;

export type QueueQuestion = {
  readonly view: QueueView;
  readonly sort: QueueSort;
  readonly filters: QueueFilters;
  /** A short id or the payer's reference; it looks in every view. */
  readonly text?: string | undefined;
  /** A search kept for this person, likewise. */
  readonly search?: string | undefined;
  /** Where the page begins, as an earlier page gave it. */
  readonly place?: string | undefined;
};

export type { Counts as QueueCounts };

export type QueuePage = {
  readonly rows: readonly QueueRow[];
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  /** How many cases the list has, at most one more than `listedMax`, where reading the page told it. */
  readonly matches?: number | undefined;
  /** The kept search is not this person's, or over. */
  readonly searchIsOver: boolean;
};

const nothing: QueuePage = { rows: [], searchIsOver: false };

/** One page of the cases of the reviewer's practices; empty for anyone who reviews for none. */
export async function listQueue(
  ctx: Context<PersonActor>,
  question: QueueQuestion,
  size = queuePageMax,
): Promise<QueuePage> {
  const asked = await askedBy(ctx, question);
  if (asked === "over") return { ...nothing, searchIsOver: true };
  if (!asked) return nothing;
  const from = readPlace(question.place);
  const { rows, more, total } = await listCases(ctx.store, asked, { size, from, max: listedMax + 1 });
  const [first, last] = [rows[0], rows.at(-1)];
  // A page that is empty from here on, because its cases moved elsewhere since, is the first one again.
  if (from && !first) return listQueue(ctx, { ...question, place: undefined }, size);
  return {
    rows: rows.map((row) => rowToQueueRow(ctx, row)),
    after: last && more.after ? placeAt(last, "after") : undefined,
    before: first && more.before ? placeAt(first, "before") : undefined,
    matches: total,
    searchIsOver: false,
  };
}

/** How many cases each view has, at most one more than `besideMax`; of the one that is listed, than `listedMax`. */
export async function countQueue({ actor, store }: Context<PersonActor>, listed?: QueueView): Promise<Counts> {
  if (!reviews(actor)) return none;
  const { id: personId, practices } = actor;
  const further = listed && { view: listed, max: listedMax + 1 };
  return countViews(store, { practices, personId }, { max: besideMax + 1, listed: further });
}

/** How many cases the list at hand has, at most one more than `listedMax`. */
export async function countMatches(ctx: Context<PersonActor>, question: QueueQuestion): Promise<number> {
  // The order changes nothing about their number, and this one is counted fastest.
  const asked = await askedBy(ctx, { ...question, sort: "due" });
  return asked && asked !== "over" ? countCases(ctx.store, asked, listedMax + 1) : 0;
}

/** Which of these cases the question finds, on whatever page. */
export async function casesFound(
  ctx: Context<PersonActor>,
  question: QueueQuestion,
  taskIds: readonly string[],
): Promise<readonly string[]> {
  const asked = await askedBy(ctx, question);
  return asked && asked !== "over" ? casesAmong(ctx.store, asked, taskIds) : [];
}

// Safe because every view has its entry.
const none = Object.fromEntries(queueViews.map((view) => [view, 0])) as Counts;

function reviews({ roles, practices }: PersonActor): boolean {
  return roles.includes("reviewer") && practices.length > 0;
}

async function askedBy(
  { actor, store }: Context<PersonActor>,
  question: QueueQuestion,
): Promise<QueueQuery | "over" | undefined> {
  if (!reviews(actor)) return undefined;
  const { id: personId, practices } = actor;
  const { view, sort, filters, text, search } = question;
  const asked = { practices, personId, sort, filters };
  if (search !== undefined) {
    const member = await loadSearch(store, { id: search, personId });
    if (member === undefined) return "over";
    const memberHashes = practices.map((practiceId) => store.sealer.memberHash(member, practiceId));
    return { ...asked, view: { text: member, memberHashes } };
  }
  return { ...asked, view: text === undefined ? view : { text, memberHashes: [] } };
}

function rowToQueueRow({ store }: Context, row: ListedRow): QueueRow {
  const { state } = row;
  const held = state === "transmit-held" || state === "void-held";
  const action = actionIn(state);
  const place = { table: "task", column: "patient", row: row.id, practiceId: row.practice_id };
  return {
    taskId: row.id,
    shortId: shortIdOf(row.id),
    practice: { id: row.practice_id, name: row.practice_name, timeZone: row.time_zone ?? undefined },
    payer: { id: row.payer_id, name: row.payer_name ?? undefined },
    connector: (action ? row.gate_connector : row.route_connector) ?? "manual",
    environment: row.environment,
    state,
    attention: row.needs_person ?? undefined,
    action,
    update: action === "transmit" && row.gate_is_update === true,
    revision: row.revision,
    procedureCodes: row.procedure_codes,
    patient: row.patient ? openText(store.sealer, row.patient, place) : undefined,
    urgent: row.urgent,
    since: (held ? row.gate_opened_at : undefined) ?? row.changed_at,
    expiresAt: (held ? row.gate_expires_at : undefined) ?? undefined,
    dueAt: row.due_at ?? undefined,
    clock: caseClock(row),
    outcome: state === "determined" ? (row.outcome ?? undefined) : undefined,
    sentBackBy: state === "needs-information" ? (row.remark_by ?? undefined) : undefined,
    assignee: row.assignee_id ? { id: row.assignee_id, name: row.assignee_name ?? "somebody" } : undefined,
    // Safe because `freezeGate` writes exactly these types.
    warnings: held ? ((row.gate_warnings ?? []) as CheckType[]) : [],
  };
}
