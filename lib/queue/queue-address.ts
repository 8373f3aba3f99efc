import {
  mainViews,
  narrowsByWork,
  ownSort,
  queueAges,
  queueAssignees,
  queueSorts,
  queueViews,
  riskViews,
  type QueueFilters,
  type QueueSort,
  type QueueView,
} from "#lib/queue/model/queue";
import { environments } from "#lib/task/model/environment";
import { states } from "#lib/task/model/task";
import type { QueueQuestion } from "./list-queue.ts";

/** The parts of the address of the queue. It holds the whole state of the page, and never patient data. */
export type Address = QueueQuestion & {
  readonly filters: Readonly<Record<FilterName, string | undefined>> & QueueFilters;
};

export const filterNames = [
  "practice",
  "payer",
  "action",
  "state",
  "channel",
  "code",
  "age",
  "urgent",
  "assignee",
  "environment",
] as const;
export type FilterName = (typeof filterNames)[number];

type Params = Readonly<Record<string, string | string[] | undefined>>;

const actions = ["transmit", "void"] as const;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const textMax = 64;

/** Reads an address; unknown values are ignored. */
export function readAddress(params: Params): Address {
  const one = (name: string) => {
    const value = params[name];
    const text = typeof value === "string" ? value.trim() : "";
    return text === "" || text.length > textMax || /\p{Cc}|\p{Cs}/u.test(text) ? undefined : text;
  };
  const { channel } = { channel: one("channel") };
  const ages = Object.keys(queueAges) as (keyof typeof queueAges)[];
  const place = params.place;
  const view = oneOf([...queueViews, ...riskViews], one("view")) ?? (isBare(params) ? mainViews[0] : "all");
  const state = oneOf(states, one("state"));
  const byWork = narrowsByWork({ view, state });
  return {
    view,
    sort: oneOf(queueSorts, one("sort")) ?? ownSort(view),
    filters: {
      practice: one("practice"),
      payer: one("payer"),
      action: oneOf(actions, one("action")),
      state,
      channel: channel !== undefined && uuid.test(channel) ? channel : undefined,
      code: one("code")?.toUpperCase(),
      age: oneOf(ages, one("age")),
      urgent: byWork ? oneOf(["yes"], one("urgent")) : undefined,
      assignee: byWork ? oneOf(queueAssignees, one("assignee")) : undefined,
      environment: oneOf(environments, one("environment")),
    },
    text: one("q"),
    search: one("search"),
    place: typeof place === "string" ? place : undefined,
  };
}

const parts = ["sort", "q", "search", "place", ...filterNames] as const;

/** Without a view, an address that says anything else is one of all open cases, as it was before there were others. */
function isBare(params: Params): boolean {
  return parts.every((name) => params[name] === undefined || params[name] === "");
}

function oneOf<Word extends string>(options: readonly Word[], word: string | undefined): Word | undefined {
  return options.find((known) => known === word);
}

type AddressParts = {
  readonly view?: QueueView | undefined;
  readonly sort?: QueueSort | undefined;
  readonly filters?: Readonly<Partial<Record<FilterName, string | undefined>>> | undefined;
  readonly text?: string | undefined;
  readonly search?: string | undefined;
  readonly place?: string | undefined;
};

/** The address of a list; the first page of what is to release is `/queue` itself. */
export function addressOf({ view = "all", sort, filters = {}, text, search, place }: AddressParts): string {
  const more = { sort: sort === ownSort(view) ? undefined : sort, ...filters, ...{ q: text, search, place } };
  const saysMore = Object.values(more).some((value) => value !== undefined);
  const isUnsaid = view === (saysMore ? "all" : mainViews[0]);
  const values = { view: isUnsaid ? undefined : view, ...more };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? "/queue" : `/queue?${query}`;
}

export function isNarrowed({ filters }: Pick<Address, "filters">): boolean {
  return filterNames.some((name) => filters[name] !== undefined);
}
