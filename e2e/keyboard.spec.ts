import type { Page } from "@playwright/test";
import { arrive, expect, fullIntake, shortIdOf, type SignIn, standing, test } from "./fixtures/journey.ts";

const caseLink = (page: Page, taskId: string) => page.getByRole("link", { name: shortIdOf(taskId) });
/** What has the focus in the form that releases: its field, where a warning wants a reason, else its button. */
const inRelease = (page: Page) => page.locator('form[data-form="release"] :focus');
const heading = (page: Page, taskId: string) => page.locator("header", { hasText: `Case ${shortIdOf(taskId)}` });

/** Keys are heard from when the page's script has begun, which is when it says so. */
async function arriveToType(page: Page, who: SignIn): Promise<void> {
  await arrive(page, who);
  await expect(page.getByRole("status")).toHaveText("Up to date");
}

test("a reviewer opens, releases, goes on, declines and comes back without touching the mouse", async ({
  page,
  practice,
}) => {
  const [first, second, third] = [
    await practice.agent.send(fullIntake(practice)),
    await practice.agent.send(fullIntake(practice, { memberId: "HM4471030" })),
    await practice.agent.send(fullIntake(practice, { memberId: "HM4471031" })),
  ];
  await arriveToType(page, practice.reviewer);
  await expect(caseLink(page, third.id)).toBeVisible();

  await page.keyboard.press("j");
  await expect(caseLink(page, first.id)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(caseLink(page, second.id)).toBeFocused();
  await page.keyboard.press("k");
  await expect(caseLink(page, first.id)).toBeFocused();
  const box = page.getByRole("checkbox", { name: `Choose ${shortIdOf(first.id)}` });
  await page.keyboard.press("x");
  await expect(box).toBeChecked();
  await page.keyboard.press("x");
  await expect(box).not.toBeChecked();
  await page.keyboard.press("Enter");
  await expect(heading(page, first.id)).toBeVisible();

  await page.keyboard.press("c");
  await expect(page.getByText("You have claimed this.")).toBeVisible();
  for (const [key, form] of [
    ["n", "note"],
    ["a", "assign"],
  ]) {
    await page.keyboard.press(key ?? "");
    await expect(page.locator(`form[data-form="${form}"] :focus`)).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(page.locator(`form[data-form="${form}"] :focus`)).toHaveCount(0);
  }

  await page.keyboard.press("r");
  await expect(inRelease(page)).toHaveCount(1);
  if (await inRelease(page).evaluate((field) => field.tagName === "TEXTAREA"))
    await page.keyboard.type("Confirmed with the patient's chart.");
  await expect(standing(page)).toContainText("Nothing has left");
  await page.keyboard.press("Control+Enter");
  await expect(standing(page)).toContainText("Released by Dana Whitfield");
  await expect(standing(page)).toBeFocused();

  await page.keyboard.press("j");
  await expect(heading(page, second.id)).toBeVisible();
  await page.keyboard.press("d");
  await expect(page.getByLabel("Reason")).toBeFocused();
  await page.keyboard.type("Not indicated, read the guideline. k x r ?");
  await expect(heading(page, second.id)).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await expect(standing(page)).toContainText("Declined by Dana Whitfield");
  expect(await practice.agent.get(second.id)).toMatchObject({
    state: "declined",
    gate: { reason: "Not indicated, read the guideline. k x r ?" },
  });

  await page.keyboard.press("Escape");
  await page.waitForURL("**/queue");
  await expect(caseLink(page, third.id)).toBeFocused();
  await page.keyboard.press("d");
  await page.waitForURL(`**/tasks/${third.id}#decline`);
  await expect(page.getByLabel("Reason")).toBeFocused();
  expect(await practice.agent.get(third.id)).toMatchObject({ state: "transmit-held" });
});

test("single keys can be switched off for good, and what has a modifier goes on working", async ({
  page,
  practice,
}) => {
  const sent = await practice.agent.send(fullIntake(practice));
  await arriveToType(page, practice.reviewer);
  await caseLink(page, sent.id).focus();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help).toBeVisible();
  await help.getByRole("checkbox", { name: /Single characters/ }).uncheck();
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
  await expect(caseLink(page, sent.id)).toBeFocused();

  await page.keyboard.press("Enter");
  await expect(heading(page, sent.id)).toBeVisible();
  await page.reload();
  await page.keyboard.press("r");
  await page.keyboard.press("?");
  await expect(inRelease(page)).toHaveCount(0);
  await expect(help).toBeHidden();

  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to or do" });
  await expect(palette.getByRole("menuitem", { name: "Release" })).toBeVisible();
  await page.keyboard.type("rele");
  await expect(palette.getByRole("menuitem")).toHaveText(["Release", "Search for rele"]);
  await page.keyboard.press("Enter");
  await expect(palette).toBeHidden();
  await expect(inRelease(page)).toHaveCount(1);
  expect(await practice.agent.get(sent.id)).toMatchObject({ state: "transmit-held" });

  await page.keyboard.press("Control+k");
  await expect(palette).toBeVisible();
  await page.keyboard.type("character on");
  await page.keyboard.press("Enter");
  await expect(palette).toBeHidden();
  await expect(inRelease(page)).toHaveCount(1);
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("q");
  await page.waitForURL("**/queue");

  await page.keyboard.press("Control+k");
  await expect(palette).toBeVisible();
  await page.keyboard.type(shortIdOf(sent.id));
  await palette.getByRole("menuitem", { name: /^Search for/ }).waitFor();
  await page.keyboard.press("Enter");
  await expect(heading(page, sent.id).or(caseLink(page, sent.id)).first()).toBeVisible();
});
