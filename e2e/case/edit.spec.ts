import type { Page } from "@playwright/test";
import { expectAccessibleEverywhere } from "../fixtures/accessible.ts";
import {
  aPerson,
  arrive,
  expect,
  fullIntake,
  release,
  releaseButton,
  signIn,
  standing,
  test,
} from "../fixtures/journey.ts";

const request = (page: Page) => page.getByRole("region", { name: /^(Edit request|Request)$/ });
const save = (page: Page) => page.getByRole("button", { name: "Save as new revision" });
const of = (page: Page, group: string) => page.getByRole("group", { name: group });

test("a reviewer corrects what was typed wrong where it stands, and what is shown then is what is released", async ({
  page,
  practice,
}) => {
  const { id, gate } = await practice.agent.send(fullIntake(practice));
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${id}`);
  await releaseButton(page).waitFor();
  // Keys are heard from when the page's script has begun.
  await expect(async () => {
    const heading = page.getByRole("heading", { name: "Edit request" });
    // Once it is open, the key would be typed into its first field.
    if (!(await heading.isVisible())) await page.keyboard.press("e");
    await expect(heading).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(releaseButton(page)).toHaveCount(0);
  await expectAccessibleEverywhere(page, "edit");
  await of(page, "Service 1").getByLabel("Modifier 1").fill("lt");
  await of(page, "Requesting provider").getByLabel("NPI").fill("1234567890");
  await save(page).click();
  await expect(of(page, "Requesting provider").getByLabel("NPI")).toBeFocused();
  await expect(of(page, "Requesting provider")).toContainText("NPI must be a 10-digit NPI with a valid check digit.");
  await expect(of(page, "Service 1").getByLabel("Modifier 1")).toHaveValue("lt");
  await of(page, "Requesting provider").getByLabel("NPI").fill("1234567893");
  await save(page).click();
  await page.waitForURL(`**/tasks/${id}`);
  await expect(request(page)).toContainText("Revision 2, edited by Dana Whitfield");
  await expect(request(page).locator("ins", { hasText: "LT" }).first()).toBeVisible();
  const edited = await practice.agent.get(id);
  expect(edited).toMatchObject({
    revision: { number: 2, editedBy: "reviewer", edited: ["/procedures/0/modifierCode1"] },
  });
  expect(edited.gate?.digest).not.toBe(gate?.digest);
  await release(page);
  await expect(standing(page)).toContainText("Released by Dana Whitfield");
  expect((await practice.agent.get(id)).gate?.digest).toBe(edited.gate?.digest);
});

test("whoever still looks at the request from before cannot release it, and is shown what changed", async ({
  page,
  practice,
  stack,
  browserOf,
}) => {
  const { id } = await practice.agent.send(fullIntake(practice));
  const lee = await aPerson(stack, { roles: ["reviewer"], practices: [practice.id], name: "Lee Park" });
  const other = await browserOf(lee);
  await other.goto(`/tasks/${id}`);
  await releaseButton(other).waitFor();
  await arrive(page, practice.reviewer);
  await page.goto(`/tasks/${id}?edit=1`);
  await of(page, "Whole request").getByLabel("Place of service").fill("11");
  await save(page).click();
  await page.waitForURL(`**/tasks/${id}`);
  await release(other);
  await expect(other.getByRole("alert").filter({ hasText: "A reviewer corrected the request" })).toBeVisible();
  expect(await practice.agent.get(id)).toMatchObject({ state: "transmit-held" });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a correction is a plain form too", async ({ page, practice }) => {
    const { id } = await practice.agent.send(fullIntake(practice));
    await signIn(page, practice.reviewer);
    await page.goto(`/tasks/${id}`);
    await page.getByRole("link", { name: "Edit request" }).click();
    await of(page, "Whole request").getByLabel("Place of service").fill("11");
    await save(page).click();
    await expect(request(page)).toContainText("Revision 2, edited by Dana Whitfield");
  });
});
