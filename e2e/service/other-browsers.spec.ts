import type { Page } from "@playwright/test";
import { aPerson, aPractice, expect, fullIntake, signIn, smallIntake, test } from "../fixtures/journey.ts";

test("where a browser positions no row of a table, as Safari, a row's link covers its row and nothing else", async ({
  page,
  practice,
  browserOf,
  stack,
}) => {
  await Promise.all([practice.agent.send(fullIntake(practice)), practice.agent.send(smallIntake(practice))]);
  await signIn(page, practice.reviewer);
  await expectOwnRows(page, "/queue");
  const other = await aPractice(stack, { name: "Oak Cardiology" });
  const admin = await browserOf(await aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" }));
  const tabs = ["connections", "members"].map((tab) => `/practices/${other.id}/${tab}`);
  for (const path of ["/practices", "/channels", "/people", ...tabs]) await expectOwnRows(admin, path);
});

async function expectOwnRows(page: Page, path: string): Promise<void> {
  await page.goto(path);
  const found = await page.evaluate(() => {
    const unpositioned = new CSSStyleSheet();
    unpositioned.replaceSync("@media (width >= 48rem) { tr { position: static !important; } }");
    document.adoptedStyleSheets = [unpositioned];
    const at = (x: number, y: number) => document.elementFromPoint(x, y);
    const heading = document.querySelector("h1");
    const place = heading?.getBoundingClientRect();
    const rows = [...document.querySelectorAll("main tbody tr:has(a)")].filter(
      (row) => row.getBoundingClientRect().bottom < innerHeight,
    );
    const astray = rows.filter((row) => {
      const { left, right, top, height } = row.getBoundingClientRect();
      return [left + 4, right - 4].some(
        (x) =>
          at(x, top + height / 2)
            ?.closest("a")
            ?.closest("tr") !== row,
      );
    });
    return {
      isHeadingFree: place !== undefined && heading?.contains(at(place.left + 4, place.top + place.height / 2)),
      hasRows: rows.length > 0,
      astray: astray.map(({ textContent }) => textContent),
    };
  });
  expect(found, path).toEqual({ isHeadingFree: true, hasRows: true, astray: [] });
}

test("without JavaScript, and without invoker commands as in Safari before 26.2, a dialog opens, closes and does its act", async ({
  browser,
  practice,
  stack,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: stack.baseUrl });
  await context.route(`**/practices/${practice.id}`, async (route) => {
    if (route.request().method() !== "GET") return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll("commandfor=", "data-commandfor=") });
  });
  const page = await context.newPage();
  await signIn(page, await aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" }));
  await page.goto(`/practices/${practice.id}`);
  const dialog = page.getByRole("dialog", { name: `Suspend ${practice.name}?` });
  const open = page.getByRole("button", { name: "Suspend practice" });
  await page.setViewportSize({ width: 360, height: 200 });
  await open.click();
  const { y = -1, height = 0 } = (await dialog.boundingBox()) ?? {};
  expect(y, "a dialog taller than the screen is scrolled").toBeGreaterThanOrEqual(0);
  expect(y + height).toBeLessThanOrEqual(200);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await open.click();
  await dialog.getByRole("button", { name: "Suspend practice" }).click();
  await expect(page.getByRole("button", { name: "Resume practice" })).toBeVisible();
  await context.close();
});

test("where a browser knows no invoker commands, a dialog opened before the page's script came is closed by it, and opened again above the page by a button that no longer says it is collapsed", async ({
  browser,
  practice,
  stack,
}) => {
  const context = await browser.newContext({ baseURL: stack.baseUrl });
  const page = await context.newPage();
  await signIn(page, await aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" }));
  await context.addInitScript(() => {
    Reflect.deleteProperty(HTMLButtonElement.prototype, "commandForElement");
  });
  const scripts = Promise.withResolvers<void>();
  await context.route("**/_next/static/**/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await context.route(`**/practices/${practice.id}`, async (route) => {
    if (route.request().method() !== "GET") return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll("commandfor=", "data-commandfor=") });
  });
  await page.goto(`/practices/${practice.id}`, { waitUntil: "commit" });
  await page.getByRole("button", { name: "Suspend practice" }).click();
  const dialog = page.getByRole("dialog", { name: `Suspend ${practice.name}?` });
  await expect(dialog).toBeVisible();
  scripts.resolve();
  const opening = page.locator("button[command=show-modal]", { hasText: "Suspend practice" });
  await expect(opening).not.toHaveAttribute("popovertarget");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await opening.click();
  await expect.poll(() => dialog.evaluate((element) => element.matches(":modal"))).toBe(true);
  await dialog.getByRole("button", { name: "Suspend practice" }).click();
  await expect(page.getByRole("button", { name: "Resume practice" }).first()).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
  await context.close();
});
