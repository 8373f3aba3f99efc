import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { aPractice, expect, fullIntake, openCase, shortIdOf, signIn, test, type Practice } from "./fixtures/journey.ts";

/** A case with everything on it, for a payer that is reached by hand. */
function intakeByHand(practice: Practice) {
  const { serviceReview, ...intake } = fullIntake(practice);
  const providerNotes = [{ message: "Six weeks of physiotherapy.\n\nNo relief." }];
  return { ...intake, serviceReview: { ...serviceReview, payer: { id: "60054" }, providerNotes } };
}

async function releaseByHand(page: Page, practice: Practice) {
  const sent = await practice.agent.send(intakeByHand(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await page.getByRole("button", { name: "Release", exact: true }).click();
  return sent;
}

test("a released packet prints as one sheet that names the released digests, in light, dark and on paper", async ({
  page,
  practice,
}) => {
  const sent = await releaseByHand(page, practice);
  await page.getByRole("link", { name: "Open the packet to print" }).click();
  await expect(page).toHaveTitle(new RegExp(`^Packet ${shortIdOf(sent.id)}`));
  const sheet = page.getByRole("main");
  for (const said of ["TEST, NOT A REAL CASE", `${sent.id}-1-T`, "Okafor, Adaeze", "72148", "M54.16", "No relief."]) {
    await expect(sheet).toContainText(said);
  }
  const words = (await sheet.innerText()).replaceAll(/\s/g, "");
  for (const digest of [sent.gate?.digest, sent.gate?.documentDigests[0]]) expect(words).toContain(digest);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  }
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(page.getByRole("navigation")).toBeHidden();
  await expect(page.getByText(`Trace number ${sent.id}-1-T`)).toBeVisible();
});

test("there is no packet to print before the release, nor for anybody of another practice", async ({
  page,
  practice,
  browserOf,
  stack,
}) => {
  const sent = await practice.agent.send(intakeByHand(practice));
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${sent.id}/packet`);
  await page.waitForURL(`**/tasks/${sent.id}`);
  await page.getByRole("button", { name: "Release", exact: true }).click();
  await expect(page.getByRole("link", { name: "Open the packet to print" })).toBeVisible();
  const stranger = await browserOf((await aPractice(stack)).reviewer);
  const answer = await stranger.goto(`/tasks/${sent.id}/packet`);
  expect(answer?.status()).toBe(404);
});
