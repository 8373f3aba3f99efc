import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import {
  aPerson,
  expect,
  fullIntake,
  openCase,
  release,
  shortIdOf,
  signIn,
  signInByForm,
  smallIntake,
  test,
  type Practice,
} from "./fixtures/journey.ts";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

async function expectAccessible(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
  const list = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  expect(list, what).toEqual([]);
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`sign-in, queue, case and every dialog have no WCAG 2.2 AA violation in ${colorScheme}`, async ({
    page,
    practice,
  }) => {
    await page.emulateMedia({ colorScheme });
    await practice.agent.send(smallIntake(practice, "XX-1"), { note: "Six weeks of physiotherapy." });
    const sent = await practice.agent.send(fullIntake(practice));
    await page.goto("/sign-in");
    await expectAccessible(page, "sign-in");
    await signInByForm(page, practice.reviewer);
    await expect(page.getByRole("link", { name: shortIdOf(sent.id) })).toBeVisible();
    await expectAccessible(page, "queue");
    await openCase(page, sent.id);
    await expectAccessible(page, "case");
    for (const [key, name] of [
      ["?", "Keyboard shortcuts"],
      ["Control+k", "Go to or do"],
    ] as const) {
      await page.keyboard.press(key);
      await expect(page.getByRole("dialog", { name })).toBeVisible();
      await expectAccessible(page, name);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog", { name })).toBeHidden();
    }
    await release(page);
    await expect(page.getByRole("button", { name: "Recall" })).toBeVisible();
    await expectAccessible(page, "released case");
  });
}

test("at 320 pixels no page is cut off sideways, and the case has no violation", async ({
  page,
  practice,
  browserOf,
  stack,
}) => {
  const sent = await practice.agent.send(fullIntake(practice));
  await signIn(page, practice.reviewer);
  await expectFits(page, ["/not-found", "/queue", `/tasks/${sent.id}`]);
  await expectAccessible(page, "case at 320 pixels");
  const admin = await browserOf(await aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" }));
  await expectFits(admin, adminPaths(practice));
});

function adminPaths({ id, channel }: Practice): readonly string[] {
  return ["/channels", `/channels/${channel.id}`, "/practices", `/practices/${id}`];
}

async function expectFits(page: Page, paths: readonly string[]): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of paths) {
    await page.goto(path);
    const cutOff = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const all = [...document.querySelectorAll("body *")];
      return all
        .filter((one) => one.getBoundingClientRect().right > clientWidth)
        .map((one) => one.outerHTML.slice(0, 120));
    });
    expect(cutOff, path).toEqual([]);
  }
}
