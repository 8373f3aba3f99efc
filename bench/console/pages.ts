import type { Browser, Page } from "@playwright/test";
import type { Answers } from "./answers.ts";
import type { Desk, Reviewer } from "./desk.ts";
import { watchHost, type Reading } from "./undisturbed.ts";

export type Bench = {
  readonly browser: Browser;
  readonly baseUrl: string;
  readonly desk: Desk;
  /** How often each page is measured, after a few times that only warm the server. */
  readonly times: number;
  readonly answers: Answers;
  /** Lines with this text in their names alone; all with none. */
  readonly only: string;
};

export async function signedIn({ browser, baseUrl }: Bench, { email, password }: Reviewer): Promise<Page> {
  const page = await browser.newPage({ baseURL: baseUrl });
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(({ pathname }) => pathname !== "/sign-in");
  return page;
}

/** A page that was read, and the address of what comes after it, where it has one. */
export type TimedReading = Reading & { readonly next: string | undefined };

/** No reader asks for the next page sooner; the server uses such a pause to collect what a page left behind. */
const paceMs = 200;

/**
 * What the server took for a page the browser asks for, from the request's head to the last byte it wrote. The browser
 * does not show it, and the page it stands on has nothing to do: a reader's browser takes no core from the server.
 */
export async function requestedMs({ answers }: Pick<Bench, "answers">, page: Page, url: string): Promise<TimedReading> {
  await new Promise((resolve) => setTimeout(resolve, paceMs));
  const isDisturbed = watchHost();
  const answered = answers.next(url);
  const next = await page.evaluate(async (address) => {
    const answer = await fetch(address, { headers: { accept: "text/html" } });
    const text = await answer.text();
    if (!answer.ok || answer.redirected) throw new Error(`The server answered ${answer.status}.`);
    const link = new DOMParser().parseFromString(text, "text/html").querySelector('main a[rel="next"]');
    return link?.getAttribute("href") ?? undefined;
  }, url);
  return { ms: await answered, next, disturbed: isDisturbed() };
}

/** What the browser waited for a page it shows, from its request to the last byte it read, as it timed that itself. Nothing is held against it, so what disturbed it is not asked. */
export async function shownMs(_: unknown, page: Page, url: string): Promise<TimedReading> {
  await page.goto(url, { waitUntil: "load" });
  return page.evaluate(
    () =>
      new Promise<TimedReading>((resolve) => {
        const tell = () => {
          const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
          const link = document.querySelector('main a[rel="next"]');
          resolve({
            ms: entry ? entry.responseEnd - entry.requestStart : Number.NaN,
            next: link?.getAttribute("href") ?? undefined,
            disturbed: false,
          });
        };
        requestIdleCallback(tell, { timeout: 500 });
      }),
  );
}

/** Waits until what was clicked has been shown and the page has nothing left to do. */
export async function atRest(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 500 })));
}

/** The addresses of the cases a list shows, page after page, at most so many. */
export async function casesOn(page: Page, url: string, max: number): Promise<readonly string[]> {
  await page.goto(url, { waitUntil: "load" });
  const links = await page
    .locator('main a[href^="/tasks/"]')
    .evaluateAll((all) => all.flatMap((one) => one.getAttribute("href") ?? []));
  const found = [...new Set(links)].slice(0, max);
  const more = page.getByRole("link", { name: "More cases" });
  if (found.length === max || (await more.count()) === 0) return found;
  const next = await more.getAttribute("href");
  return next === null ? found : [...found, ...(await casesOn(page, next, max - found.length))];
}
