import type { Page } from "@playwright/test";
import { queueSorts, queueViews } from "#lib/domain/queue";
import { addressOf } from "#lib/tasks/queue-address";
import { practices, type Reviewer } from "./desk.ts";
import { freshCases } from "./fresh-cases.ts";
import { atRest, casesOn, signedIn, type Bench } from "./pages.ts";

/** A line of the table: pages of one kind, read one after another. */
export type Reading = {
  readonly what: string;
  readonly limitMs: number;
  /** The nth of them, given where the one before led on to. */
  readonly address: (n: number, next: string | undefined) => string;
};

/** What one reviewer reads. */
export type Readings = { readonly as: Reviewer; readonly readings: readonly Reading[] };

const queueLimitMs = 50;
const caseLimitMs = 80;

/** Everything the issue sets a limit to, for a reviewer of one practice and for one of all; `times` of each. */
export async function findReadings(bench: Bench, times: number): Promise<readonly Readings[]> {
  const { one, all } = bench.desk;
  const found = await inPage(bench, all, (page) => searches(bench, page, times));
  const cases = await inPage(bench, one, (page) => caseReadings(bench, page, times));
  return [
    { as: one, readings: [...lists("one practice", times), ...cases] },
    { as: all, readings: [...lists(`${practices.length} practices`, times), ...found] },
  ];
}

async function inPage<Value>(bench: Bench, as: Reviewer, find: (page: Page) => Promise<Value>): Promise<Value> {
  const page = await signedIn(bench, as);
  const found = await find(page);
  await page.close();
  return found;
}

function lists(who: string, times: number): readonly Reading[] {
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
    ["decided, older than a week", addressOf({ view: "decided", filters: { age: "7-" } })],
  ] as const;
  const decided = addressOf({ view: "decided" });
  return [
    ...addresses.map(([what, address]) => ({
      ...{ what: `queue: ${what}, ${who}`, limitMs: queueLimitMs, address: () => address },
    })),
    {
      what: `queue: decided, ${times} pages on, ${who}`,
      limitMs: queueLimitMs,
      address: (_, next) => next ?? decided,
    },
  ];
}

async function searches({ baseUrl }: Bench, page: Page, times: number): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  for (const [what, text] of [
    ["a payer's reference", (n: number) => `REF-${n * 41}`],
    ["a member", (n: number) => `BM${String(n * 41).padStart(7, "0")}`],
    ["a member with most cases", () => "BMFREQUENT"],
  ] as const) {
    const addresses: string[] = [];
    for (let n = 0; n < times; n += 1) {
      await page.goto("/queue", { waitUntil: "load" });
      await page.getByRole("searchbox").fill(text(n + 1));
      await page.getByRole("searchbox").press("Enter");
      await page.waitForURL(/[?&](?:search|q)=/);
      await atRest(page);
      addresses.push(page.url().slice(baseUrl.length));
    }
    readings.push({ what: `queue: found by ${what}`, limitMs: queueLimitMs, address: inTurn(addresses) });
  }
  return readings;
}

/** Each case is read once by the server's clock, as people do, and once more in the browser. */
async function caseReadings(bench: Bench, page: Page, times: number): Promise<readonly Reading[]> {
  const of = (address: string) => casesOn(page, address, times);
  const kinds = [
    ["at its gate", await of(addressOf({ filters: { state: "transmit-held" } }))],
    ["at its gate, by hand", await of(addressOf({ filters: { state: "transmit-held", payer: "60054" } }))],
    ["at the payer", await of(addressOf({ view: "at-payer" }))],
    ["decided", await of(addressOf({ view: "decided" }))],
    ["at its gate, with dozens of cases beside it", await freshCases(bench, times)],
  ] as const;
  return kinds.map(([what, addresses]) => ({
    ...{ what: `case: ${what}`, limitMs: caseLimitMs, address: inTurn(addresses) },
  }));
}

function inTurn(addresses: readonly string[]): (n: number) => string {
  return (n) => {
    const address = addresses[n % addresses.length];
    if (address === undefined) throw new Error("The bench found nothing of a kind it measures.");
    return address;
  };
}
