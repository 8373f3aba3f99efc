import type { Store } from "#lib/db/db";
import type { QueueView, TabView } from "#lib/queue/model/queue";
import { isOpen } from "#lib/task/model/case-states";
import { rowsOf } from "./queue-rows.ts";
import { sectionsOf, walksOf, type QueueQuery } from "./queue-sections.ts";
import { named, Values } from "./queue-statement.ts";

/** How many cases a list has, counted up to `max`. */
export async function countCases(store: Store, query: QueueQuery, max: number): Promise<number> {
  const values = new Values(store);
  const text = `SELECT ${countOf(query, values, max)} AS n`;
  const { rows } = await store.pool.query<{ n: number }>(named({ text, values: values.list }));
  return rows[0]?.n ?? 0;
}

/** Whether the practices of a list have at most `max` open cases of the environment it is narrowed to; an index says. */
export async function isRareEnvironment(store: Store, query: QueueQuery, max: number): Promise<boolean> {
  const values = new Values(store);
  const [practices, environment] = [values.add(query.practices), values.add(query.filters.environment)];
  const limit = Math.trunc(max) + 1;
  const text = `
    SELECT count(*)::int AS n FROM (
      SELECT 1 FROM unnest(${practices}::text[]) AS p (id) CROSS JOIN LATERAL (
        SELECT FROM task t WHERE t.practice_id = p.id AND t.environment = ${environment} AND ${isOpen}
         LIMIT ${limit}) one LIMIT ${limit}) counted`;
  const { rows } = await store.pool.query<{ n: number }>(named({ text, values: values.list }));
  return (rows[0]?.n ?? 0) <= max;
}

export type Counts<View extends QueueView = TabView> = Readonly<Record<View, number>>;

/** The view that is listed, and how far its cases are counted. */
type ListedView = { readonly view: QueueView; readonly max: number };

type Counting<View extends QueueView> = {
  readonly views: readonly View[];
  readonly max: number;
  readonly listed?: ListedView | undefined;
};

/**
 * How many cases each of these views has, counted up to `max`, or for the listed one as far as it says; one statement
 * for all.
 */
export async function countViews<View extends QueueView>(
  store: Store,
  query: Pick<QueueQuery, "practices" | "personId">,
  { views, max, listed: atHand }: Counting<View>,
): Promise<Counts<View>> {
  const values = new Values(store);
  const each = views.map((view) => {
    const whole: QueueQuery = { ...query, view, sort: "due", filters: {} };
    return `${countOf(whole, values, view === atHand?.view ? atHand.max : max)} AS "${view}"`;
  });
  const text = `SELECT ${each.join(", ")}`;
  const { rows } = await store.pool.query<Counts<View>>(named({ text, values: values.list }));
  const [counts] = rows;
  if (!counts) throw new Error("A statement of counts gives one row.");
  return counts;
}

/** How many cases each of these lists has, counted up to `max`; one statement for all. */
export async function countLists(
  store: Store,
  queries: readonly QueueQuery[],
  max: number,
): Promise<readonly number[]> {
  if (queries.length === 0) return [];
  const values = new Values(store);
  const each = queries.map((query) => countOf({ ...query, sort: "due" }, values, max));
  const text = `SELECT ARRAY[${each.join(", ")}] AS counts`;
  const { rows } = await store.pool.query<{ counts: number[] }>(named({ text, values: values.list }));
  return rows[0]?.counts ?? [];
}

function countOf(query: QueueQuery, values: Values, max: number): string {
  return `(SELECT count(*)::int FROM (${anyOf(query, values, { columns: [], max })}) counted)`;
}

type Some = { readonly columns: readonly string[]; readonly max: number };

/** Any `max` cases of a list, with these columns of their tasks. */
function anyOf(query: QueueQuery, values: Values, { columns, max }: Some): string {
  const limit = Math.trunc(max);
  const taken = columns.map((column) => `t.${column}`).join(", ");
  const each = walksOf(query).map(({ section }) => {
    const { over, from, where, exactly } = rowsOf(section, query, values);
    const along = section.key ?? section.along;
    // In the index's order, or the plan for any practice would first gather all closed cases of the largest one.
    const order = along === undefined ? "" : `ORDER BY ${along}${section.newestFirst ? " DESC" : ""}`;
    const found = (() => {
      if (exactly !== undefined) return lookedUp(`SELECT t.id FROM ${from} WHERE ${where} OFFSET 0`, taken, exactly);
      // Ids first, which only the index for this filter has all of: two that are read with their rows look alike to Postgres.
      if (section.over === "closed" && columns.length > 0)
        return lookedUp(`SELECT t.id FROM ${from} WHERE ${where} ${order} LIMIT ${limit}`, taken);
      return `SELECT ${taken} FROM ${from} WHERE ${where} ${order}`;
    })();
    return `SELECT ${columns.length === 0 ? "1" : "one.*"} FROM ${over} CROSS JOIN LATERAL (${found} LIMIT ${limit}) one`;
  });
  return `${each.join(" UNION ALL ")} LIMIT ${limit}`;
}

function lookedUp(ids: string, taken: string, exactly = "true"): string {
  return `SELECT looked.* FROM (${ids}) c
    CROSS JOIN LATERAL (SELECT ${taken} FROM task t WHERE t.id = c.id AND ${exactly} OFFSET 0) looked`;
}

/** A way to narrow a list, by the name of a filter and a value of it. */
export type Facet = {
  readonly name: "urgent" | "assignee" | "practice" | "payer" | "environment";
  readonly value: string;
};
type CountedFacet = Facet & { readonly count: number };

/** How many of `max` cases of a list each filter would leave, and how many cases these are. */
export async function countFacets(
  store: Store,
  query: QueueQuery,
  max: number,
): Promise<{ readonly facets: readonly CountedFacet[]; readonly of: number }> {
  const values = new Values(store);
  const columns = ["practice_id", "payer_id", "urgent", "assignee_id", "environment"];
  const found = anyOf(query, values, { columns, max });
  const me = `${values.add(query.personId)}::uuid`;
  const by = (name: string, value: string, where = "true") =>
    `SELECT '${name}' AS name, ${value} AS value, count(*)::int AS count FROM found WHERE ${where} GROUP BY 2`;
  const text = `
    WITH found AS MATERIALIZED (${found})
    ${by("practice", "practice_id")} UNION ALL ${by("payer", "payer_id")}
    UNION ALL ${by("environment", "environment")} UNION ALL ${by("urgent", "'yes'", "urgent")}
    UNION ALL ${by("assignee", "'me'", `assignee_id = ${me}`)}
    UNION ALL ${by("assignee", "'none'", "assignee_id IS NULL")} UNION ALL ${by("all", "''")}
    ORDER BY 3 DESC, 2`;
  // Safe because the statement names these filters and `all`.
  type Row = { name: Facet["name"] | "all"; value: string; count: number };
  const { rows } = await store.pool.query<Row>(named({ text, values: values.list }));
  const facets = rows.flatMap(({ name, ...row }) => (name === "all" ? [] : [{ name, ...row }]));
  return { facets, of: rows.find(({ name }) => name === "all")?.count ?? 0 };
}

/** The number of cases of a list for each of these filters, counted up to `max`, in one statement. */
export async function countNarrowed(
  store: Store,
  query: QueueQuery,
  { facets, max }: { readonly facets: readonly Facet[]; readonly max: number },
): Promise<readonly CountedFacet[]> {
  const narrowed = facets.map(({ name, value }) => ({ ...query, filters: { ...query.filters, [name]: value } }));
  const counts = await countLists(store, narrowed, max);
  return facets.map((facet, index) => ({ ...facet, count: counts[index] ?? 0 }));
}

/** A payer, and how many submissions to it failed. */
export type FailedPayer = { readonly payerId: string; readonly payerName?: string | undefined; readonly count: number };

/** The payers of the cases in the view `failed`, the most failures first; of `max` cases at most. */
export async function countFailedByPayer(
  store: Store,
  query: Pick<QueueQuery, "practices" | "personId">,
  max: number,
): Promise<readonly FailedPayer[]> {
  const values = new Values(store);
  const each = sectionsOf({ ...query, view: "failed", sort: "due", filters: {} }).map((section) => {
    const { over, from, where } = rowsOf(section, { ...query, view: "failed", sort: "due", filters: {} }, values);
    return `SELECT one.payer_id FROM ${over} CROSS JOIN LATERAL (
      SELECT t.payer_id FROM ${from} WHERE ${where} LIMIT ${Math.trunc(max)}) one`;
  });
  const text = `
    SELECT failed.payer_id, count(*)::int AS count,
           (SELECT max(route.payer_name) FROM route
             WHERE route.payer_id = failed.payer_id AND route.practice_id = ANY (${values.add(query.practices)}::text[])) AS name
      FROM (${each.join(" UNION ALL ")} LIMIT ${Math.trunc(max)}) failed GROUP BY 1 ORDER BY 2 DESC, 1`;
  const { rows } = await store.pool.query<{ payer_id: string; count: number; name: string | null }>(
    named({ text, values: values.list }),
  );
  return rows.map(({ payer_id: payerId, count, name }) => ({ payerId, payerName: name ?? undefined, count }));
}
