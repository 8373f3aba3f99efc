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

/** It waits until the page has nothing left to do, so that the next request finds the machine at rest. */
export async function visitMs({ answers }: Pick<Bench, "answers">, page: Page, url: string): Promise<Visit> {
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
