import type { Page } from "@playwright/test";
import { expectAccessible } from "../fixtures/accessible.ts";
import {
  aPerson,
  aPractice,
  expect,
  fullIntake,
  openCase,
  shortIdOf,
  signIn,
  smallIntake,
  test,
  loseNextAnswer,
  openTab,
  caseLink,
  decline,
} from "../fixtures/journey.ts";

const note = "Harbor Mutual wants the MRI of October.";
const pdf = Buffer.from("%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n");

/** A whole request for a member of its own, so that nothing warns of it. */
function cleanIntake(practice: Parameters<typeof fullIntake>[0], memberId: string) {
  return [fullIntake(practice, { memberId }), { files: [{ bytes: pdf, name: "mri.pdf" }] }] as const;
}

test("two reviewers see each other at work, hand a case over, and leave each other a note", async ({
  practice,
  stack,
  browserOf,
}) => {
  const sent = await practice.agent.send(smallIntake(practice));
  const who = { practices: [practice.id], name: "Priya Raman" };
  const priya = await browserOf(await aPerson(stack, { roles: ["reviewer"], ...who }));
  const dana = await browserOf(practice.reviewer);
  await openCase(priya, sent.id);
  await openCase(dana, sent.id);
  await expect(dana.getByText("Priya Raman is viewing this request.")).toBeVisible();
  await expect(priya.getByText("Dana Whitfield is viewing this request.")).toBeVisible();

  await openTab(priya, "Notes");
  await priya.getByLabel("New note").fill(note);
  await priya.getByRole("button", { name: "Assign to me" }).click();
  await priya.locator("summary", { hasText: "Assigned to you" }).click();
  await priya.getByLabel("Assign to").selectOption({ label: "Dana Whitfield" });
  await priya.getByRole("button", { name: "Assign", exact: true }).click();
  await expect(priya.locator("summary", { hasText: "Dana Whitfield" })).toBeVisible();
  await expect(priya.getByLabel("New note")).toHaveValue(note);
  await loseNextAnswer(priya);
  await priya.getByRole("button", { name: "Add note" }).click();
  await expect(priya.getByRole("alert").filter({ hasText: "No answer came" })).toBeFocused();
  await expect(priya.getByLabel("New note")).toHaveValue(note);
  await priya.getByRole("button", { name: "Add note" }).click();
  await expect(priya.locator("#notes")).toContainText(`Priya Raman`);
  await expect(priya.getByLabel("New note")).toHaveValue("");

  await dana.goto("/queue");
  const row = dana.getByRole("row").filter({ hasText: shortIdOf(sent.id) });
  await expect(row).toContainText("Priya Raman is viewing");
  await expect(row).toContainText("1 note");
  await caseLink(dana, sent.id).click();
  await openTab(dana, "Notes");
  await expect(dana.locator("#notes")).toContainText(note);
  await expect(dana.locator("summary", { hasText: "Assigned to you" })).toBeVisible();
  await decline(dana, "Sent twice.");
  await expect.poll(async () => (await practice.agent.get(sent.id)).state).toBe("declined");
  expect(JSON.stringify(await practice.agent.get(sent.id))).not.toContain("MRI");
});

async function chooseRows(page: Page, taskIds: readonly string[], act: string) {
  await page.goto("/queue");
  for (const id of taskIds) await page.getByLabel(`Choose ${shortIdOf(id)}`).check();
  await page.getByRole("button", { name: act, exact: true }).click();
  await expect(page).toHaveURL(/\/queue\/bulk/);
}

test("several cases are declined at once, and only those opened are released together", async ({ practice, page }) => {
  const sent = [];
  for (const code of ["72148", "72149", "72158"]) sent.push(await practice.agent.send(smallIntake(practice, code)));
  const [opened, unopened] = [
    await practice.agent.send(...cleanIntake(practice, "HM4471029")),
    await practice.agent.send(...cleanIntake(practice, "HM4471030")),
  ];
  await signIn(page, practice.reviewer);
  const declined = sent.map(({ id }) => id);
  await chooseRows(page, declined, "Decline");
  for (const name of ["Due", "Checks"]) await expect(page.getByRole("columnheader", { name })).toBeVisible();
  await page.getByLabel("Decline reason for all of them").selectOption("duplicate");
  await loseNextAnswer(page);
  await page.getByRole("button", { name: "Decline 3 cases" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "of each case it counts once" })).toBeFocused();
  await page.getByRole("button", { name: "Decline 3 cases" }).click();
  await expect(page.getByRole("heading", { name: "3 of 3 went through" })).toBeVisible();
  await expectAccessible(page, "what became of several cases");
  for (const id of declined) expect((await practice.agent.get(id)).state).toBe("declined");

  await page.goto("/queue");
  await page.getByLabel(`Choose ${shortIdOf(unopened.id)}`).check();
  await expect(page.getByText("Open a request before you release it with others.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Release", exact: true })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Decline", exact: true })).toBeEnabled();
  await openCase(page, opened.id);
  await chooseRows(page, [opened.id, unopened.id], "Release");
  await expect(page.getByRole("row").filter({ hasText: shortIdOf(unopened.id) })).toContainText(
    "have not opened its current version",
  );
  await page.getByRole("button", { name: "Release 1 case" }).click();
  await expect(page.getByRole("heading", { name: "1 of 1 went through" })).toBeVisible();
  expect((await practice.agent.get(opened.id)).state).toMatch(/^transmit-released$|^transmitting$|^determined$/);
  expect((await practice.agent.get(unopened.id)).state).toBe("transmit-held");
});

test("several cases released together are taken back together from the bar that follows them", async ({
  stack,
  page,
}) => {
  const practice = await aPractice(stack, { recallWindowS: 600 });
  const sent = [
    await practice.agent.send(...cleanIntake(practice, "HM4471031")),
    await practice.agent.send(...cleanIntake(practice, "HM4471032")),
  ];
  await signIn(page, practice.reviewer);
  const ids = sent.map(({ id }) => id);
  for (const id of ids) await openCase(page, id);
  await chooseRows(page, ids, "Release");
  await expect(page.getByText("You can undo for 600 seconds.")).toBeVisible();
  await page.getByRole("button", { name: "Release 2 cases" }).click();
  await expect(page.getByRole("heading", { name: "2 of 2 went through" })).toBeVisible();
  const bar = page.getByRole("complementary", { name: "Your last decisions" });
  await expect(bar).toContainText("Released 2 cases");
  await expectAccessible(page, "the bar after several releases");
  await page.getByRole("link", { name: "Back to the queue" }).click();
  await bar.getByRole("button", { name: /^Undo/ }).click();
  await expect(bar).toHaveCount(0);
  for (const id of ids) {
    await expect(page.getByLabel(`Choose ${shortIdOf(id)}`)).toBeVisible();
    expect((await practice.agent.get(id)).state).toBe("transmit-held");
  }
});

test("without JavaScript rows are chosen and several cases declined all the same", async ({ practice, browser }) => {
  const sent = [
    await practice.agent.send(smallIntake(practice)),
    await practice.agent.send(smallIntake(practice, "72149")),
  ];
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await signIn(page, practice.reviewer);
  await chooseRows(
    page,
    sent.map(({ id }) => id),
    "Decline",
  );
  await page.getByLabel("Reason", { exact: true }).fill("Sent twice.");
  await page.getByRole("button", { name: "Decline 2 cases" }).click();
  await expect(page.getByRole("heading", { name: "2 of 2 went through" })).toBeVisible();
  for (const { id } of sent) expect((await practice.agent.get(id)).gate?.reason).toBe("Sent twice.");
  await context.close();
});
