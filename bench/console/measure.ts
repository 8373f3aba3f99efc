import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "@playwright/test";
import { queueViews } from "#lib/domain/queue";
import { addressOf } from "#lib/tasks/queue-address";
import { root } from "../../scripts/files.mjs";
import { practices, type Desk, type Reviewer } from "./desk.ts";

type Bench = {
  readonly browser: Browser;
  readonly baseUrl: string;
  readonly desk: Desk;
};

type Line = { readonly what: string; readonly limit: string; readonly got: string; readonly ok: boolean };

const warm = 5;
const times = 40;
const releases = 20;

/** What issue-sized limits there are, and what was measured; a table in Markdown. */
export async function measureConsole(bench: Bench): Promise<string> {
  const lines: Line[] = [];
  for (const [name, reviewer] of [
    ["one practice", bench.desk.one],
    ["20 practices", bench.desk.all],
  ] as const) {
    const page = await signedIn(bench, reviewer);
    for (const [view, sort] of queueViews.flatMap(
      (one) =>
        [
          [one, "due"],
          [one, "payer"],
        ] as const,
    )) {
      const got = await serverMs(page, `${bench.baseUrl}${addressOf({ view, sort })}`, times);
      lines.push(timeLine(`queue: ${view} by ${sort}, ${name}`, got, 50));
    }
    const filtered = addressOf({ filters: { code: "70017", payer: "62308" } });
    lines.push(timeLine(`queue: two filters, ${name}`, await serverMs(page, `${bench.baseUrl}${filtered}`, times), 50));
    await page.close();
  }
  const tasks = await freshCases(bench);
  const page = await signedIn(bench, bench.desk.one);
  const [first = ""] = tasks;
  lines.push(timeLine("case page", await serverMs(page, `${bench.baseUrl}/tasks/${first}`, times), 80));
  lines.push(timeLine("release, click to word", await releaseMs(page, bench.baseUrl, tasks), 150));
  await page.close();
  lines.push(await sizeLine(bench, "/queue", bench.desk.one, 90), await sizeLine(bench, "/sign-in", undefined, 10));
  const rows = lines.map(({ what, limit, got, ok }) => `| ${what} | ${got} | ${limit} | ${ok ? "yes" : "**no**"} |`);
  return ["| what | measured | limit | held |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

async function signedIn({ browser, baseUrl }: Bench, { email, password }: Reviewer): Promise<Page> {
  const page = await browser.newPage({ baseURL: baseUrl });
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(({ pathname }) => pathname === "/queue");
  return page;
}

/** From the browser's request to the last byte of the page, as the browser itself timed it. */
async function serverMs(page: Page, url: string, count: number): Promise<readonly number[]> {
  const all: number[] = [];
  for (let n = 0; n < warm + count; n += 1) {
    await page.goto(url, { waitUntil: "load" });
    const took = await page.evaluate(() => {
      const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      return entry ? entry.responseEnd - entry.requestStart : Number.NaN;
    });
    if (n >= warm) all.push(took);
  }
  return all;
}

/** Cases sent the way an agent sends them, so that their pages have everything on them. */
async function freshCases({ desk, baseUrl }: Bench): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < releases + 1; n += 1) {
    const data = { skill: "prior_auth_intake", practiceId: practices[0], serviceReview: review(n) };
    const params = { message: { role: "user", parts: [{ kind: "data", data }] } };
    const answer = await fetch(`${baseUrl}/api/a2a`, {
      method: "POST",
      headers: { authorization: `Bearer ${desk.channelKey}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: n, method: "message/send", params }),
    });
    // Safe because anything else is caught on the next line.
    const { result } = (await answer.json()) as { result?: { id: string } };
    if (!result) throw new Error("The service refused an intake of the bench.");
    ids.push(result.id);
  }
  return ids;
}

const review = (n: number) => ({
  payer: { id: "60054" },
  procedures: [{ code: `${71_000 + n}`, quantity: 1, quantityTypeCode: "UN" }],
  subscriber: { memberId: `RELEASE${n}`, lastName: "Bench" },
  patient: { lastName: "Bench", firstName: `Release ${n}` },
});

/** From the click on Release to the word of the server on the page. */
async function releaseMs(page: Page, baseUrl: string, tasks: readonly string[]): Promise<readonly number[]> {
  const all: number[] = [];
  for (const id of tasks.slice(1)) {
    await page.goto(`${baseUrl}/tasks/${id}`, { waitUntil: "networkidle" });
    const why = page.getByLabel(/why/i);
    if ((await why.count()) > 0) await why.first().fill("Measured.");
    const took = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let clicked = 0;
          addEventListener("click", () => (clicked = performance.now()), { capture: true, once: true });
          const seen = new MutationObserver(() => {
            const recall = [...document.querySelectorAll("button")].some(({ textContent }) => textContent === "Recall");
            if (clicked > 0 && recall) resolve(performance.now() - clicked);
          });
          seen.observe(document.body, { childList: true, subtree: true, characterData: true });
        }),
    );
    await page.getByRole("button", { name: "Release", exact: true }).click();
    all.push(await took);
  }
  return all;
}

function timeLine(what: string, all: readonly number[], limitMs: number): Line {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  const got = `p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms`;
  return { what, got, limit: `p95 under ${limitMs} ms`, ok: at(0.95) < limitMs };
}

/** The scripts a page loads beyond those every page of this Next version loads. */
async function sizeLine(bench: Bench, path: string, reviewer: Reviewer | undefined, limitKb: number): Promise<Line> {
  const page = reviewer ? await signedIn(bench, reviewer) : await bench.browser.newPage();
  const scripts = new Map<string, number>();
  page.on("response", async (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith(".js")) return;
    scripts.set(pathname, gzipSync(await response.body(), { level: 9 }).length);
  });
  await page.goto(`${bench.baseUrl}${path}`, { waitUntil: "networkidle" });
  await page.close();
  const own = [...scripts].filter(([pathname]) => !frameworkFiles().some((file) => pathname.endsWith(file)));
  const kb = own.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000;
  const limit = `at most ${limitKb} kB`;
  return { what: `scripts of ${path}, gzip`, got: `${kb.toFixed(1)} kB`, limit, ok: kb <= limitKb };
}

function frameworkFiles(): readonly string[] {
  // Safe because Next writes it so.
  const manifest = JSON.parse(readFileSync(join(root, ".next", "build-manifest.json"), "utf8")) as {
    rootMainFiles: string[];
    polyfillFiles: string[];
  };
  return [...manifest.rootMainFiles, ...manifest.polyfillFiles];
}
