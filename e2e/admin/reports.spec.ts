import { readFileSync } from "node:fs";
import { expect, fullIntake, openCase, signIn, test, decline } from "../fixtures/journey.ts";
import { expectAccessible } from "../fixtures/accessible.ts";

test("a report counts what was decided, in light, dark and narrow, keeps its choices and saves its table", async ({
  page,
  practice,
}) => {
  const [first] = [await practice.agent.send(fullIntake(practice)), await practice.agent.send(fullIntake(practice))];
  await signIn(page, practice.reviewer);
  await openCase(page, first.id);
  await decline(page, "Not indicated.");
  await expect(page.getByText("Declined by Dana Whitfield").first()).toBeVisible();

  await page.getByRole("link", { name: "Reports", exact: true }).click();
  await expect(page).toHaveTitle(/^Overview report · /);
  // The worker adds up what happened within seconds.
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("definition").filter({ hasText: /^2$/ })).toHaveCount(1, { timeout: 500 });
  }).toPass();
  await page.getByRole("link", { name: "Reviewers" }).click();
  await expect(page.getByRole("row", { name: /Dana Whitfield/ })).toBeVisible();
  await expect(page.getByRole("img", { name: /Bar chart/ })).toBeVisible();

  await page.getByRole("link", { name: "7 days" }).click();
  await expect(page).toHaveURL(/days=7/);
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download CSV" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^reviewers-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
  expect(readFileSync(await saved.path(), "utf8")).toMatch(/^\uFEFF"Reviewer",.*\r\n"Dana Whitfield",0,1,0,/);

  for (const name of ["Reasons", "Payer measures"]) {
    await page.getByRole("link", { name }).click();
    await expect(page.getByRole("link", { name, exact: true })).toHaveAttribute("aria-current", "page");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `${name}, ${colorScheme}`);
    }
  }
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
