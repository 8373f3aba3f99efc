import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, fullIntake, openCase, release, shortIdOf, signIn, smallIntake, test } from "./fixtures/journey.ts";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

async function violationsOn(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`sign-in, queue and case have no WCAG 2.2 AA violation in ${colorScheme}`, async ({ page, practice }) => {
    await page.emulateMedia({ colorScheme });
    await practice.agent.send(smallIntake(practice, "XX-1"), { note: "Six weeks of physiotherapy." });
    const sent = await practice.agent.send(fullIntake(practice));
    await page.goto("/sign-in");
    expect(await violationsOn(page)).toEqual([]);
    await signIn(page, practice.reviewer);
    await expect(page.getByRole("link", { name: shortIdOf(sent.id) })).toBeVisible();
    expect(await violationsOn(page)).toEqual([]);
    await openCase(page, sent.id);
    expect(await violationsOn(page)).toEqual([]);
    await release(page);
    await expect(page.getByRole("button", { name: "Recall" })).toBeVisible();
    expect(await violationsOn(page)).toEqual([]);
  });
}

test("at 320 pixels nothing is cut off sideways", async ({ page, practice }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const sent = await practice.agent.send(fullIntake(practice));
  await signIn(page, practice.reviewer);
  for (const path of ["/queue", `/tasks/${sent.id}`]) {
    await page.goto(path);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
});
