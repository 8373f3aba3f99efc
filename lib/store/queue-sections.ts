import {
  actionIn,
  closedStates,
  openStates,
  queueAges,
  sortsByPayer,
  type QueueFilters,
  type QueueSort,
  type QueueView,
} from "#lib/domain/queue";
import type { State } from "#lib/domain/task";
import { isClosed, isOpen } from "./case-states.ts";
import { filterBits } from "./filter-bits.ts";

/** What a list is asked for. The practices are those the asker may see, never more. */
export type Asked = {
  readonly practices: readonly string[];
  readonly personId: string;
  readonly view: QueueView | Found;
  readonly sort: QueueSort;
  readonly filters: QueueFilters;
};

/** What a search is for: a case's short id or reference, or a member's hashes, one for each practice. */
export type Found = { readonly text?: string | undefined; readonly memberHashes: readonly Uint8Array[] };

/**
 * A run of cases in one order: a list is its sections one after another. A key that may be empty makes two of
 * them, so that each is read along an index from where the page begins.
 */
export type Section = {
  /** Which rows the index is asked for one by one: each practice, each state of each practice, the gates, a code's cases. */
  readonly over: "practice" | "state" | "closed" | "gate" | "person" | "code" | "found";
  readonly where: readonly string[];
  /** What its index does not tell of a case. */
  readonly exactly?: readonly string[] | undefined;
  readonly key?: string | undefined;
  /** Empty in all its rows, and before the id in their index. */
  readonly along?: string | undefined;
  readonly newestFirst?: boolean | undefined;
};

/** Parameters a statement gathers as its text is written. */
export class Values {
  readonly list: unknown[] = [];
  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

const overdue = "t.payer_due_at < now()";
const expiringWithin = "interval '48 hours'";

/**
 * A condition most rows meet that an index is read along. Postgres believes that few cases are open, for most of a table
 * are over, and would rather read and sort a practice's whole index than walk the beginning of it.
 */
const expected = (condition: string) => `coalesce(${condition}, false)`;

const due = { where: ["t.due_at IS NOT NULL"], key: "t.due_at" };
const notDue = { where: ["t.due_at IS NULL"], along: "t.due_at" };

/** The sections of a list, in its order. */
export function sectionsOf({ view, sort, filters }: Asked): readonly Section[] {
  if (typeof view !== "string") return [{ over: "found", where: [], key: "t.changed_at", newestFirst: true }];
  const narrowed = filters.state !== undefined && closedStates.includes(filters.state);
  if (view === "decided" || (view === "all" && narrowed)) {
    if (filters.code !== undefined)
      return [{ over: "code", where: [isClosed], key: "k.changed_at", newestFirst: true }];
    return [{ over: "closed", where: [isClosed], key: "t.changed_at", newestFirst: true }];
  }
  if (view === "expiring") return [{ over: "gate", where: [], key: "g.expires_at" }];
  if (view === "person") return personSections(sort);
  const over = view === "mine" ? "person" : view === "urgent" ? "practice" : "state";
  const where = [isOpen, ...viewWhere[view]];
  const always = view === "unassigned";
  const byDue: readonly Section[] = [
    { over, ...due, where: [...where, ...due.where] },
    ...(always ? [] : [{ over, ...notDue, where: [...where, ...notDue.where] } as const]),
  ];
  if (sort === "due" || !sortsByPayer(view)) return byDue;
  const known = "t.payer_due_at IS NOT NULL";
  const first: Section = { over, where: [...where, known], key: "t.payer_due_at" };
  return [first, ...byDue.map((section) => ({ ...section, exactly: ["t.payer_due_at IS NULL"] }))];
}

const viewWhere: Readonly<Record<Exclude<QueueView, "decided" | "expiring" | "person">, readonly string[]>> = {
  all: [],
  mine: [],
  unassigned: ["t.assignee_id IS NULL", "t.due_at IS NOT NULL"],
  urgent: ["t.urgent"],
  "sent-back": ["t.remark_by IS NOT NULL"],
  "payer-wants": [],
  "at-payer": [],
};

function personSections(sort: QueueSort): readonly Section[] {
  const over = "practice";
  const raised = "t.needs_person IS NOT NULL";
  const late: Section = {
    over: "state",
    where: [overdue, ...(sort === "due" ? ["t.needs_person IS NULL"] : [])],
    key: "t.payer_due_at",
  };
  if (sort === "due") return [{ over, where: [raised], key: "t.due_at" }, late];
  return [
    late,
    { over, where: [raised, "t.payer_due_at >= now()"], key: "t.payer_due_at" },
    { over, where: [raised, "t.payer_due_at IS NULL"], key: "t.due_at" },
  ];
}

/** The states a list can hold; none where the filters contradict the view. */
function statesOf({ view, filters }: Asked): readonly State[] {
  const { state, action } = filters;
  const within = (list: readonly State[]) =>
    list.filter((one) => (state === undefined || one === state) && (action === undefined || actionIn(one) === action));
  if (typeof view !== "string") return within([...openStates, ...closedStates]);
  switch (view) {
    case "sent-back":
      return within(["needs-information"]);
    case "payer-wants":
      return within(["payer-needs-information"]);
    case "at-payer":
      return within(["transmitted"]);
    case "decided":
      return within(["determined"]);
    case "all":
      return within(state !== undefined && closedStates.includes(state) ? closedStates : openStates);
    case "person":
      return within([...openStates, ...closedStates]);
    case "mine":
    case "unassigned":
    case "urgent":
    case "expiring":
      return within(openStates);
  }
}

/**
 * The rows of a section, before order and place: `t` is the task, and `g` its gate where the gates are asked. Where there
 * is an `exactly`, the rest says from an index alone which cases are worth a look, and it is what the look is for.
 */
export type Rows = {
  readonly over: string;
  readonly from: string;
  readonly where: string;
  readonly exactly?: string | undefined;
};

/** Sections whose indexes have the bits of their cases. */
const walked: readonly Section["over"][] = ["state", "practice", "person"];

/** Whether one payer's cases of a section are in an index of their own. */
const hasPayerIndex = ({ over, where }: Section): boolean => over === "state" && where.includes(isOpen);

export function rowsOf(section: Section, asked: Asked, values: Values): Rows {
  const practices = values.add(practicesOf(asked));
  const bits = walked.includes(section.over) ? bitsOf(asked) : undefined;
  const byPayer = asked.filters.payer !== undefined && hasPayerIndex(section);
  const narrowed = narrowedTo(section, asked, values);
  const told = byPayer ? [...(section.exactly ?? []), ...narrowed.payer] : [];
  const onCase = byPayer ? narrowed.others : [...(section.exactly ?? []), ...narrowed.payer, ...narrowed.others];
  const where = [
    ...section.where,
    ...told,
    ...agesOf(section, asked, values),
    ...(bits === undefined ? onCase : [hasBits(values.add(bits))]),
  ];
  const within = `t.practice_id = ANY (${practices}::text[])`;
  const exactly = bits === undefined || onCase.length === 0 ? undefined : [within, ...onCase].join(" AND ");
  return { ...rowsOver(section, asked, { values, practices, where }), exactly };
}

type Parts = { readonly values: Values; readonly practices: string; readonly where: readonly string[] };

function rowsOver(section: Section, asked: Asked, { values, practices, where }: Parts): Omit<Rows, "exactly"> {
  const states = values.add(statesOf(asked));
  const inStates = `t.state = ANY (${states}::text[])`;
  const each = `unnest(${practices}::text[]) AS p (id)`;
  const all = (...more: string[]) => [...more, ...where].join(" AND ");
  switch (section.over) {
    case "state":
    case "closed":
      return {
        over: `${each} CROSS JOIN unnest(${states}::text[]) AS s (state)`,
        ...{ from: "task t", where: all("t.practice_id = p.id", "t.state = s.state") },
      };
    case "practice":
      return { over: each, from: "task t", where: all("t.practice_id = p.id", expected(inStates)) };
    case "code":
      return {
        over: each,
        from: "closed_code k JOIN task t ON t.id = k.task_id AND t.practice_id = k.practice_id",
        where: all("k.practice_id = p.id", `k.code = ${values.add(asked.filters.code)}`, inStates),
      };
    case "person":
      return {
        over: "(SELECT 1) AS once",
        from: "task t",
        where: all(
          `t.assignee_id = ${values.add(asked.personId)}`,
          `t.practice_id = ANY (${practices}::text[])`,
          inStates,
        ),
      };
    case "gate":
      return {
        over: "(SELECT 1) AS once",
        from: "gate g JOIN task t ON t.id = g.task_id AND t.gate_id = g.id",
        where: all(
          `g.status = 'open' AND g.expires_at < now() + ${expiringWithin} AND g.practice_id = ANY (${practices}::text[])`,
          "t.practice_id = g.practice_id",
          inStates,
        ),
      };
    case "found":
      return {
        over: "(SELECT 1) AS once",
        from: "task t",
        where: all(`t.id IN (${matchesOf(asked, { practices, values })})`, inStates),
      };
  }
}

function matchesOf({ view }: Asked, { practices, values }: { practices: string; values: Values }): string {
  const { text, memberHashes } = typeof view === "string" ? { memberHashes: [] } : view;
  const inPractice = `m.practice_id = ANY (${practices}::text[])`;
  const hashes = values.add(memberHashes);
  const byMember = `SELECT m.id FROM task m WHERE m.member_hash = ANY (${hashes}::bytea[]) AND ${inPractice}`;
  if (text === undefined) return byMember;
  const shortId = values.add(shortIdIn(text));
  const reference = values.add(text);
  return `SELECT m.id FROM task m WHERE m.short_id = ${shortId} AND ${inPractice}
    UNION SELECT m.id FROM task m WHERE m.reference = ${reference} AND ${inPractice} UNION ${byMember}`;
}

/** A whole id names its task too. */
function shortIdIn(text: string): string | null {
  const [id] = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4})?[0-9a-f]{8}$/i.exec(text) ?? [];
  return id === undefined ? null : id.slice(-8).toLowerCase();
}

function practicesOf({ practices, filters }: Asked): readonly string[] {
  return filters.practice === undefined ? practices : practices.filter((id) => id === filters.practice);
}

function narrowedTo({ over }: Section, { filters }: Asked, values: Values) {
  const { payer, channel, code } = filters;
  return {
    payer: payer === undefined ? [] : [`t.payer_id = ${values.add(payer)}`],
    others: [
      ...(channel === undefined ? [] : [`t.channel_id = ${values.add(channel)}::uuid`]),
      ...(code === undefined || over === "code" ? [] : [`t.procedure_codes @> ARRAY[${values.add(code)}::text]`]),
    ],
  };
}

function bitsOf({ filters: { payer: payerId, channel: channelId, code } }: Asked): bigint | undefined {
  const bits = filterBits({ payerId, channelId, codes: code === undefined ? [] : [code] });
  return bits === 0n ? undefined : bits;
}

const hasBits = (bits: string) => expected(`t.filter_bits & ${bits}::bigint = ${bits}::bigint`);

/** A case that came since then has changed since then, which the order of those that are over goes by. */
function agesOf({ key, newestFirst }: Section, { filters: { age } }: Asked, values: Values): readonly string[] {
  const [from, to] = age === undefined ? [] : queueAges[age];
  const ago = (days: number) => `now() - ${values.add(days)}::int * interval '1 day'`;
  return [
    ...(from ? [`t.created_at <= ${ago(from)}`] : []),
    ...(to ? [`t.created_at > ${ago(to)}`] : []),
    ...(to && key && newestFirst ? [`${key} > ${ago(to)}`] : []),
  ];
}
