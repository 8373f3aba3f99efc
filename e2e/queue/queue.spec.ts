import { aPerson, aPractice, arrive, expect, fullIntake, shortIdOf, smallIntake, test } from "../fixtures/journey.ts";
import type { Page } from "@playwright/test";
import { expectAccessible } from "../fixtures/accessible.ts";

const shots = process.env.QUEUE_SHOTS;

/** For whoever wants to look at it. */
async function shot(page: Page, name: string): Promise<void> {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
}

const rowOf = (page: Page, taskId: string) => page.getByRole("row").filter({ hasText: shortIdOf(taskId) });
const view = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Views", exact: true }).getByRole("link", { name });

/** Goes to a view that is in the menu. */
async function chooseView(page: Page, name: string): Promise<void> {
  await page.locator("summary", { hasText: "More" }).click();
  await page.getByRole("navigation", { name: "More views" }).getByRole("link", { name }).click();
}

test("a reviewer narrows the queue by view and filter, and takes a filter away again", async ({ page, practice }) => {
  const plain = await practice.agent.send(smallIntake(practice));
  const urgent = await practice.agent.send({
    ...fullIntake(practice),
    serviceReview: { ...fullIntake(practice).serviceReview, serviceLevelCode: "03" },
  });
  const other = await practice.agent.send(fullIntake(practice, { memberId: "HM5550001", code: "J1100" }));
  await arrive(page, practice.reviewer);
  await expect(page).toHaveURL(/\/queue$/);
  await expect(view(page, "To release 3")).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("row").nth(1)).toContainText(shortIdOf(urgent.id));
  await expect(rowOf(page, plain.id)).toContainText("Not opened");
  await shot(page, "all");

  await chooseView(page, "Urgent 1");
  await expect(page).toHaveURL(/\/queue\?view=urgent$/);
  await expect(rowOf(page, urgent.id)).toContainText("in 4 h");
  await expect(rowOf(page, plain.id)).toHaveCount(0);
  await rowOf(page, urgent.id).getByRole("link").click();
  await page.waitForURL(`**/tasks/${urgent.id}?list=view%3Durgent`);
  await page.goBack();
  await expect(rowOf(page, urgent.id).getByRole("link")).toBeFocused();
  await page.reload();
  await expect(rowOf(page, urgent.id)).not.toContainText("Not opened");

  await chooseView(page, "All open 3");
  await expect(page).toHaveURL(/\/queue\?view=all$/);
  await expect(view(page, "All open 3")).toHaveAttribute("aria-current", "page");
  await expect(rowOf(page, plain.id)).toBeVisible();
  await page.getByText("Filter and sort").click();
  await page.getByLabel("Procedure code").fill("j1100");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(rowOf(page, plain.id)).toHaveCount(0);
  // One address, without what was left empty: a page that sent on to another was blank in between.
  expect(requests.filter((url) => url.includes("/queue?"))).toEqual([
    expect.stringMatching(/\?code=J1100(?:&_rsc=|$)/),
  ]);
  await expect(rowOf(page, other.id).getByRole("link")).toBeFocused();
  await expect(page).toHaveURL(/\/queue\?code=J1100$/);
  await expect(page.getByRole("heading", { name: "All open", exact: true })).toBeVisible();
  await shot(page, "filtered");
  await page.getByLabel("State").selectOption("voided");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("The filters hide every case")).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  await expectAccessible(page, "filters that hide every case");
  await page.getByRole("link", { name: /Remove the filter State/ }).click();
  await expect(rowOf(page, other.id)).toBeVisible();
  await page.getByRole("link", { name: "Clear all" }).click();
  await expect(rowOf(page, plain.id)).toBeVisible();
});

test("a case is found by what it is called and by its member, and no address says anything of a patient", async ({
  page,
  practice,
}) => {
  const plain = await practice.agent.send(smallIntake(practice));
  const other = await practice.agent.send(fullIntake(practice, { memberId: "HM5550001" }));
  await arrive(page, practice.reviewer);
  const search = page.getByRole("searchbox");
  await search.fill(shortIdOf(plain.id));
  await search.press("Enter");
  await expect(page).toHaveURL(new RegExp(`\\?q=${shortIdOf(plain.id)}$`, "i"));
  await expect(rowOf(page, plain.id)).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(2);

  await search.fill("hm555-0001");
  await search.press("Enter");
  await expect(page).toHaveURL(/\?search=[0-9a-f-]{36}$/);
  await expect(rowOf(page, other.id)).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(2);
  expect(page.url()).not.toMatch(/5550001/i);
  await expect(page).toHaveTitle(/^Queue/);
  await expect(async () => {
    // From a list without the case found before, so that what is awaited is the answer to this search.
    await page.goto("/queue");
    await search.fill("OKAFOR, Adaeze");
    await search.press("Enter");
    await expect(page).toHaveURL(/\?search=/, { timeout: 2_000 });
    await expect(rowOf(page, other.id)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(page).toHaveURL(/\?search=[0-9a-f-]{36}$/);
  expect(page.url()).not.toMatch(/okafor|adaeze/i);
  await search.fill("HM0000000");
  await search.press("Enter");
  await expect(page.getByText("No case was found")).toBeVisible();
  expect(page.url()).not.toContain("HM0000000");
});

test("what is typed while a search is on its way is the next search", async ({ page, practice }) => {
  const { id } = await practice.agent.send(fullIntake(practice, { memberId: "HM5550001" }));
  await arrive(page, practice.reviewer);
  const search = page.getByRole("searchbox");
  const held = Promise.withResolvers<undefined>();
  await page.route("**/queue*", async (route) => {
    if (route.request().method() === "POST") await held.promise;
    await route.continue();
  });
  await search.fill("HM5550001");
  const posted = page.waitForRequest((request) => request.method() === "POST" && request.url().includes("/queue"));
  await search.press("Enter");
  await posted;
  await search.fill("HM0000000");
  held.resolve(undefined);
  await expect(rowOf(page, id)).toBeVisible();
  await expect(page).toHaveURL(/\?search=[0-9a-f-]{36}$/);
  await expect(search).toHaveValue("HM0000000");
  await expect(search).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("No case was found")).toBeVisible();
});

test("a search stays in its box, is corrected where it found nothing, and is in no address, title or storage", async ({
  page,
  practice,
}) => {
  const { id } = await practice.agent.send(fullIntake(practice, { memberId: "HM5550001" }));
  await arrive(page, practice.reviewer);
  const search = page.getByRole("searchbox");
  await search.fill("HM555000");
  await search.press("Enter");
  await expect(page.getByText("No case was found")).toBeVisible();
  await expect(search).toHaveValue("HM555000");
  await expect(search).toBeFocused();
  await expect(search).toHaveAccessibleDescription(/^Type whole words/);
  await shot(page, "found-nothing");
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await expect(rowOf(page, id).getByRole("link")).toBeFocused();
  await expect(search).toHaveValue("HM5550001");
  const kept = await page.evaluate(() =>
    JSON.stringify([
      location.href,
      document.title,
      history.state,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
    ]),
  );
  expect(kept).not.toMatch(/5550001/);
  await page.reload();
  await expect(search).toHaveValue("HM5550001");
  // By its key, so that the next search takes the place of this one.
  await page.keyboard.press("/");
  await page.keyboard.type("HM0000000");
  await expect(search).toHaveValue("HM0000000");
});

test("the queue pages forward and back, and an address nobody made is the first page", async ({ page, practice }) => {
  for (let made = 0; made < 42; made += 1) await practice.agent.send(smallIntake(practice));
  await arrive(page, practice.reviewer);
  const first = await page.getByRole("row").nth(1).innerText();
  await expect(page.getByRole("row")).toHaveCount(41);
  await page.getByRole("link", { name: "More cases" }).click();
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByRole("link", { name: "Earlier cases" }).click();
  await expect(page.getByRole("row")).toHaveCount(41);
  expect((await page.getByRole("row").nth(1).innerText()).slice(0, 8)).toBe(first.slice(0, 8));
  for (const strange of [
    "?place=%00&view=%27",
    "?view=mine&view=all",
    "?sort=x&age=9&channel=1&code=%0A",
    "?place=YX4wfn4",
  ]) {
    expect((await page.goto(`/queue${strange}`))?.status()).toBe(200);
    await expect(view(page, "To release 42")).toBeVisible();
  }
});

test("without a script a view, a filter and a member are found all the same", async ({ browser, stack, practice }) => {
  const sent = await practice.agent.send(fullIntake(practice));
  const plain = await practice.agent.send(smallIntake(practice));
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: stack.baseUrl });
  const page = await context.newPage();
  await arrive(page, practice.reviewer);
  await page.getByText("Filter and sort").click();
  await page.getByLabel("State").selectOption("transmit-held");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/state=transmit-held/);
  await expect(rowOf(page, plain.id)).toBeVisible();
  await page.getByRole("searchbox").fill("HM4471029");
  await page.getByRole("searchbox").press("Enter");
  await expect(page).toHaveURL(/\?search=[0-9a-f-]{36}$/);
  await expect(rowOf(page, sent.id)).toBeVisible();
  await expect(rowOf(page, plain.id)).toHaveCount(0);
  await page.getByRole("searchbox").fill("HM0000000");
  await page.getByRole("searchbox").press("Enter");
  await expect(page.getByText("No case was found")).toBeVisible();
  await expect(page.getByRole("searchbox")).toHaveValue("HM0000000");
  await context.close();
});

test("whoever reviews for none is told whom to ask, and an empty desk says so", async ({ browserOf, stack }) => {
  const empty = await aPractice(stack, { name: "Quiet Valley Clinic" });
  const desk = await browserOf(empty.reviewer);
  await desk.goto("/queue");
  await expect(desk.getByText("Nothing to release")).toBeVisible();
  await desk.goto("/queue?view=expiring");
  await expect(desk.getByText("No requests expire soon")).toBeVisible();
  await expectAccessible(desk, "an empty view");
  await aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" });
  const nobody = await browserOf(
    await aPerson(stack, { roles: ["auditor"], practices: [empty.id], name: "Ilse Brandt" }),
  );
  await nobody.goto("/queue");
  await expect(nobody.getByText("You don't review for any practice")).toBeVisible();
  await expect(nobody.getByRole("list", { name: "Whom to ask" })).toContainText("Ask ");
  await expectAccessible(nobody, "nothing to review");
});

for (const width of [390, 320]) {
  test(`at ${width} pixels a row is read without scrolling sideways, with its filters open`, async ({
    page,
    practice,
  }) => {
    await page.setViewportSize({ width, height: 780 });
    const sent = await practice.agent.send(fullIntake(practice));
    await arrive(page, practice.reviewer);
    await page.getByText("Filter and sort").click();
    await expect(rowOf(page, sent.id)).toBeVisible();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over).toBeLessThanOrEqual(0);
    // When it is due stands beside what it is called, and takes no line of its own.
    const [called, due] = [rowOf(page, sent.id).getByRole("link"), rowOf(page, sent.id).locator("time").first()];
    const [{ y = 0, height = 0 }, at] = [(await called.boundingBox()) ?? {}, await due.boundingBox()];
    expect(Math.abs((at?.y ?? Infinity) - y)).toBeLessThan(height / 2);
    await shot(page, `phone-${width}`);
  });
}
