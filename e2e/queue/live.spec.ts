import { expectAccessible } from "../fixtures/accessible.ts";
import {
  aPerson,
  arrive,
  expect,
  openCase,
  release,
  shortIdOf,
  signIn,
  smallIntake,
  test,
  choose,
  declineReason,
  releaseButton,
} from "../fixtures/journey.ts";

test("what one person does at one server is announced to another at the next, and nothing moves before it is asked for", async ({
  practice,
  stack,
  browser,
}) => {
  const first = await practice.agent.send(smallIntake(practice));
  const other = await stack.oneMoreServer();
  const colleague = await aPerson(stack, { roles: ["reviewer"], practices: [practice.id], name: "Priya Raman" });
  const here = await (await browser.newContext({ baseURL: stack.baseUrl })).newPage();
  const there = await browser.newPage({ baseURL: other.baseUrl });
  try {
    await Promise.all([signIn(here, practice.reviewer), signIn(there, colleague)]);

    await here.goto("/queue");
    await expect(here.getByRole("status")).toHaveText("Up to date");
    const second = await practice.agent.send(smallIntake(practice, "72158"));
    await expect(here.getByRole("status")).toHaveText("1 new");
    await expect(here.getByRole("link", { name: shortIdOf(second.id) })).toHaveCount(0);
    await here.getByRole("button", { name: "Show" }).click();
    await expect(here.getByRole("link", { name: shortIdOf(second.id) })).toBeVisible();
    await expect(here.getByRole("status")).toHaveText("Up to date");
    await expect(here.getByRole("status")).toBeFocused();

    await openCase(here, first.id);
    await choose(here, "Decline");
    await declineReason(here).fill("Too early, I would say.");
    await openCase(there, first.id);
    await release(there);
    const changed = here.getByRole("status").filter({ hasText: "This case changed." });
    await expect(changed).toContainText("Priya Raman released");
    await expectAccessible(here, "a case that changed");
    await expect(declineReason(here)).toHaveValue("Too early, I would say.");
    await expect(there.getByRole("status").filter({ hasText: "This case changed." })).toHaveCount(0);
    await changed.getByRole("button", { name: "Show" }).click();
    await expect(here.getByText("Released by Priya Raman").first()).toBeVisible();
    await expect(releaseButton(here)).toHaveCount(0);
    await expect(changed).toHaveCount(0);
  } finally {
    await Promise.all([here.context().close(), there.close()]);
    await other.stop();
  }
});

test("announcements can be paused, which the browser remembers, and one tab listens for all", async ({
  practice,
  page,
}) => {
  await arrive(page, practice.reviewer);
  await expect(page.getByRole("status")).toHaveText("Up to date");
  const tab = await page.context().newPage();
  const streams: string[] = [];
  tab.on("request", (request) => {
    if (new URL(request.url()).pathname === "/live") streams.push(request.url());
  });
  await tab.goto("/queue");
  await expect(tab.getByRole("status")).toHaveText("Up to date");
  await tab.getByRole("button", { name: "Pause updates" }).click();
  await expect(page.getByRole("status")).toHaveText("Updates paused");
  await practice.agent.send(smallIntake(practice));
  await tab.reload();
  await expect(tab.getByRole("status")).toHaveText("Updates paused");
  await tab.getByRole("button", { name: "Resume updates" }).click();
  await page.bringToFront();
  await expect(page.getByRole("status")).toHaveText("1 new");
  expect(streams).toEqual([]);
  await page.close();
  await tab.bringToFront();
  await practice.agent.send(smallIntake(practice, "72158"));
  await expect(tab.getByRole("status")).toHaveText("1 new");
  expect(streams).toHaveLength(1);
});

test("where no stream gets through, the server is asked now and then", async ({ practice, page }) => {
  await page.clock.install();
  await page.route("**/live", (route) => route.abort());
  await arrive(page, practice.reviewer);
  const status = page.getByRole("status");
  await expect(async () => {
    await page.clock.runFor(5_000);
    await expect(status).toHaveText("Looked up every 15 s", { timeout: 500 });
  }).toPass();
  await practice.agent.send(smallIntake(practice));
  await expect(async () => {
    await page.clock.runFor(5_000);
    await expect(status).toHaveText("1 new", { timeout: 500 });
  }).toPass();
});
