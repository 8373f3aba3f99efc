import {
  aPerson,
  arrive,
  arriveWithScript,
  expect,
  fullIntake,
  shortIdOf,
  signIn,
  smallIntake,
  test,
} from "../fixtures/journey.ts";
import type { Page } from "@playwright/test";
import { expectAccessible } from "../fixtures/accessible.ts";

const shots = process.env.QUEUE_SHOTS;

/** For whoever wants to look at it, as it is on the three kinds of screen. */
async function shot(page: Page, name: string): Promise<void> {
  if (!shots) return;
  const before = page.viewportSize();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: `${shots}/${name}-${width}-${colorScheme}.png` });
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  if (before) await page.setViewportSize(before);
}

const rowOf = (page: Page, taskId: string) => page.getByRole("row").filter({ hasText: shortIdOf(taskId) });
const chips = (page: Page) => page.getByRole("list", { name: "Narrow to" });
const tabs = (page: Page) => page.getByRole("navigation", { name: "Views", exact: true });

test("chips say how many cases each would leave, narrow the list by a click, and are taken away by another", async ({
  page,
  practice,
}) => {
  const plain = await practice.agent.send(smallIntake(practice));
  const { serviceReview } = fullIntake(practice);
  const urgent = await practice.agent.send({
    ...fullIntake(practice),
    serviceReview: { ...serviceReview, serviceLevelCode: "03" },
  });
  await arrive(page, practice.reviewer);
  await expect(chips(page).getByRole("link", { name: "Unassigned 2" })).toBeVisible();
  await shot(page, "chips");
  await chips(page).getByRole("link", { name: "Urgent 1" }).click();
  await expect(page).toHaveURL(/\/queue\?view=release&urgent=yes$/);
  await expect(rowOf(page, urgent.id)).toBeVisible();
  await expect(rowOf(page, plain.id)).toHaveCount(0);
  await chips(page).getByRole("link", { name: "Unassigned 1" }).click();
  await expect(page).toHaveURL(/urgent=yes&assignee=none$/);
  await expectAccessible(page, "a list narrowed by chips");
  await shot(page, "chips-chosen");
  await page.getByRole("link", { name: /Remove the filter Urgency/ }).click();
  await expect(rowOf(page, plain.id)).toBeVisible();
  await page.getByRole("link", { name: "Clear all" }).click();
  await expect(page).toHaveURL(/\/queue$/);
});

test("without a script the chips are links that say the same, and a view is saved and shown", async ({
  browser,
  stack,
  practice,
}) => {
  const plain = await practice.agent.send(smallIntake(practice));
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: stack.baseUrl });
  const page = await context.newPage();
  await arrive(page, practice.reviewer);
  await chips(page).getByRole("link", { name: "Unassigned 1" }).click();
  await expect(page).toHaveURL(/\?view=release&assignee=none$/);
  await page.locator("summary", { hasText: "Save view" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Nobody’s yet");
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(tabs(page).getByRole("link", { name: "Nobody’s yet" })).toHaveAttribute("aria-current", "page");
  await rowOf(page, plain.id).getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/tasks/${plain.id}`));
  await context.close();
});

test("a reviewer snoozes a case by keyboard; it stands in Snoozed alone until somebody wakes it", async ({
  page,
  practice,
}) => {
  const sent = await practice.agent.send(smallIntake(practice));
  await arrive(page, practice.reviewer);
  await rowOf(page, sent.id).getByRole("link").click();
  await page.waitForURL(`**/tasks/${sent.id}`);
  await expect(page.locator("#main [data-back]")).toBeVisible();
  await page.keyboard.press("s");
  const choice = page.getByLabel("Snooze until");
  await expect(choice).toBeFocused();
  await shot(page, "snooze-menu");
  await choice.selectOption({ label: "4 hours from now" });
  await page.getByRole("button", { name: "Snooze", exact: true }).click();
  await expect(page.getByText(/Snoozed until .* by /)).toBeVisible();
  await expectAccessible(page, "a snoozed case");
  await shot(page, "snoozed-case");
  await page.goto("/queue");
  await expect(page.getByText("Nothing to release")).toBeVisible();
  await tabs(page).getByRole("link", { name: "Snoozed 1" }).click();
  await expect(page).toHaveURL(/\?view=snoozed$/);
  await expect(tabs(page).getByRole("link", { name: "Snoozed 1" })).toHaveAttribute("aria-current", "page");
  await expect(rowOf(page, sent.id)).toContainText("in 4 h");
  await shot(page, "snoozed-list");
  await rowOf(page, sent.id).getByRole("link").click();
  await page.getByRole("button", { name: "Wake" }).click();
  await expect(page.getByText(/Snoozed until .* by /)).toHaveCount(0);
  await page.goto("/queue");
  await expect(rowOf(page, sent.id)).toBeVisible();
});

test("on a wide screen the chosen row’s case stands beside the list, and only Enter or its name opens it", async ({
  page,
  practice,
}) => {
  const sent = await practice.agent.send(fullIntake(practice));
  await practice.agent.send(smallIntake(practice));
  await page.setViewportSize({ width: 1440, height: 900 });
  await arriveWithScript(page, practice.reviewer);
  await expect(page.getByRole("button", { name: "Preview", pressed: true })).toBeVisible();
  const pane = page.getByRole("complementary", { name: "Preview" });
  await rowOf(page, sent.id).getByText("in 24 h").click();
  await expect(pane.getByRole("heading", { level: 3 })).toContainText("Okafor");
  await expect(pane).toContainText("HM4471029");
  await expect(page).toHaveURL(/\/queue$/);
  await expect(rowOf(page, sent.id)).toContainText("Not opened");
  await expectAccessible(page, "the queue with its preview");
  await shot(page, "preview");
  const first = await pane.innerText();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("j");
  await expect(pane.getByRole("heading", { level: 3 })).toBeVisible();
  expect(first).toContain(shortIdOf(sent.id));
  await page.keyboard.press("Escape");
  await expect(pane).toHaveCount(0);
  await page.keyboard.press("p");
  await page.keyboard.press("k");
  await expect(pane).toHaveCount(0);
  await page.keyboard.press("p");
  await rowOf(page, sent.id).getByText("in 24 h").click();
  await expect(pane).toContainText(shortIdOf(sent.id));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/tasks/${sent.id}`));
});

test("where there is no room for a preview the whole row opens its case", async ({ page, practice }) => {
  const sent = await practice.agent.send(smallIntake(practice));
  await page.setViewportSize({ width: 1100, height: 800 });
  await arrive(page, practice.reviewer);
  await rowOf(page, sent.id).getByText("in 24 h").click();
  await expect(page).toHaveURL(new RegExp(`/tasks/${sent.id}`));
});

test("a saved view is listed beside the four, renamed and deleted, and a search is not offered to be saved", async ({
  page,
  practice,
}) => {
  await practice.agent.send(smallIntake(practice));
  await arrive(page, practice.reviewer);
  await expect(page.locator("summary", { hasText: "Save view" })).toHaveCount(0);
  await page.goto("/queue?view=all&sort=due&assignee=none");
  await page.locator("summary", { hasText: "Save view" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Nobody’s yet");
  await page.getByLabel("Who sees it").selectOption({ index: 1 });
  await shot(page, "save-view");
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(tabs(page).getByRole("link", { name: "Nobody’s yet" })).toHaveAttribute("aria-current", "page");
  await expectAccessible(page, "a saved view");
  await shot(page, "saved-view");
  await expect(tabs(page).getByRole("link", { name: "Nobody’s yet 1" })).toBeVisible();
  await page.goto("/account");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to or do" });
  await expect(palette).toBeVisible();
  await page.keyboard.type("nobody");
  await palette.getByRole("menuitem", { name: "Go to Nobody’s yet" }).click();
  await expect(tabs(page).getByRole("link", { name: "Nobody’s yet" })).toHaveAttribute("aria-current", "page");
  await page.locator("summary", { hasText: "Saved view" }).click();
  await page.getByLabel("Name", { exact: true }).fill("To be given");
  await page.getByRole("button", { name: "Rename" }).click();
  await expect(tabs(page).getByRole("link", { name: "To be given" })).toBeVisible();
  await page.locator("summary", { hasText: "More" }).click();
  await expect(page.getByRole("navigation", { name: "More views" })).toContainText("To be given");
  await shot(page, "more-views");
  await page.keyboard.press("Escape");
  if (!(await page.getByRole("button", { name: "Delete view" }).isVisible()))
    await page.locator("summary", { hasText: "Saved view" }).click();
  await page.getByRole("button", { name: "Delete view" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete To be given?" });
  await expect(dialog).toContainText("It is gone for every reviewer of");
  await dialog.getByRole("button", { name: "Delete view" }).click();
  await expect(tabs(page).getByRole("link", { name: "To be given" })).toHaveCount(0);
  const search = page.getByRole("searchbox");
  await search.fill("HM4471029");
  await search.press("Enter");
  await expect(page).toHaveURL(/\?search=/);
  await expect(page.locator("summary", { hasText: "Save view" })).toHaveCount(0);
});

test("on a phone the tab of the list at hand is in sight", async ({ page, practice }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await arrive(page, practice.reviewer);
  await page.goto("/queue?view=decided");
  await expect(tabs(page).getByRole("link", { name: "Decided" })).toBeInViewport({ ratio: 0.9 });
});

test("several cases are snoozed together by a key, each as it was shown, and the page says what became of each", async ({
  page,
  practice,
}) => {
  const sent = [await practice.agent.send(smallIntake(practice)), await practice.agent.send(smallIntake(practice))];
  await arrive(page, practice.reviewer);
  for (const { id } of sent) await page.getByLabel(`Choose ${shortIdOf(id)}`).check();
  await expect(page.getByText("2 chosen")).toBeVisible();
  await page.keyboard.press("s");
  await expect(page).toHaveURL(/\/queue\/bulk\?.*act=snooze/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Snooze 2 cases");
  const choice = page.getByLabel("Snooze until");
  await expectAccessible(page, "the page before several cases are snoozed");
  await choice.selectOption({ label: "A date and time…" });
  await page.getByLabel("Date and time").fill("2020-01-01T08:00");
  await page.getByRole("button", { name: "Snooze 2 cases" }).click();
  await expect(page.getByText("It must be a date and time within the next 30 days.")).toBeVisible();
  await choice.selectOption({ label: "24 hours from now" });
  await page.getByRole("button", { name: "Snooze 2 cases" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("2 of 2 went through");
  for (const { id } of sent)
    await expect(page.getByRole("listitem").filter({ hasText: shortIdOf(id) })).toContainText("snoozed.");
  await page.goto("/queue?view=snoozed");
  for (const { id } of sent) await expect(rowOf(page, id)).toBeVisible();
});

test("an open page says that a snooze has ended, and shows the case once it is asked to", async ({
  page,
  practice,
  stack,
}) => {
  const { id } = await practice.agent.send(smallIntake(practice));
  await arrive(page, practice.reviewer);
  await rowOf(page, id).getByRole("link").click();
  await page.locator("summary", { hasText: "Snooze" }).click();
  await page.getByRole("button", { name: "Snooze", exact: true }).click();
  await expect(page.getByText(/Snoozed until .* by /)).toBeVisible();
  const status = page.getByRole("status").filter({ hasText: "1 new" });
  // On a slow machine the page may be drawn after the snooze has ended, which is another case.
  await expect(async () => {
    const until = new Date(Date.now() + 4_000);
    await stack.operator.store.prisma.snooze.update({ where: { taskId: id }, data: { until } });
    await page.goto("/queue");
    await expect(page.getByText("Nothing to release")).toBeVisible({ timeout: 2_000 });
    await expect(status).toBeVisible({ timeout: 15_000 });
  }).toPass();
  await expect(rowOf(page, id)).toHaveCount(0);
  await page.getByRole("button", { name: "Show" }).click();
  await expect(rowOf(page, id)).toBeVisible();
});

test("the filters that do not fit on one line are in a menu at its end, and on a phone as well", async ({
  page,
  practice,
}) => {
  const { serviceReview } = fullIntake(practice);
  for (const id of ["60054", "87042", "12345"])
    await practice.agent.send({
      ...fullIntake(practice),
      serviceReview: { ...serviceReview, payer: { id }, serviceLevelCode: id === "60054" ? "03" : undefined },
    });
  await arrive(page, practice.reviewer);
  const more = page.locator("summary", { hasText: "More filters" });
  const line = chips(page);
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const tops = await line.getByRole("link").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    await more.click();
    await expect(page.getByRole("list", { name: "Narrow to: Payer" }).getByRole("link")).toHaveCount(3);
    await expectAccessible(page, `the menu of more filters at ${width} px`);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("list", { name: "Narrow to: Payer" })).toHaveCount(0);
  }
  await more.click();
  await page.getByRole("list", { name: "Narrow to: Payer" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/\?view=release&payer=/);
});

test("on a phone the places are one line, and the one at hand is in sight", async ({ page, practice, stack }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, await aPerson(stack, { roles: ["admin"], practices: [practice.id], name: "Noor Haddad" }));
  await page.goto("/people");
  const places = page.getByRole("navigation", { name: "Places" });
  await expect(places.getByRole("link", { name: "People" })).toBeInViewport({ ratio: 0.9 });
  const tops = await places.getByRole("link").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
});
