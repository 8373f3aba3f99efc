import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { narrowsByWork, type QueueView } from "#lib/queue/model/queue";
import { countFacets, countNarrowed, type Facet } from "#lib/queue/store/queue-counts";
import { otherViewsMax, queryOf, type QueueQuestion } from "./list-queue.ts";

/** A filter that a list is not narrowed by yet, and how many cases it would leave, at most one more than 99. */
export type QueueFacet = Facet & { readonly count: number };

/** Values of one filter that are offered; the others are in the form. */
const valuesMax = 3;

/** Cases of a list that are looked at; of a longer one each value is counted by itself. */
const lookedMax = 300;

const names = ["urgent", "assignee", "practice", "payer", "environment"] as const;

/** Offered only where they tell cases of the list from each other. */
const telling: readonly Facet["name"][] = ["environment", "practice", "payer"];

/** Filters with few values, which are counted also where none of the first cases has them. */
const always: readonly Facet[] = [
  { name: "urgent", value: "yes" },
  { name: "assignee", value: "me" },
  { name: "assignee", value: "none" },
];

/** What all cases of a view have in common by its name. */
const impliedBy: Readonly<Partial<Record<QueueView, Facet["name"]>>> = {
  mine: "assignee",
  unassigned: "assignee",
  urgent: "urgent",
};

/**
 * What a list can be narrowed to next. A filter that leaves nothing is not among them, nor a practice or payer that all
 * cases have. Of a long list, the payers are the commonest of its first few hundred cases.
 */
export async function queueFacets(ctx: Context<PersonActor>, question: QueueQuestion): Promise<readonly QueueFacet[]> {
  const { view, filters } = question;
  const query = await queryOf(ctx, { ...question, sort: "due", place: undefined });
  if (!query || query === "ended") return [];
  const byWork = narrowsByWork({ view, state: filters.state });
  const isOffered = ({ name }: Facet) =>
    filters[name] === undefined && impliedBy[view] !== name && (byWork || telling.includes(name));
  const looked = await countFacets(ctx.store, query, lookedMax + 1);
  const seen = looked.facets.filter(isOffered);
  const isWhole = looked.of <= lookedMax;
  const counted = isWhole ? seen : await countFew(ctx, { query, seen, isOffered });
  return names.flatMap((name) => {
    const found = counted.filter((one) => one.name === name && one.count > 0);
    const all = name === "assignee" ? found.toSorted((a, b) => a.value.localeCompare(b.value)) : found;
    if (telling.includes(name) && all.length < 2) return [];
    return all.slice(0, valuesMax).map((one) => ({ ...one, count: Math.min(one.count, otherViewsMax + 1) }));
  });
}

type Few = {
  readonly query: Parameters<typeof countNarrowed>[1];
  readonly seen: readonly QueueFacet[];
  readonly isOffered: (facet: Facet) => boolean;
};

/**
 * A value that a hundred of these cases have is known to be that frequent; the others are counted. The first cases may
 * all be of one practice, so that practices are not taken from them.
 */
async function countFew(
  { store }: Context<PersonActor>,
  { query, seen, isOffered }: Few,
): Promise<readonly QueueFacet[]> {
  const { practices } = query;
  const few = practices.length <= valuesMax ? practices.map((value) => ({ name: "practice", value }) as const) : [];
  const payers = seen.filter(({ name }) => name === "payer").slice(0, valuesMax);
  const offered = [...always, ...few, ...payers].filter(isOffered);
  const known = offered.flatMap(({ name, value }) =>
    seen.filter((one) => one.name === name && one.value === value && one.count > otherViewsMax),
  );
  const facets = offered.filter(({ name, value }) => !known.some((one) => one.name === name && one.value === value));
  return [...known, ...(await countNarrowed(store, query, { facets, max: otherViewsMax + 1 }))];
}
