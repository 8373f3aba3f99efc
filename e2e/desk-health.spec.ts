import { readFileSync } from "node:fs";
import { expect, fullIntake, openCase, signIn, test } from "./fixtures/journey.ts";
import { expectAccessible } from "./fixtures/accessible.ts";

test("the health page counts what was decided, shows it in light, dark and narrow, and saves each table", async ({
  page,
  practice,
}) => {
  const [first] = [await practice.agent.send(fullIntake(practice)), await practice.agent.send(fullIntake(practice))];
  await signIn(page, practice.reviewer);
  await openCase(page, first.id);
  await page.getByLabel("Reason", { exact: true }).fill("Not indicated.");
  await page.getByRole("button", { name: "Decline" }).click();
  await expect(page.getByText("Declined by Dana Whitfield").first()).toBeVisible();

  await page.getByRole("link", { name: "Health" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Health" })).toBeVisible();
  await expect(page).toHaveTitle(/^Health · /);
  const waiting = page.getByRole("region", { name: "Waiting now", exact: true });
  await expect(
    waiting
      .getByRole("row", { name: new RegExp(practice.name) })
      .getByRole("cell")
      .nth(1),
  ).toHaveText(/1$/);
  const reviewers = page.getByRole("region", { name: "Reviewers" });
  await expect(reviewers.getByRole("row", { name: /Dana Whitfield/ })).toBeVisible();
  await expect(reviewers.getByRole("img", { name: /Bar chart/ })).toBeVisible();

  const saving = page.waitForEvent("download");
  await reviewers.getByRole("link", { name: "Reviewers as CSV" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe("reviewers-30-days.csv");
  expect(readFileSync(await saved.path(), "utf8")).toMatch(/^\uFEFF"Reviewer",.*\r\n"Dana Whitfield",0,0,1,0,/);

  await page.getByRole("link", { name: "7 days" }).click();
  await expect(page).toHaveURL(/days=7/);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, colorScheme);
  }
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
