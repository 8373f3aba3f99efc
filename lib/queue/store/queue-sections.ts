import { nearHours } from "#lib/queue/model/snooze";
import {
  closedStates,
  isRiskView,
  putsUrgentFirst,
  sortsByPayer,
  type QueueFilters,
  type QueueSort,
  type QueueView,
  type RiskView,
  type TabView,
} from "#lib/queue/model/queue";
import { todayAt, todayIn } from "#lib/task/shared/practice-day";
import { approvalEnd } from "#lib/task/model/approval-end";
import { renewalOf } from "#lib/task/shared/renewal";
import type { State } from "#lib/task/model/task";
import { isClosed, isOpen } from "#lib/task/model/case-states";
import { isAwake } from "./snoozes.ts";

/** What a list should contain. The practices are never more than the reader may see. */
export type QueueQuery = {
  readonly practices: readonly string[];
  readonly personId: string;
  readonly view: QueueView | SearchTarget;
  readonly sort: QueueSort;
  readonly filters: QueueFilters;
  /** Only cases in one of these states, where given. */
  readonly among?: readonly State[] | undefined;
  /** Its practices have few open cases of the environment that it is narrowed to, so that these are looked at first. */
  readonly isRare?: boolean | undefined;
};

/** What a search is for: a text that is a case's short id or reference, or what somebody typed of a patient. */
export type SearchTarget = {
  readonly text?: string | undefined;
  /** A member id, a name, a birth date, or an authorization number. */
  readonly typed?: string | undefined;
};

/**
 * A run of cases in one order. A list is its sections, one after another. A key that may be empty makes two sections,
 * so that each can be read along an index from the start of the page.
 */
export type Section = {
  /** What the index is read by: each practice, each state of each practice, the gates, or a code's cases. */
  readonly over:
    | "practice"
    | "state"
    | "closed"
    | "recourse"
    | "gate"
    | "snooze"
    | "authorization"
    | "use"
    | "person"
    | "code"
    | "open-code"
    | "environment"
    | "found";
  readonly where: readonly string[];
  /** Only cases in one of these states, where given. */
  readonly among?: readonly State[] | undefined;
  /** Conditions that the index can't decide. */
  readonly exactly?: readonly string[] | undefined;
  readonly key?: string | undefined;
  /** Empty in all its rows, and before the id in the index. */
  readonly along?: string | undefined;
  readonly newestFirst?: boolean | undefined;
};

const urgent = "t.urgent";
const notUrgent = "NOT t.urgent";

const overdue = "t.payer_due_at < now()";

const due = { where: ["t.due_at IS NOT NULL"], key: "t.due_at" };
const notDue = { where: ["t.due_at IS NULL"], along: "t.due_at" };

/** The sections of a list, in order. */
export function sectionsOf({ view, sort, filters }: QueueQuery): readonly Section[] {
  if (typeof view !== "string") return [{ over: "found", where: [], key: "t.changed_at", newestFirst: true }];
  const narrowed = filters.state !== undefined && closedStates.includes(filters.state);
  if (view === "decided" || (view === "all" && narrowed)) {
    if (filters.code !== undefined)
      return [{ over: "code", where: [isClosed], key: "k.changed_at", newestFirst: true }];
    return [{ over: "closed", where: [isClosed], key: "t.closed_at", newestFirst: true }];
  }
  if (view === "denied") return deniedSections;
  if (view === "snoozed") return [{ over: "snooze", where: [], key: "z.until" }];
  if (view === "expiring") return [{ over: "gate", where: [], key: "g.expires_at" }];
  if (view === "person") return personSections(sort);
  if (view === "ending") return [riskSections.ending, usedUp];
  if (isRiskView(view)) return [riskSections[view]];
  const over = view === "mine" || filters.assignee === "me" ? "person" : view === "urgent" ? "practice" : "state";
  const where = [isOpen, ...viewWhere[view]];
  const isAlwaysDue = view === "unassigned";
  const byDue: readonly Section[] = [
    { over, ...due, where: [...where, ...due.where] },
    ...(isAlwaysDue ? [] : [{ over, ...notDue, where: [...where, ...notDue.where] } as const]),
  ];
  if (sort === "urgency" && putsUrgentFirst(view)) return byDue.flatMap(urgentFirst);
  if (sort !== "payer" || !sortsByPayer(view)) return byDue;
  const known = "t.payer_due_at IS NOT NULL";
  const first: Section = { over, where: [...where, known], key: "t.payer_due_at" };
  return [first, ...byDue.map((section) => ({ ...section, exactly: ["t.payer_due_at IS NULL"] }))];
}

function urgentFirst(section: Section): readonly Section[] {
  return [urgent, notUrgent].map((condition) => ({ ...section, where: [...section.where, condition] }));
}

/** Where to find all cases of a list regardless of its order, and the place in that order of a case `t` found there. */
export type Walk = { readonly section: Section; readonly place: SectionPlace };

type SectionPlace = { readonly section: string; readonly key: string };

const placedByDue: SectionPlace = { section: "CASE WHEN t.due_at IS NULL THEN 1 ELSE 0 END", key: "t.due_at" };
const placedByUrgency: SectionPlace = {
  section: "CASE WHEN t.due_at IS NULL THEN 2 ELSE 0 END + CASE WHEN t.urgent THEN 0 ELSE 1 END",
  key: "t.due_at",
};
const placedByPayer: SectionPlace = {
  section: "CASE WHEN t.payer_due_at IS NOT NULL THEN 0 WHEN t.due_at IS NOT NULL THEN 1 ELSE 2 END",
  key: "coalesce(t.payer_due_at, t.due_at)",
};

/**
 * Whether a list of open cases can be found by the index that has those of an environment, in no order: it is narrowed to
 * live or test ones, and by nothing that has an index of its own.
 */
export function hasEnvironmentIndex(query: QueueQuery): boolean {
  const { environment, payer, channel, code } = query.filters;
  if (environment === undefined || [payer, channel, code].some((one) => one !== undefined)) return false;
  return sectionsOf(query).some(
    ({ over, where }) => over === "state" || (over === "practice" && where.includes(isOpen)),
  );
}

/** Whether it is: along the order of the list, all of it would be read where hardly any case fits. */
export const isByEnvironment = (query: QueueQuery): boolean => query.isRare === true && hasEnvironmentIndex(query);

/** The cases of a section as its environment finds them; what is over has an index by environment and order. */
function byEnvironment(section: Section): readonly Section[] {
  if (section.over !== "state") return [section];
  return [
    { ...section, over: "environment", where: [isOpen, ...section.where] },
    { ...section, among: closedStates },
  ];
}

/**
 * Ways to find all cases of a list without finding one twice, which sections can if they differ by something no index
 * has. They are also shorter than the sections if a code or an environment is selected.
 */
export function walksOf(query: QueueQuery): readonly Walk[] {
  const { view, sort, filters } = query;
  const sections = sectionsOf(query);
  const [first] = sections;
  if (typeof view !== "string" || !first?.where.includes(isOpen))
    return sections.flatMap((section, index) => {
      const place = { section: `${index}`, key: section.key ?? noKey };
      const found = isByEnvironment(query) ? byEnvironment(section) : [section];
      return found.map((one) => ({ section: one, place }));
    });
  const place = placeOf(view, sort);
  const byDue = sectionsOf({ ...query, sort: "due" });
  if (isByEnvironment(query)) return [{ section: { over: "environment", where: commonTo(byDue) }, place }];
  if (filters.code === undefined || first.over !== "state") return byDue.map((section) => ({ section, place }));
  return [{ section: { over: "open-code", where: commonTo(byDue) }, place }];
}

function placeOf(view: QueueView, sort: QueueSort): SectionPlace {
  if (sort === "payer" && sortsByPayer(view)) return placedByPayer;
  return sort === "urgency" && putsUrgentFirst(view) ? placedByUrgency : placedByDue;
}

/** The conditions that all of these sections have in common. */
function commonTo([first, ...others]: readonly Section[]): readonly string[] {
  return (first?.where ?? []).filter((one) => others.every(({ where }) => where.includes(one)));
}

/** The key of a section whose rows have none. */
export const noKey = "NULL::timestamptz";

const viewWhere: Readonly<
  Record<Exclude<TabView, "decided" | "denied" | "expiring" | "person" | "snoozed">, readonly string[]>
> = {
  release: [isAwake],
  all: [],
  mine: [],
  unassigned: ["t.assignee_id IS NULL", "t.due_at IS NOT NULL"],
  urgent: [urgent],
  "sent-back": ["t.remark_by IS NOT NULL"],
  "payer-wants": [],
  "at-payer": [],
};

/** A failure of these days is at risk of being acted on too late. */
const daysAfterFailure = 7;
const today = todayAt("d.practice_id");
const endsSoon = `d.valid_to >= ${today} AND d.valid_to < ${today} + ${approvalEnd.days}`;
/** The same for a practice anywhere, which the index can decide. */
const endsSoonSomewhere = `d.valid_to >= ${todayIn("'UTC'")} - 1 AND d.valid_to <= ${todayIn("'UTC'")} + ${approvalEnd.days}`;

/** Without a deadline on record somebody has to find it first. */
const deniedSections: readonly Section[] = [
  { over: "recourse", where: ["t.act_by IS NULL"], along: "t.act_by" },
  { over: "recourse", where: ["t.act_by IS NOT NULL"], key: "t.act_by" },
];

const riskSections: Readonly<Record<RiskView, Section>> = {
  "past-target": { over: "state", where: [isOpen, "t.due_at < now()"], key: "t.due_at" },
  "near-target": {
    over: "state",
    where: [isOpen, "t.due_at >= now()", `t.due_at < now() + interval '${nearHours} hours'`],
    key: "t.due_at",
  },
  "payer-late": { over: "state", where: [overdue], key: "t.payer_due_at" },
  ending: {
    over: "authorization",
    where: [endsSoonSomewhere, endsSoon, `NOT EXISTS (${renewalOf})`],
    key: "(d.valid_to::timestamp AT TIME ZONE 'UTC')",
  },
  failed: {
    over: "closed",
    where: [isClosed, `t.closed_at > now() - interval '${daysAfterFailure} days'`],
    key: "t.closed_at",
    newestFirst: true,
  },
};

/** Nearly used up, and not in the section of those that end soon. */
const usedUp: Section = {
  over: "use",
  where: [
    `u.percent >= ${approvalEnd.percentUsed}`,
    `(d.valid_to IS NULL OR d.valid_to >= ${today} + ${approvalEnd.days})`,
    `NOT EXISTS (${renewalOf})`,
  ],
  key: "u.recorded_at",
};

function personSections(sort: QueueSort): readonly Section[] {
  const over = "practice";
  const raised = "t.needs_person IS NOT NULL";
  const late: Section = {
    over: "state",
    where: [overdue, isAwake],
    ...(sort === "payer" ? {} : { exactly: ["t.needs_person IS NULL"] }),
    key: "t.payer_due_at",
  };
  const byDue: Section = { over, where: [raised, isAwake], key: "t.due_at" };
  if (sort !== "payer") return [...(sort === "urgency" ? urgentFirst(byDue) : [byDue]), late];
  return [
    late,
    { over, where: [raised, isAwake, "t.payer_due_at >= now()"], key: "t.payer_due_at" },
    { over, where: [raised, isAwake, "t.payer_due_at IS NULL"], key: "t.due_at" },
  ];
}
