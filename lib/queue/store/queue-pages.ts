import { checkTypes, type CheckType } from "#lib/gate/model/check";
import { knownWord } from "#lib/platform/known-word";
import { environments } from "#lib/task/model/environment";
import {
  attentions,
  outcomes,
  remarkers,
  states,
  type Attention,
  type Outcome,
  type State,
} from "#lib/task/model/task";
import type { Db, Store } from "#lib/db/db";
import { openText } from "#lib/db/sealed";
import { isReading } from "./presences.ts";
import { rowsOf, type Rows } from "./queue-rows.ts";
import { isByEnvironment, noKey, sectionsOf, walksOf, type QueueQuery, type Section } from "./queue-sections.ts";
import { named, Values } from "./queue-statement.ts";
import { isInForce } from "./snoozes.ts";
import { receiptSources } from "#lib/task/model/times";
import { payerName, routePayer } from "#lib/task/shared/route-payer";
import type { TaskRow } from "#lib/task/store/task-rows";

/** A case as a list shows it. */
export type ListedRow = Pick<
  TaskRow,
  | "id"
  | "practice_id"
  | "payer_id"
  | "environment"
  | "revision"
  | "procedure_codes"
  | "patient"
  | "urgent"
  | "changed_at"
  | "due_at"
  | "remark_by"
  | "sent_at"
  | "payer_received_at"
  | "payer_received_by"
  | "payer_urgent"
  | "payer_urgent_at"
  | "decided_at"
  | "voided_at"
  | "time_zone"
  | "line_of_business"
  | "now"
> & {
  state: State;
  needs_person: Attention | null;
  gate_warnings: readonly CheckType[];
  gate_is_update: boolean | null;
  gate_auto_released: boolean | null;
  gate_opened_at: Date | null;
  gate_expires_at: Date | null;
  gate_connector: string | null;
  outcome: Outcome | null;
  /** Why it failed, sealed as the remark it is. */
  failure: Uint8Array | null;
  practice_name: string;
  payer_name: string | null;
  route_connector: string | null;
  act_by: Date | null;
  assignee_id: string | null;
  assignee_name: string | null;
  /** Where it is snoozed. */
  wakes_at: Date | null;
  /** Its place in its section, in microseconds since 1970. */
  key_us: string | null;
};

type CheckedColumn = "environment" | "state" | "needs_person" | "outcome" | "remark_by" | "payer_received_by";

/** The same as it is stored. */
type StoredRow = Omit<ListedRow, CheckedColumn | "gate_warnings"> & {
  [Column in CheckedColumn]: null extends ListedRow[Column] ? string | null : string;
} & { gate_warnings: string[] | null };

function rowToListed<Row extends StoredRow>(row: Row) {
  const { environment, state, needs_person: attention, outcome, remark_by: by, gate_warnings: warnings } = row;
  const { payer_received_by: receivedBy } = row;
  return {
    ...row,
    environment: knownWord(environments, environment, "task.environment"),
    state: knownWord(states, state, "task.state"),
    needs_person: attention === null ? null : knownWord(attentions, attention, "task.needs_person"),
    outcome: outcome === null ? null : knownWord(outcomes, outcome, "determination.outcome"),
    payer_received_by: receivedBy === null ? null : knownWord(receiptSources, receivedBy, "task.payer_received_by"),
    remark_by: by === null ? null : knownWord(remarkers, by, "task.remark_by"),
    gate_warnings: (warnings ?? []).map((type) => knownWord(checkTypes, type, "gate.warnings")),
  };
}

/** The patient's name, as a list shows it. */
export function listedPatient(db: Db, { id, practice_id: practiceId, patient }: ListedRow): string | undefined {
  return patient ? openText(db, "task.patient", { row: id, practiceId }, patient) : undefined;
}

/** Why a case failed, in the words of whoever said so. */
export function listedFailure(db: Db, { id, practice_id: practiceId, failure }: ListedRow): string | undefined {
  return failure ? openText(db, "task.remark", { row: id, practiceId }, failure) : undefined;
}

/** Where a page begins: after or before a row of a section. */
export type Place = {
  readonly section: number;
  readonly keyUs?: bigint | undefined;
  readonly id: string;
  readonly back: boolean;
};

export type Page = {
  readonly rows: readonly (ListedRow & { section: number })[];
  readonly more: { readonly before: boolean; readonly after: boolean };
  /** How many cases the whole list has, counted up to the requested maximum, if that came with the page. */
  readonly total?: number | undefined;
};

/** How many rows to read, where they begin, and how far to count. */
type PageRange = { readonly size: number; readonly from?: Place | undefined; readonly max: number };

/**
 * A page of a list, read along the indexes from where it begins, so that its cost does not depend on what comes before.
 * A narrowed list is looked up once: if its cases are few, all are gathered and counted.
 */
export async function listCases(store: Store, query: QueueQuery, { size, from, max }: PageRange): Promise<Page> {
  const gathered = await gather<SectionRow>(store, query, { size, from, max }, (_, more) => listed(more));
  if (gathered && gathered.total < max) return pageFrom(gathered.rows, { size, from, total: gathered.total });
  const rows = await readAlong(store, query, { size, from });
  return pageFrom(rows, { size, from, total: gathered?.total });
}

type SectionRow = StoredRow & { section: number };

function pageFrom(
  rows: readonly SectionRow[],
  { size, from, total }: { size: number; from: Place | undefined; total: number | undefined },
): Page {
  const shown = rows.slice(0, size).map(rowToListed);
  const beyond = rows.length > size;
  if (from?.back) return { rows: shown.reverse(), more: { before: beyond, after: true }, total };
  return { rows: shown, more: { before: from !== undefined, after: beyond }, total };
}

/** A case that waits for a decision, with its place in a list. */
export type WaitingRow = {
  readonly id: string;
  readonly section: number;
  readonly key_us: string | null;
  /** The reader has released it, and it needs others. */
  readonly voted: boolean;
  /** Somebody else is its assignee, or has it open. */
  readonly taken: boolean;
};

/** The cases of a list from a place on, with no more of each than it takes to go from one to the next. */
export async function listWaiting(
  store: Store,
  query: QueueQuery,
  wanted: Omit<PageRange, "max">,
): Promise<readonly WaitingRow[]> {
  const columns = (values: Values, more = "") => {
    const me = `${values.add(query.personId)}::uuid`;
    return `SELECT ${more} t.id, (extract(epoch FROM page.key) * 1000000)::bigint AS key_us,
         EXISTS (SELECT FROM vote v WHERE v.gate_id = t.gate_id AND v.person_id = ${me} AND v.answer = 'release') AS voted,
         coalesce(t.assignee_id <> ${me}, false) OR EXISTS (SELECT FROM presence r
           WHERE r.task_id = t.id AND r.person_id <> ${me} AND ${isReading}) AS taken
    FROM page JOIN task t ON t.id = page.id`;
  };
  const range = { ...wanted, max: gatheredMax };
  const gathered = isByEnvironment(query) ? await gather<WaitingRow>(store, query, range, columns) : undefined;
  if (gathered && gathered.total < gatheredMax) return gathered.rows;
  return readAlong<WaitingRow>(store, query, wanted, columns);
}

/** Of more cases than these the first are read along an index. */
const gatheredMax = 1_001;

/** Reads from the page's beginning, section after section, until it is full. */
async function readAlong<Row extends object = StoredRow>(
  store: Store,
  query: QueueQuery,
  { size, from }: Omit<PageRange, "max">,
  columns: (values: Values) => string = () => listed(),
): Promise<(Row & { section: number })[]> {
  const back = from?.back ?? false;
  const sections = sectionsOf(query).map((section, index) => ({ section, index }));
  const wanted = back ? sections.reverse() : sections;
  const rows: (Row & { section: number })[] = [];
  for (const { section, index } of wanted) {
    if (from && (back ? index > from.section : index < from.section)) continue;
    if (rows.length > size) break;
    const statement = pageOf(store, section, query, {
      from: from?.section === index ? from : undefined,
      back,
      size: size + 1,
      columns,
    });
    const found = await store.pool.query<Row>(named(statement));
    rows.push(...found.rows.map((row) => ({ ...row, section: index })));
  }
  return rows;
}

/**
 * The same page for a list with at most `max` cases, with their number. Undefined if the list is not narrowed, or only
 * by what an index is read by, or if nothing gathered lies beyond the place.
 */
async function gather<Row extends object>(
  store: Store,
  query: QueueQuery,
  { size, from, max }: PageRange,
  columns: (values: Values, more: string) => string,
): Promise<{ readonly rows: readonly Row[]; readonly total: number } | undefined> {
  const values = new Values(store);
  const limit = Math.trunc(max);
  const each = walksOf(query).map(({ section, place }) => {
    const {
      over,
      from: rows,
      where,
      exactly = isByEnvironment(query) ? "true" : undefined,
    } = rowsOf(section, query, values);
    if (exactly === undefined) return undefined;
    return `SELECT one.section, one.id, one.key FROM ${over} CROSS JOIN LATERAL (
      SELECT looked.section, c.id, looked.key FROM (SELECT t.id FROM ${rows} WHERE ${where} OFFSET 0) c
       CROSS JOIN LATERAL (SELECT ${place.section} AS section, ${place.key} AS key FROM task t
         WHERE t.id = c.id AND ${exactly} OFFSET 0) looked LIMIT ${limit}) one`;
  });
  if (each.includes(undefined)) return undefined;
  const direction = from?.back ? "DESC" : "ASC";
  const text = `
    WITH found AS MATERIALIZED (${each.join(" UNION ALL ")} LIMIT ${limit}),
    page AS MATERIALIZED (SELECT * FROM found WHERE ${from ? beyondIn(from, values) : "true"}
      ORDER BY section ${direction}, key ${direction}, id ${direction} LIMIT ${Math.trunc(size) + 1})
    ${columns(values, "page.section, (SELECT count(*)::int FROM found) AS total,")}
     ORDER BY page.section ${direction}, page.key ${direction}, page.id ${direction}`;
  const { rows } = await store.pool.query<Row & { total: number }>(named({ text, values: values.list }));
  const [first] = rows;
  if (first) return { rows, total: first.total };
  // Beyond a place there may be more than was gathered.
  return from ? undefined : { rows, total: 0 };
}

function beyondIn({ section, keyUs, id, back }: Place, values: Values): string {
  const at = keyUs === undefined ? "'-infinity'::timestamptz" : instantOf(keyUs, values);
  return `(section, coalesce(key, '-infinity'), id) ${back ? "<" : ">"} (${Math.trunc(section)}, ${at}, ${values.add(id)}::uuid)`;
}

function instantOf(us: bigint, values: Values): string {
  return `timestamptz 'epoch' + ${values.add(String(us))}::bigint * interval '1 microsecond'`;
}

type PageWindow = {
  readonly from: Place | undefined;
  readonly back: boolean;
  readonly size: number;
  readonly columns: (values: Values) => string;
};

/** Ids are found first, so that only the page's own rows are read whole. */
function pageOf(store: Store, section: Section, query: QueueQuery, { from, back, size, columns }: PageWindow) {
  const values = new Values(store);
  const rows = rowsOf(section, query, values);
  const descending = back !== (section.newestFirst ?? false);
  const direction = descending ? "DESC" : "ASC";
  const order = section.key ? `key ${direction}, id ${direction}` : `id ${direction}`;
  const key = section.key ?? noKey;
  const place = from ? beyond(section, { from, descending, values }) : undefined;
  // The limit is part of the text, because a plan for an unknown limit is made for a large one.
  const limit = Math.trunc(size);
  const inner = { key, along: section.key ?? section.along, direction, place };
  const text = `
    WITH page AS MATERIALIZED (
      SELECT one.id, one.key FROM ${rows.over} CROSS JOIN LATERAL (${foundOf(rows, inner)} LIMIT ${limit}) one
       ORDER BY ${order} LIMIT ${limit})
    ${columns(values)} ORDER BY ${order.replaceAll("id ", "page.id ")}`;
  return { text, values: values.list };
}

type Order = {
  readonly key: string;
  readonly along: string | undefined;
  readonly direction: string;
  readonly place: string | undefined;
};

/** The ids of a section's rows, in order. Rows that must be read are read one by one, no further than needed. */
function foundOf({ from, where, exactly }: Rows, { key, along, direction, place }: Order): string {
  const conditions = place === undefined ? where : `${where} AND ${place}`;
  const order = along ? `${along} ${direction}, t.id ${direction}` : `t.id ${direction}`;
  if (exactly === undefined) return `SELECT t.id, ${key} AS key FROM ${from} WHERE ${conditions} ORDER BY ${order}`;
  return `
    SELECT c.id, c.key FROM (
      SELECT t.id, ${key} AS key, ${along ?? "NULL"} AS along FROM ${from} WHERE ${conditions} ORDER BY ${order} OFFSET 0) c
     CROSS JOIN LATERAL (SELECT FROM task t WHERE t.id = c.id AND ${exactly} OFFSET 0) looked
     ORDER BY c.along ${direction}, c.id ${direction}`;
}

function beyond(
  section: Section,
  { from, descending, values }: { from: Place; descending: boolean; values: Values },
): string {
  const than = descending ? "<" : ">";
  const id = `${values.add(from.id)}::uuid`;
  if (!section.key) return `t.id ${than} ${id}`;
  return `(${section.key}, t.id) ${than} (${instantOf(from.keyUs ?? 0n, values)}, ${id})`;
}

const listed = (more = "") => `
  SELECT ${more} t.id, t.practice_id, t.payer_id, t.environment, t.revision, t.procedure_codes, t.patient, t.urgent, t.changed_at,
         t.due_at, t.act_by, t.remark_by, t.state, t.needs_person, t.sent_at, t.payer_received_at, t.payer_received_by, t.payer_urgent, t.payer_urgent_at, t.decided_at,
         t.voided_at, CASE WHEN t.state = 'failed' THEN t.remark END AS failure, t.assignee_id, who.name AS assignee_name, rest.until AS wakes_at, p.name AS practice_name, p.time_zone,
         ${payerName("t")} AS payer_name, route.connector AS route_connector, route.line_of_business,
         g.is_update AS gate_is_update, g.auto_released AS gate_auto_released, g.opened_at AS gate_opened_at, g.expires_at AS gate_expires_at,
         g.connector AS gate_connector, g.warnings AS gate_warnings, d.outcome,
         (extract(epoch FROM page.key) * 1000000)::bigint AS key_us, clock_timestamp() AS now
    FROM page JOIN task t ON t.id = page.id
    JOIN practice p ON p.id = t.practice_id
    LEFT JOIN gate g ON g.id = t.gate_id
    LEFT JOIN determination d ON d.id = t.determination_id
    LEFT JOIN person who ON who.id = t.assignee_id
    LEFT JOIN LATERAL (
      SELECT z.until FROM snooze z JOIN task s ON s.id = z.task_id WHERE z.task_id = t.id AND ${isInForce}) rest ON true
    LEFT JOIN LATERAL (
      SELECT connector, line_of_business FROM route
       WHERE practice_id = t.practice_id AND payer_id = ${routePayer("t")} ORDER BY version DESC LIMIT 1) route ON true`;

/** Which of these cases are in a list, on any of its pages. */
export async function casesAmong(
  store: Store,
  query: QueueQuery,
  taskIds: readonly string[],
): Promise<readonly string[]> {
  const values = new Values(store);
  const ids = values.add(taskIds);
  const each = sectionsOf(query).map((section) => {
    const { over, from, where, exactly = "true" } = rowsOf(section, query, values);
    return `SELECT one.id FROM ${over} CROSS JOIN LATERAL (
      SELECT t.id FROM ${from} WHERE t.id = ANY (${ids}::uuid[]) AND ${where} AND ${exactly}) one`;
  });
  const { rows } = await store.pool.query<{ id: string }>({ text: each.join(" UNION "), values: values.list });
  return rows.map(({ id }) => id);
}
