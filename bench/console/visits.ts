import type { Page } from "@playwright/test";
import { queueSorts, queueViews } from "#lib/queue/model/queue";
import { addressOf } from "#lib/queue/queue-address";
import { rangeDays } from "#lib/report/model/range";
import { reportIds } from "#lib/report/model/reports";
import { practices, type Reviewer } from "./desk.ts";
import { freshCases } from "./fresh-cases.ts";
import { atRest, casesOn, type Bench } from "./pages.ts";

/** Where the nth page of a line is, given where the one before led on to. */
type AddressOf = (n: number, next: string | undefined) => string;

/** A line of the table: pages of one kind, read one after another. */
export type Visit = {
  readonly what: string;
  readonly limitMs: number;
  /** Finds them just before they are read, since a search is kept for minutes; at most so many are read. */
  readonly find: (page: Page, most: number) => Promise<AddressOf>;
};

/** What one reviewer reads. */
export type Visits = { readonly as: Reviewer; readonly visits: readonly Visit[] };

const queueLimitMs = 50;
const caseLimitMs = 80;
const reportLimitMs = 200;

/** Everything the issue sets a limit to, for a reviewer of one practice and for one of all. */
export function visitsOf(bench: Bench): readonly Visits[] {
  const { one, all } = bench.desk;
  return [
    { as: one, visits: [...lists("one practice"), ...cases(bench), ...reports("one practice")] },
    {
      as: all,
      visits: [
        ...lists(`${practices.length} practices`),
        ...searches(bench),
        ...reports(`${practices.length} practices`),
      ],
    },
  ];
}

/** The home page, and each report over the shortest and the longest range. */
function reports(who: string): readonly Visit[] {
  const ranges = rangeDays.filter((_, n) => n === 0 || n === rangeDays.length - 1);
  const pages = reportIds.flatMap((id) =>
    ranges.map((days) => [`report: ${id}, ${days} days`, `/reports/${id}?days=${days}`] as const),
  );
  return [["home", "/"] as const, ...pages].map(([what, address]) => ({
    ...{ what: `${what}, ${who}`, limitMs: reportLimitMs, find: () => Promise.resolve(() => address) },
  }));
}

/** Not one of the bench's, which all have many cases. */
const noChannel = "00000000-0000-7000-8000-000000000000";

function lists(who: string): readonly Visit[] {
  const addresses = [
    ...queueViews.flatMap((view) =>
      queueSorts.map((sort) => [`${view} by ${sort}`, addressOf({ view, sort })] as const),
    ),
    ["all, a payer and a code", addressOf({ filters: { code: "E0170", payer: "62308" } })],
    ["all, a code, by payer", addressOf({ sort: "payer", filters: { code: "E0170" } })],
    ["at the payer, a payer, by payer", addressOf({ view: "at-payer", sort: "payer", filters: { payer: "62308" } })],
    ["all, one state", addressOf({ view: "all", filters: { state: "declined" } })],
    ["decided, a rare code", addressOf({ view: "decided", filters: { code: "E0999" } })],
    ["decided, no such code", addressOf({ view: "decided", filters: { code: "E0998" } })],
    ["decided, live where none is", addressOf({ view: "decided", filters: { environment: "live" } })],
    ["decided, a channel without cases", addressOf({ view: "decided", filters: { channel: noChannel } })],
    ["release, live where none is", addressOf({ view: "release", filters: { environment: "live" } })],
    ["decided, older than a week", addressOf({ view: "decided", filters: { age: "7-" } })],
  ] as const;
  const decided = addressOf({ view: "decided" });
  const list = (what: string, address: AddressOf): Visit => ({
    ...{ what: `queue: ${what}, ${who}`, limitMs: queueLimitMs, find: () => Promise.resolve(address) },
  });
  return [
    ...addresses.map(([what, address]) => list(what, () => address)),
    list("decided, page after page", (_, next) => next ?? decided),
  ];
}

/** So many are searched for; where readings are taken again, from the first on. */
const searchesMax = 40;

function searches({ baseUrl }: Bench): readonly Visit[] {
  const texts = [
    ["a payer's reference", (n: number) => `REF-${n * 41}`],
    ["a member", (n: number) => `BM${String(n * 41).padStart(7, "0")}`],
    ["a member with most cases", () => "BMFREQUENT"],
    ["a patient's name", (n: number) => `Given${(n * 41) % 997} Bench${(n * 41) % 5000}`],
    ["a first name of a thousand cases", (n: number) => `Given${n}`],
  ] as const;
  return texts.map(([what, text]) => ({
    what: `queue: found by ${what}`,
    limitMs: queueLimitMs,
    find: async (page, most) => {
      const addresses: string[] = [];
      for (let n = 0; n < Math.min(most, searchesMax); n += 1) addresses.push(await searchFor(page, text(n + 1)));
      return inTurn(addresses.map((address) => address.slice(baseUrl.length)));
    },
  }));
}

async function searchFor(page: Page, text: string): Promise<string> {
  await page.goto("/queue", { waitUntil: "load" });
  await page.getByRole("searchbox").fill(text);
  await page.getByRole("searchbox").press("Enter");
  await page.waitForURL(/[?&](?:search|q)=/);
  await atRest(page);
  return page.url();
}

function cases(bench: Bench): readonly Visit[] {
  const kinds = [
    ["at its gate", addressOf({ filters: { state: "transmit-held" } })],
    ["at its gate, by hand", addressOf({ filters: { state: "transmit-held", payer: "60054" } })],
    ["at the payer", addressOf({ view: "at-payer" })],
    ["decided", addressOf({ view: "decided" })],
  ] as const;
  const one = (what: string, of: (page: Page, most: number) => Promise<readonly string[]>): Visit => ({
    what: `case: ${what}`,
    limitMs: caseLimitMs,
    find: async (page, most) => inTurn(await of(page, most)),
  });
  return [
    ...kinds.map(([what, address]) => one(what, (page, most) => casesOn(page, address, most))),
    one("at its gate, with dozens of cases beside it", (_, most) => freshCases(bench, most)),
  ];
}

function inTurn(addresses: readonly string[]): AddressOf {
  return (n) => {
    const address = addresses[n % addresses.length];
    if (address === undefined) throw new Error("The bench found nothing of a kind it measures.");
    return address;
  };
}
