import { decline, expect, fullIntake, signIn, standing, test } from "../fixtures/journey.ts";

test("a case on paper says who, what and what was decided, and has no navigation and nothing to press", async ({
  page,
  practice,
}) => {
  const { id } = await practice.agent.send(fullIntake(practice));
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${id}`);
  await decline(page, "Not indicated.");
  await expect(standing(page)).toContainText("Declined");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1, name: "Adaeze Okafor" })).toBeVisible();
  await expect(page.getByText("Member ID HM4471029")).toBeVisible();
  await expect(page.getByRole("region", { name: "Request", exact: true })).toContainText("72148");
  await expect(standing(page)).toContainText("Declined by Dana Whitfield");
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("Declined");
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("banner")).toHaveCount(0);
  await expect(page.getByRole("tab")).toHaveCount(0);
  await expect(page.locator("#decision").getByRole("button")).toHaveCount(0);
});

test("a case that waits is on paper without its forms", async ({ page, practice }) => {
  const { id } = await practice.agent.send(fullIntake(practice));
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${id}`);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1, name: "Adaeze Okafor" })).toBeVisible();
  await expect(page.getByRole("radio", { name: "Release" })).toBeHidden();
  await expect(page.getByRole("link", { name: "Edit request" })).toBeHidden();
});

test("a report on paper says of which practice and days it is, and has no navigation", async ({ page, practice }) => {
  await signIn(page, practice.reviewer);
  await page.goto("/reports/reviews");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText(practice.name).filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("combobox")).toHaveCount(0);
});
