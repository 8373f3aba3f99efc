import { expiringHours } from "#lib/queue/model/queue";
import { actionIn, closedStates, openStates, queueAges, type QueueFilters } from "#lib/queue/model/queue";
import type { State } from "#lib/task/model/task";
import { termsOfTyped, type SearchTerm } from "#lib/queue/model/search-terms";
import { isOpen } from "#lib/task/model/case-states";
import { filterBits } from "#lib/platform/clever/filter-bits";
import { isInForce } from "./snoozes.ts";
import type { QueueQuery, SearchTarget, Section } from "./queue-sections.ts";
import type { Values } from "./queue-statement.ts";

/** Released, and for the payer to answer. What needs a person is not counted out: it is in that view as well. */
const beyondUs: readonly State[] = ["transmit-released", "transmitting", "transmitted", "void-released", "voiding"];

/**
 * Marks a condition that most rows of an index meet. Without the mark Postgres expects few open cases, because most of
 * the table is closed, and would sort a practice's whole index instead of reading its beginning.
 */
const expected = (condition: string) => `coalesce(${condition}, false)`;

/** The states that a section of a list can contain. */
function statesIn({ among }: Section, query: QueueQuery): readonly State[] {
  return statesOf(query).filter((state) => among === undefined || among.includes(state));
}

/** The states that a list can contain; none if the filters contradict the view. */
function statesOf({ view, filters, among }: QueueQuery): readonly State[] {
  const { state, action } = filters;
  const isWanted = (one: State) =>
    (state === undefined || one === state) &&
    (action === undefined || actionIn(one) === action) &&
    (among === undefined || among.includes(one));
  const within = (list: readonly State[]) => list.filter(isWanted);
  if (typeof view !== "string") return within([...openStates, ...closedStates]);
  switch (view) {
    case "release":
      return within(["transmit-held", "void-held"]);
    case "sent-back":
      return within(["needs-information"]);
    case "payer-wants":
      return within(["payer-needs-information"]);
    case "at-payer":
      return within(beyondUs);
    case "decided":
    case "ending":
    case "denied":
      return within(["determined"]);
    case "failed":
      return within(["failed"]);
    case "all":
      return within(state !== undefined && closedStates.includes(state) ? closedStates : openStates);
    case "person":
    case "snoozed":
      return within([...openStates, ...closedStates]);
    case "mine":
    case "unassigned":
    case "urgent":
    case "expiring":
    case "past-target":
    case "near-target":
    case "payer-late":
      return within(openStates);
  }
}

/**
 * The rows of a section, without order and start: `t` is the task, and `g` its gate if gates are read. If there is an
 * `exactly`, the other conditions can be checked in an index alone, and `exactly` is checked for the rest.
 */
export type Rows = {
  readonly over: string;
  readonly from: string;
  readonly where: string;
  readonly exactly?: string | undefined;
};

/** Sections whose indexes have the filter bits of their cases. */
const walked: readonly Section["over"][] = ["state", "practice", "person"];

/** Whether one payer's cases of a section are in an index of their own. */
const hasPayerIndex = ({ over, where }: Section): boolean => over === "state" && where.includes(isOpen);

export function rowsOf(section: Section, query: QueueQuery, values: Values): Rows {
  const { over } = section;
  if (over === "open-code") return codedRows(section, query, values);
  if (over === "environment") return environmentRows(section, query, values);
  const practices = values.add(practicesOf(query));
  const byPayer = query.filters.payer !== undefined && hasPayerIndex(section);
  const bits = walked.includes(over)
    ? bitsOf(byPayer ? { ...query.filters, payer: undefined } : query.filters)
    : undefined;
  const narrowed = narrowedTo(section, query, values);
  const decisive = byPayer ? [...(section.exactly ?? []), ...narrowed.payer] : [];
  const onCase = byPayer ? narrowed.others : [...(section.exactly ?? []), ...narrowed.payer, ...narrowed.others];
  const where = [
    ...section.where,
    ...workedOn(query, values),
    ...decisive,
    ...agesOf(section, query, values),
    ...(bits === undefined ? onCase : [hasBits(values.add(bits))]),
  ];
  const within = `t.practice_id = ANY (${practices}::text[])`;
  const exactly = bits === undefined || onCase.length === 0 ? undefined : [within, ...onCase].join(" AND ");
  return { ...rowsOver(over, query, { values, practices, where, states: statesIn(section, query) }), exactly };
}

/** This many codes of an open case have an index each; a case with more has the bits of all in one. */
const indexedCodes = 3;

/** Open cases with one of these codes. What the index does not decide is checked on the row. */
function codedRows(section: Section, query: QueueQuery, values: Values): Rows {
  const practices = values.add(practicesOf(query));
  const code = values.add(query.filters.code);
  const coded = (how: string) => `SELECT t.id FROM task t WHERE t.practice_id = p.id AND ${isOpen} AND ${how}`;
  const places = Array.from({ length: indexedCodes }, (_, index) => `t.procedure_codes[${index + 1}] = ${code}::text`);
  const beyond = `t.procedure_codes[${indexedCodes + 1}] IS NOT NULL AND ${hasBits(values.add(bitsOf(query.filters)))}`;
  const { payer, others } = narrowedTo(section, query, values);
  const inStates = `t.state = ANY (${values.add(statesOf(query))}::text[])`;
  const within = `t.practice_id = ANY (${practices}::text[])`;
  return {
    over: `unnest(${practices}::text[]) AS p (id)`,
    from: `(${[...places, beyond].map(coded).join(" UNION ")}) t`,
    where: "true",
    exactly: [
      within,
      inStates,
      ...section.where,
      ...workedOn(query, values),
      ...agesOf(section, query, values),
      ...payer,
      ...others,
    ].join(" AND "),
  };
}

/** Open cases of one environment, by the index that has them. What it does not decide is checked on the row. */
function environmentRows(section: Section, query: QueueQuery, values: Values): Rows {
  const practices = values.add(practicesOf(query));
  const states = values.add(statesIn(section, query));
  const environment = values.add(query.filters.environment);
  return {
    over: `unnest(${practices}::text[]) AS p (id) CROSS JOIN unnest(${states}::text[]) AS s (state)`,
    from: "task t",
    where: `t.practice_id = p.id AND t.environment = ${environment} AND t.state = s.state AND ${isOpen}`,
    exactly: [
      `t.practice_id = ANY (${practices}::text[])`,
      ...section.where,
      ...(section.exactly ?? []),
      ...workedOn(query, values),
      ...agesOf(section, query, values),
    ].join(" AND "),
  };
}

type Parts = {
  readonly values: Values;
  readonly practices: string;
  readonly states: readonly State[];
  readonly where: readonly string[];
};

function rowsOver(
  over: Exclude<Section["over"], "open-code" | "environment">,
  query: QueueQuery,
  { values, practices, where, states: wanted }: Parts,
): Omit<Rows, "exactly"> {
  const states = values.add(wanted);
  const inStates = `t.state = ANY (${states}::text[])`;
  const each = `unnest(${practices}::text[]) AS p (id)`;
  const all = (...more: string[]) => [...more, ...where].join(" AND ");
  switch (over) {
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
        where: all("k.practice_id = p.id", `k.code = ${values.add(query.filters.code)}`, inStates),
      };
    case "person":
      return {
        over: "(SELECT 1) AS once",
        from: "task t",
        where: all(
          `t.assignee_id = ${values.add(query.personId)}`,
          `t.practice_id = ANY (${practices}::text[])`,
          inStates,
        ),
      };
    case "gate":
      return { over: "(SELECT 1) AS once", from: openGates, where: all(gateOpen(practices), inStates) };
    case "snooze":
      return { over: each, from: snoozes, where: all("z.practice_id = p.id", isInForce, inStates) };
    case "recourse":
      return { over: each, from: "task t", where: all("t.practice_id = p.id", "t.recourse_open", expected(inStates)) };
    case "authorization":
    case "use": {
      const { from, practice } = authorizations[over];
      const ours = all(`${practice} = ANY (${practices}::text[])`, `t.practice_id = ${practice}`, inStates);
      return { over: "(SELECT 1) AS once", from, where: ours };
    }
    case "found":
      return {
        over: "(SELECT 1) AS once",
        from: "task t",
        where: all(`t.id IN (${matchesOf(query, { practices, values })})`, inStates),
      };
  }
}

const openGates = "gate g JOIN task t ON t.id = g.task_id AND t.gate_id = g.id AND t.practice_id = g.practice_id";
const gateOpen = (practices: string) =>
  `g.status = 'open' AND g.expires_at < now() + interval '${expiringHours} hours' AND g.practice_id = ANY (${practices}::text[])`;
const snoozes =
  "snooze z JOIN task t ON t.id = z.task_id AND t.practice_id = z.practice_id JOIN task s ON s.id = z.task_id";

/** Where the determinations in force are read, by their end or by how much of them is used. */
const authorizations = {
  authorization: {
    from: "determination d JOIN task t ON t.id = d.task_id AND t.determination_id = d.id",
    practice: "d.practice_id",
  },
  use: {
    from: `units_used u JOIN task t ON t.id = u.task_id AND t.determination_id = u.determination_id
           JOIN determination d ON d.id = u.determination_id`,
    practice: "u.practice_id",
  },
} as const;

function matchesOf(query: QueueQuery, { practices, values }: { practices: string; values: Values }): string {
  const { text, typed }: SearchTarget = typeof query.view === "string" ? {} : query.view;
  const found = (condition: string) =>
    `SELECT m.id FROM task m WHERE ${condition} AND m.practice_id = ANY (${practices}::text[])`;
  const searches = [
    ...(text === undefined ? [] : [`m.short_id = ${values.add(shortIdIn(text))}`, `m.reference = ${values.add(text)}`]),
    ...(typed === undefined ? [] : [`m.member_hash = ANY (${values.addMember(typed, query.practices)}::bytea[])`]),
  ].map(found);
  const terms = typed === undefined ? undefined : termsOfTyped(typed);
  const byTerms = [terms?.patient ?? [], terms?.authorization ? [terms.authorization] : []];
  return [
    ...searches,
    ...byTerms.filter(({ length }) => length > 0).map((all) => withTerms(all, query, { practices, values })),
  ].join(" UNION ");
}

/** More cases than these are not looked through; whoever finds so many types more. */
const foundMax = 1001;

/** The newest cases that have all of these terms, along the tokens of each practice. */
function withTerms(
  terms: readonly SearchTerm[],
  { practices: ids }: QueueQuery,
  { practices, values }: { practices: string; values: Values },
): string {
  const tokens = terms.map((term) => `${values.addTerm(term, ids)}::bytea[]`);
  const names = tokens.map((_, index) => `token_${index}`);
  const has = (name: string, id: string) =>
    `SELECT FROM case_token o WHERE o.practice_id = w.practice_id AND o.token = w.${name} AND o.task_id = ${id}`;
  const others = names.slice(1).map((name) => `EXISTS (${has(name, "c.task_id")})`);
  const where = ["c.practice_id = w.practice_id", "c.token = w.token_0", ...others].join(" AND ");
  return `(SELECT one.task_id FROM unnest(${practices}::text[], ${tokens.join(", ")}) AS w (practice_id, ${names.join(", ")})
    CROSS JOIN LATERAL (SELECT c.task_id FROM case_token c WHERE ${where} ORDER BY c.task_id DESC LIMIT ${foundMax}) one)`;
}

/** The short id within a whole id, or the short id itself. */
function shortIdIn(text: string): string | null {
  const [id] = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4})?[0-9a-f]{8}$/i.exec(text) ?? [];
  return id === undefined ? null : id.slice(-8).toLowerCase();
}

function practicesOf({ practices, filters }: QueueQuery): readonly string[] {
  return filters.practice === undefined ? practices : practices.filter((id) => id === filters.practice);
}

function narrowedTo({ over }: Section, { filters }: QueueQuery, values: Values) {
  const { payer, channel, code, environment } = filters;
  return {
    payer: payer === undefined ? [] : [`t.payer_id = ${values.add(payer)}`],
    others: [
      ...(channel === undefined ? [] : [`t.channel_id = ${values.add(channel)}::uuid`]),
      ...(code === undefined || over === "code" ? [] : [`t.procedure_codes @> ARRAY[${values.add(code)}::text]`]),
      ...(environment === undefined ? [] : [environmentIs(over, values.add(environment))]),
    ],
  };
}

/** Closed cases have an index by environment, which the mark would keep Postgres from using. */
function environmentIs(over: Section["over"], value: string): string {
  const condition = `t.environment = ${value}`;
  return over === "closed" ? condition : expected(condition);
}

/** The indexes of open cases have the assignee, and those of the urgent ones nothing else. */
function workedOn({ filters: { urgent, assignee }, personId }: QueueQuery, values: Values): readonly string[] {
  return [
    ...(urgent === undefined ? [] : ["t.urgent"]),
    ...(assignee === "none" ? ["t.assignee_id IS NULL"] : []),
    ...(assignee === "me" ? [`t.assignee_id = ${values.add(personId)}::uuid`] : []),
  ];
}

function bitsOf({ payer: payerId, channel: channelId, code }: QueueFilters): bigint | undefined {
  const bits = filterBits({ payerId, channelId, codes: code === undefined ? [] : [code] });
  return bits === 0n ? undefined : bits;
}

const hasBits = (bits: string) => expected(`t.filter_bits & ${bits}::bigint = ${bits}::bigint`);

/** A case that was opened since then has changed since then, so closed cases can be limited by their order. */
function agesOf({ key, newestFirst }: Section, { filters: { age } }: QueueQuery, values: Values): readonly string[] {
  const [from, to] = age === undefined ? [] : queueAges[age];
  const ago = (days: number) => `now() - ${values.add(days)}::int * interval '1 day'`;
  return [
    ...(from ? [`t.created_at <= ${ago(from)}`] : []),
    ...(to ? [`t.created_at > ${ago(to)}`] : []),
    ...(to && key && newestFirst ? [`${key} > ${ago(to)}`] : []),
  ];
}
