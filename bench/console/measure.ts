import { queueSorts, queueViews } from "#lib/domain/queue";
import { addressOf } from "#lib/tasks/queue-address";
import { fullReview, inDays } from "#test/reviews";
import { step } from "../../scripts/report.mjs";
import { freshPayer, practices } from "./desk.ts";
import { visitLine, type Line } from "./lines.ts";
import { atRest, casesOn, signedIn, visitMs, type Bench, type Visit } from "./pages.ts";
import { releaseLines } from "./release.ts";
import { sizeLines } from "./script-sizes.ts";

const warm = 3;
const queueLimitMs = 50;
const caseLimitMs = 80;

/** What the issue sets a limit to, and what was measured in a real browser. */
export async function measureConsole(bench: Bench): Promise<readonly Line[]> {
  const fresh = await freshCases(bench);
  const parts = [
    ["queue", () => queueLines(bench)],
    ["search", () => searchLines(bench)],
    ["case", () => caseLines(bench, fresh)],
    ["release", () => releaseLines(bench)],
    ["scripts", () => sizeLines(bench)],
  ] as const;
  const lines: Line[] = [];
  for (const [name, measure] of parts) {
    lines.push(...(await step(name, async () => ({ line: "measured", value: await measure() }))));
  }
  return lines;
}

async function queueLines(bench: Bench): Promise<readonly Line[]> {
  const { times } = bench;
  const lines: Line[] = [];
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
  for (const [who, reviewer] of [
    ["one practice", bench.desk.one],
    [`${practices.length} practices`, bench.desk.all],
  ] as const) {
    const page = await signedIn(bench, reviewer);
    // What is measured is a server in use, not the first minute of one: each is looked at once before any is measured.
    for (const [, address] of addresses) await visitMs(bench, page, address);
    for (const [what, address] of addresses) {
      const got: Visit[] = [];
      for (let n = 0; n < warm + times; n += 1) got.push(await visitMs(bench, page, address));
      lines.push(visitLine(`queue: ${what}, ${who}`, got.slice(warm), queueLimitMs));
    }
    const got: Visit[] = [];
    await page.goto(addressOf({ view: "decided" }));
    for (let n = 0; n < times; n += 1) {
      const next = await page.getByRole("link", { name: "More cases" }).getAttribute("href");
      got.push(await visitMs(bench, page, next ?? ""));
    }
    lines.push(visitLine(`queue: decided, ${times} pages on, ${who}`, got, queueLimitMs));
    await page.close();
  }
  return lines;
}

async function searchLines(bench: Bench): Promise<readonly Line[]> {
  const { times } = bench;
  const page = await signedIn(bench, bench.desk.all);
  const lines: Line[] = [];
  for (const [what, texts] of [
    ["a payer's reference", (n: number) => `REF-${n * 41}`],
    ["a member", (n: number) => `BM${String(n * 41).padStart(7, "0")}`],
    ["a member with most cases", () => "BMFREQUENT"],
  ] as const) {
    const got: Visit[] = [];
    for (let n = 0; n < warm + times; n += 1) {
      await page.goto("/queue", { waitUntil: "load" });
      await page.getByRole("searchbox").fill(texts(n + 1));
      await page.getByRole("searchbox").press("Enter");
      await page.waitForURL(/[?&](?:search|q)=/);
      await atRest(page);
      got.push(await visitMs(bench, page, page.url().slice(bench.baseUrl.length)));
    }
    lines.push(visitLine(`queue: found by ${what}`, got.slice(warm), queueLimitMs));
  }
  await page.close();
  return lines;
}

/** Each case is opened once, as people do, after a few that only warm the server. */
async function caseLines(bench: Bench, fresh: readonly string[]): Promise<readonly Line[]> {
  const { times } = bench;
  const page = await signedIn(bench, bench.desk.one);
  const of = (address: string) => casesOn(page, address, warm + times);
  const kinds = [
    ["at its gate", await of(addressOf({ filters: { state: "transmit-held" } }))],
    ["at its gate, by hand", await of(addressOf({ filters: { state: "transmit-held", payer: "60054" } }))],
    ["at the payer", await of(addressOf({ view: "at-payer" }))],
    ["decided", await of(addressOf({ view: "decided" }))],
    ["at its gate, with dozens of cases beside it", fresh],
  ] as const;
  const lines: Line[] = [];
  for (const [what, addresses] of kinds) {
    const got: Visit[] = [];
    for (const address of addresses) got.push(await visitMs(bench, page, address));
    lines.push(visitLine(`case: ${what}`, got.slice(warm), caseLimitMs));
  }
  await page.close();
  return lines;
}

/** Cases sent the way an agent sends them, over the wire whose document is the longest, for the member with most cases. */
async function freshCases({ desk, baseUrl, times }: Bench): Promise<readonly string[]> {
  const addresses: string[] = [];
  for (let n = 0; n < warm + times; n += 1) {
    const data = { skill: "prior_auth_intake", practiceId: practices[0], serviceReview: review(n) };
    const note = { kind: "text", text: "From the order of this morning." };
    const params = { message: { role: "user", parts: [{ kind: "data", data }, note] } };
    const answer = await fetch(`${baseUrl}/api/a2a`, {
      method: "POST",
      headers: { authorization: `Bearer ${desk.channelKey}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: n, method: "message/send", params }),
    });
    // Safe because anything else is caught on the next line.
    const { result } = (await answer.json()) as { result?: { id: string } };
    if (!result) throw new Error("The service refused an intake of the bench.");
    addresses.push(`/tasks/${result.id}`);
  }
  return addresses;
}

/** For other days than the others, so that none is the same as another. */
function review(n: number) {
  const name = { lastName: "Bench", firstName: "Fresh" };
  return {
    ...fullReview,
    payer: { id: freshPayer },
    fromDate: inDays(60 + n),
    toDate: inDays(120 + n),
    procedures: [{ code: "E0200", quantity: 1, quantityTypeCode: "UN" }],
    subscriber: { memberId: "BMFREQUENT", ...name },
    patient: { ...fullReview.patient, ...name },
  };
}
