import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "@playwright/test";
import type { Answers } from "./answers.ts";
import type { Desk, Reviewer } from "./desk.ts";

export type Bench = {
  readonly browser: Browser;
  readonly baseUrl: string;
  readonly desk: Desk;
  /** How often each page is measured, after a few times that only warm the server. */
  readonly times: number;
  readonly answers: Answers;
};

export async function signedIn({ browser, baseUrl }: Bench, { email, password }: Reviewer): Promise<Page> {
  const page = await browser.newPage({ baseURL: baseUrl });
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(({ pathname }) => pathname === "/queue");
  return page;
}

/** One visit to a page, in milliseconds. */
export type Visit = {
  /** What the server took, from the request's head to the last byte it wrote. */
  readonly server: number;
  /** From the browser's request to the last byte it read, as it timed that itself. */
  readonly browser: number;
};

/** A reader looks at a page before asking for the next, so the request finds browser, server and Postgres done with the last. */
export async function visitMs({ answers }: Pick<Bench, "answers">, page: Page, url: string): Promise<Visit> {
  await machineAtRest();
  const answered = answers.next(url);
  await page.goto(url, { waitUntil: "load" });
  const browser = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const tell = () => {
          const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
          resolve(entry ? entry.responseEnd - entry.requestStart : Number.NaN);
        };
        requestIdleCallback(tell, { timeout: 500 });
      }),
  );
  return { server: await answered, browser };
}

const restMs = 40;
const restShare = 0.15;
/** What never rests, such as another's work on the machine, is waited for no longer than this. */
const unrestMaxMs = 1000;

/** Waits for a moment in which all processors together have almost nothing to do. */
async function machineAtRest(): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < unrestMaxMs) {
    const before = processorMs();
    await sleep(restMs);
    const after = processorMs();
    if (after.busy - before.busy <= restShare * (after.all - before.all)) return;
  }
}

function processorMs(): { readonly busy: number; readonly all: number } {
  const each = cpus().map(({ times }) => times);
  const all = each.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { all, busy: all - each.reduce((sum, { idle }) => sum + idle, 0) };
}

/** Waits until what was clicked has been shown and the page has nothing left to do. */
export async function atRest(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 500 })));
}

/** The addresses of the cases a list shows, at most so many. */
export async function casesOn(page: Page, url: string, max: number): Promise<readonly string[]> {
  await page.goto(url, { waitUntil: "load" });
  const links = await page
    .locator('main a[href^="/tasks/"]')
    .evaluateAll((all) => all.flatMap((one) => one.getAttribute("href") ?? []));
  return [...new Set(links)].slice(0, max);
}
