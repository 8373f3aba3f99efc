import type { Page } from "@playwright/test";
import {
  expect,
  fullIntake,
  openCase,
  type Practice,
  signIn,
  standing,
  test,
  releaseButton,
  openTab,
  choose,
  decline,
} from "../fixtures/journey.ts";
import { expectAccessible } from "../fixtures/accessible.ts";

async function isSound(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, colorScheme);
  }
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  if (before) await page.setViewportSize(before);
}

/** A request with a quantity nobody asks for and a note of long ago. */
function strangeIntake(practice: Practice) {
  const intake = fullIntake(practice);
  const { serviceReview } = intake;
  const providerNotes = [{ message: "Six weeks of physiotherapy.", date: "2020-01-01" }];
  const procedures = serviceReview.procedures.map((line) => ({ ...line, quantity: 5_000 }));
  return { ...intake, serviceReview: { ...serviceReview, procedures, providerNotes } };
}

test("over warnings a reviewer says why, and the same request sent again can't be released", async ({
  page,
  practice,
}) => {
  const first = await practice.agent.send(strangeIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, first.id);
  const checks = page.getByRole("region", { name: "Checks" });
  await expect(checks).toContainText("A quantity of 5000 units is unusual.");
  await expect(checks).toContainText("The note of 01/01/2020 is more than 90 days old.");
  await isSound(page);
  await expect(checks.getByText("2 warnings", { exact: true })).toBeInViewport();

  // While the page stands open the agent sends the same again: a warning this page does not show.
  const second = await practice.agent.send(strangeIntake(practice));
  const why = checks.getByLabel(/^Override reason/);
  const release = releaseButton(page);
  await release.click();
  expect(await why.evaluate((field: HTMLTextAreaElement) => field.validity.valueMissing)).toBe(true);
  await why.fill("Confirmed by phone with Lee.");
  await release.click();
  await expect(page.getByRole("alert").filter({ hasText: "is waiting here a second time" })).toBeVisible();
  await expect(why).toHaveValue("Confirmed by phone with Lee.");
  await openTab(page, "Earlier cases");
  const others = page.getByRole("table", { name: /This case and the others/ });
  await expect(others.getByRole("link")).toHaveAttribute("href", `/tasks/${second.id}`);
  expect((await practice.agent.get(first.id)).gate?.status).toBe("open");

  await release.click();
  await expect(standing(page)).toContainText("Released by");
  const history = await openTab(page, "Details", "History");
  await expect(history).toContainText("Requested twice, ");
  await expect(history).toContainText("Confirmed by phone with Lee.");
  expect(JSON.stringify(await practice.agent.get(first.id))).not.toContain("Lee");

  const before = await practice.agent.get(second.id);
  await page.goto(`/tasks/${second.id}`);
  await expect(page.getByText("Can't be released yet")).toBeVisible();
  await expect(checks).toContainText("Decline this one as a duplicate, or undo or void the other.");
  // What blocks it leaves the question as what is offered first.
  await expect(page.getByRole("radio", { name: "Request information" })).toBeChecked();
  await choose(page, "Release");
  await expect(release).toHaveAttribute("aria-disabled", "true");
  await isSound(page);
  await decline(page, "Asked for already.");
  await expect(standing(page)).toContainText("Declined by");
  expect(before).toMatchObject({ state: "transmit-held", gate: { status: "open" } });
  expect(await practice.agent.get(second.id)).toMatchObject({
    state: "declined",
    gate: { reason: "Asked for already." },
  });
});
