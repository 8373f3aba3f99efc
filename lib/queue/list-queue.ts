import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import {
  actionIn,
  queueViews,
  type QueueFilters,
  type QueueSort,
  type QueueView,
  type TabView,
} from "#lib/queue/model/queue";
import { loadSearch } from "#lib/queue/store/case-searches";
import { countCases, countViews, isRareEnvironment, type Counts } from "#lib/queue/store/queue-counts";
import {
  casesAmong,
  listCases,
  listedFailure,
  listedPatient,
  type ListedRow,
  type Place,
} from "#lib/queue/store/queue-pages";
import { hasEnvironmentIndex, type QueueQuery } from "#lib/queue/store/queue-sections";
import { caseClock } from "#lib/task/case-clock";
import { shortIdOf } from "#lib/task/model/short-id";
import type { QueueRow } from "#lib/task/views";
import { isUuid } from "#lib/platform/uuid";

/** The current list is counted up to this number, and shown as "1,000+" beyond it. */
export const listedMax = 1000;

/** The other views are counted up to this number, and shown as "99+" beyond it: ten counts to 1,000 took longer than the page. */
export const otherViewsMax = 99;

/** Most rows a page of the queue shows. */
const queuePageMax = 40;

export type QueueQuestion = {
  readonly view: QueueView;
  readonly sort: QueueSort;
  readonly filters: QueueFilters;
  /** A case ID or the payer's reference; searches all views. */
  readonly text?: string | undefined;
  /** The id of a search stored for this person; searches all views. */
  readonly search?: string | undefined;
  /** The cursor of the page, from an earlier page. */
  readonly place?: string | undefined;
};

export type { Counts as QueueCounts };

type QueuePage = {
  readonly rows: readonly QueueRow[];
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  /** How many cases the list has, at most one more than `listedMax`; undefined when reading the page did not count them. */
  readonly matches?: number | undefined;
  /** The text that was searched for. It may be of a patient: show it on this page only. */
  readonly searchedFor?: string | undefined;
  /** The stored search has expired or is another person's. */
  readonly searchHasEnded: boolean;
};

const nothing: QueuePage = { rows: [], searchHasEnded: false };

/** One page of the cases of the reviewer's practices; empty for a person who reviews for none. */
export async function listQueue(
  ctx: Context<PersonActor>,
  question: QueueQuestion,
  size = queuePageMax,
): Promise<QueuePage> {
  const query = await queryOf(ctx, question);
  if (query === "ended") return { ...nothing, searchHasEnded: true };
  if (!query) return nothing;
  const from = readCursor(question.place);
  const { rows, more, total } = await listCases(ctx.store, query, { size, from, max: listedMax + 1 });
  const [first, last] = [rows[0], rows.at(-1)];
  // When the cases after this cursor have moved elsewhere since, the first page is shown.
  if (from && !first) return listQueue(ctx, { ...question, place: undefined }, size);
  return {
    rows: rows.map((row) => rowToQueueRow(ctx, row)),
    after: last && more.after ? cursorAt(last, "after") : undefined,
    before: first && more.before ? cursorAt(first, "before") : undefined,
    matches: total,
    searchedFor: typeof query.view === "object" ? query.view.text : undefined,
    searchHasEnded: false,
  };
}

/** How many cases each view has, up to one more than `otherViewsMax`, or than `listedMax` for the current view. */
export async function countQueue({ actor, store }: Context<PersonActor>, listed?: TabView): Promise<Counts> {
  if (!reviews(actor)) return noCounts;
  const { id: personId, practices } = actor;
  const further = listed && { view: listed, max: listedMax + 1 };
  return countViews(store, { practices, personId }, { views: queueViews, max: otherViewsMax + 1, listed: further });
}

/** How many cases the current list has, at most one more than `listedMax`. */
export async function countMatches(ctx: Context<PersonActor>, question: QueueQuestion): Promise<number> {
  // The order does not affect the number, and this one is counted fastest.
  const query = await queryOf(ctx, { ...question, sort: "due" });
  return query && query !== "ended" ? countCases(ctx.store, query, listedMax + 1) : 0;
}

/** Which of these cases are in the list, on any of its pages. */
export async function casesInList(
  ctx: Context<PersonActor>,
  question: QueueQuestion,
  taskIds: readonly string[],
): Promise<readonly string[]> {
  const query = await queryOf(ctx, question);
  return query && query !== "ended" ? casesAmong(ctx.store, query, taskIds) : [];
}

// Safe because every view gets an entry.
const noCounts = Object.fromEntries(queueViews.map((view) => [view, 0])) as Counts;

function reviews({ roles, practices }: PersonActor): boolean {
  return roles.includes("reviewer") && practices.length > 0;
}

export async function queryOf(
  { actor, store }: Context<PersonActor>,
  question: QueueQuestion,
): Promise<QueueQuery | "ended" | undefined> {
  if (!reviews(actor)) return undefined;
  const { id: personId, practices } = actor;
  const { view, sort, filters, text, search } = question;
  const query = { practices, personId, sort, filters };
  if (search !== undefined) {
    const typed = await loadSearch(store, { id: search, personId });
    if (typed === undefined) return "ended";
    return { ...query, view: { text: typed, typed } };
  }
  const whole = { ...query, view: text === undefined ? view : { text } };
  return hasEnvironmentIndex(whole) ? { ...whole, isRare: await isRareEnvironment(store, whole, listedMax) } : whole;
}

function rowToQueueRow({ store }: Context, row: ListedRow): QueueRow {
  const { state } = row;
  const held = state === "transmit-held" || state === "void-held";
  const action = actionIn(state);
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
    autoReleased: row.gate_auto_released === true ? true : undefined,
    revision: row.revision,
    procedureCodes: row.procedure_codes,
    patient: listedPatient(store, row),
    urgent: row.urgent,
    since: (held ? row.gate_opened_at : undefined) ?? row.changed_at,
    expiresAt: (held ? row.gate_expires_at : undefined) ?? undefined,
    dueAt: row.due_at ?? undefined,
    actBy: row.act_by ?? undefined,
    wakesAt: row.wakes_at ?? undefined,
    clock: caseClock(row),
    outcome: state === "determined" ? (row.outcome ?? undefined) : undefined,
    failure: listedFailure(store, row),
    sentBackBy: state === "needs-information" ? (row.remark_by ?? undefined) : undefined,
    assignee: row.assignee_id ? { id: row.assignee_id, name: row.assignee_name ?? "somebody" } : undefined,
    warnings: held ? row.gate_warnings : [],
  };
}

const sectionsMax = 4;
/** In microseconds; late in the year 9988. */
const keyMax = 253_000_000_000_000_000n;

type Row = { readonly section: number; readonly key_us: string | null; readonly id: string };

/** The cursor of the page after or before this row, for an address. It is opaque and holds nothing of the case but its id. */
export function cursorAt({ section, key_us: key, id }: Row, direction: "after" | "before"): string {
  return Buffer.from([direction === "after" ? "a" : "b", section, key ?? "", id].join("~")).toString("base64url");
}

/** The cursor in an address; undefined for anything else, which gives the first page. */
export function readCursor(text: string | undefined): Place | undefined {
  if (text === undefined || text.length > 200) return undefined;
  const [direction, section = "", key = "", id = "", ...rest] = Buffer.from(text, "base64url")
    .toString("latin1")
    .split("~");
  const known =
    (direction === "a" || direction === "b") && /^\d$/.test(section) && /^-?\d{0,18}$/.test(key) && key !== "-";
  if (!known || !isUuid(id) || rest.length > 0 || Number(section) >= sectionsMax) return undefined;
  const keyUs = key === "" ? undefined : BigInt(key);
  if (keyUs !== undefined && (keyUs > keyMax || keyUs < -keyMax)) return undefined;
  return { section: Number(section), keyUs, id, back: direction === "b" };
}
