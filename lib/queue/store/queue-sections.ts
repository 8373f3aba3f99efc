import { closedStates, sortsByPayer, type QueueFilters, type QueueSort, type QueueView } from "#lib/queue/model/queue";
import { isClosed, isOpen } from "#lib/task/store/case-states";

/** What a list is asked for. The practices are those the asker may see, never more. */
export type QueueQuery = {
  readonly practices: readonly string[];
  readonly personId: string;
  readonly view: QueueView | SearchTarget;
  readonly sort: QueueSort;
  readonly filters: QueueFilters;
};

/** What a search is for: a case's short id or reference, or a member's hashes, one for each practice. */
export type SearchTarget = { readonly text?: string | undefined; readonly memberHashes: readonly Uint8Array[] };

/**
 * A run of cases in one order: a list is its sections one after another. A key that may be empty makes two of
 * them, so that each is read along an index from where the page begins.
 */
export type Section = {
  /** Which rows the index is asked for one by one: each practice, each state of each practice, the gates, a code's cases. */
  readonly over: "practice" | "state" | "closed" | "gate" | "person" | "code" | "open-code" | "found";
  readonly where: readonly string[];
  /** What its index does not tell of a case. */
  readonly exactly?: readonly string[] | undefined;
  readonly key?: string | undefined;
  /** Empty in all its rows, and before the id in their index. */
  readonly along?: string | undefined;
  readonly newestFirst?: boolean | undefined;
};

const overdue = "t.payer_due_at < now()";

const due = { where: ["t.due_at IS NOT NULL"], key: "t.due_at" };
const notDue = { where: ["t.due_at IS NULL"], along: "t.due_at" };

/** The sections of a list, in its order. */
export function sectionsOf({ view, sort, filters }: QueueQuery): readonly Section[] {
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

/** Where to look for all cases of a list, whatever its order, and what that order makes of a case `t` found there. */
export type Walk = { readonly section: Section; readonly place: Placed };

type Placed = { readonly section: string; readonly key: string };

const placedByDue: Placed = { section: "CASE WHEN t.due_at IS NULL THEN 1 ELSE 0 END", key: "t.due_at" };
const placedByPayer: Placed = {
  section: "CASE WHEN t.payer_due_at IS NOT NULL THEN 0 WHEN t.due_at IS NOT NULL THEN 1 ELSE 2 END",
  key: "coalesce(t.payer_due_at, t.due_at)",
};

/**
 * Ways to look for all cases of a list that pass none twice, as its sections may where they differ by what no index tells;
 * and shorter ones than its sections, where a code is asked for among many cases.
 */
export function walksOf(query: QueueQuery): readonly Walk[] {
  const { view, sort, filters } = query;
  const sections = sectionsOf(query);
  const [first] = sections;
  if (typeof view !== "string" || !first?.where.includes(isOpen))
    return sections.map((section, index) => ({ section, place: { section: `${index}`, key: section.key ?? noKey } }));
  const place = sort === "payer" && sortsByPayer(view) ? placedByPayer : placedByDue;
  const byDue = sectionsOf({ ...query, sort: "due" });
  if (filters.code === undefined || first.over !== "state") return byDue.map((section) => ({ section, place }));
  return [{ section: { over: "open-code", where: commonTo(byDue) }, place }];
}

/** What every one of these sections asks. */
function commonTo([first, ...others]: readonly Section[]): readonly string[] {
  return (first?.where ?? []).filter((one) => others.every(({ where }) => where.includes(one)));
}

/** The key of a section whose rows have none. */
export const noKey = "NULL::timestamptz";

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
