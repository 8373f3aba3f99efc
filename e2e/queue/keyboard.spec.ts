import type { Page } from "@playwright/test";
import {
  arrive,
  arriveWithScript,
  expect,
  fullIntake,
  shortIdOf,
  standing,
  test,
  caseLink,
  declineReason,
} from "../fixtures/journey.ts";

/** What has the focus in the form that releases: its field, where a warning wants a reason, else its button. */
const inRelease = (page: Page) => page.locator('form[data-form="release"] :focus, [form="decision-release"]:focus');
const inForm = (page: Page, form: string) => page.locator(`form[data-form="${form}"] :focus`);
/** What a case's own page is called by; a row of the queue has it too and no way back, and so have the case's details. */
const heading = (page: Page, taskId: string) =>
  page.locator("#main:has([data-back])").getByText(shortIdOf(taskId), { exact: true }).and(page.locator("span"));

test("a reviewer opens, releases, goes on, declines and comes back without touching the mouse", async ({
  page,
  practice,
}) => {
  const [first, second, third] = [
    await practice.agent.send(fullIntake(practice)),
    await practice.agent.send(fullIntake(practice, { memberId: "HM4471030" })),
    await practice.agent.send(fullIntake(practice, { memberId: "HM4471031" })),
  ];
  await arriveWithScript(page, practice.reviewer);
  await expect(caseLink(page, third.id)).toBeVisible();

  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type(shortIdOf(second.id));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(caseLink(page, second.id)).toBeFocused();
  await page.keyboard.press("g");
  await page.keyboard.press("q");
  await expect(page.getByRole("row")).toHaveCount(4);
  await page.keyboard.press("k");
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
  await expect(page.getByText("Assigned to you")).toBeVisible();
  await page.keyboard.press("5");
  await expect(page.getByRole("tabpanel", { name: "Digests" })).toContainText(first.revision.digest.slice(0, 8));
  await page.keyboard.press("i");
  await expect(page.getByLabel("Question to the agent")).toBeFocused();
  // At a box of the form, letters are the beginning of a sentence.
  const field = page.locator("form[data-form=request-information]").getByRole("checkbox").first();
  await field.focus();
  await page.keyboard.type("acne");
  await expect(field).toBeFocused();
  await expect(page.locator("form[data-form=assign]")).toBeHidden();
  await expect(page.getByRole("heading", { name: "Edit request" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  for (const [key, form] of [
    ["n", "note"],
    ["i", "request-information"],
    ["a", "assign"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(inForm(page, form)).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(inForm(page, form)).toHaveCount(0);
  }
  await expect(page.locator("form[data-form=assign]")).toBeHidden();

  await page.keyboard.press("r");
  await expect(inRelease(page)).toHaveCount(1);
  if (await inRelease(page).evaluate((field) => field.tagName === "TEXTAREA"))
    await page.keyboard.type("Confirmed with the patient's chart.");
  await expect(standing(page)).toContainText("Not submitted");
  await page.keyboard.press("Control+Enter");
  await expect(standing(page)).toContainText("Released by Dana Whitfield");
  await expect(standing(page)).toBeFocused();
  await page.keyboard.press("u");
  await expect(standing(page)).toContainText("Released and undone by Dana Whitfield");
  expect(await practice.agent.get(first.id)).toMatchObject({ state: "transmit-held" });

  await page.keyboard.press("j");
  await expect(heading(page, second.id)).toBeVisible();
  await page.keyboard.press("d");
  await expect(page.getByLabel("Decline reason")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(declineReason(page)).toBeFocused();
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
  await expect(page.getByLabel("Decline reason")).toBeFocused();
  expect(await practice.agent.get(third.id)).toMatchObject({ state: "transmit-held" });
});

test("Ctrl and Enter releases from the override reason, and Escape leaves it, though it stands outside its form", async ({
  page,
  practice,
}) => {
  const { serviceReview, ...intake } = fullIntake(practice);
  const procedures = serviceReview.procedures.map((line) => ({ ...line, quantity: 5_000 }));
  const sent = await practice.agent.send({ ...intake, serviceReview: { ...serviceReview, procedures } });
  await arriveWithScript(page, practice.reviewer);
  await page.goto(`/tasks/${sent.id}`);
  await expect(page.locator("html[data-keys]")).toBeVisible();
  await page.keyboard.press("r");
  const why = page.getByLabel("Override reason");
  await expect(why).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(why).not.toBeFocused();
  await expect(heading(page, sent.id)).toBeVisible();
  await page.keyboard.press("r");
  await page.keyboard.type("Confirmed with the patient's chart.");
  await page.keyboard.press("Control+Enter");
  await expect(standing(page)).toContainText("Released by Dana Whitfield");
});

test("rows are chosen, let go and handed to somebody together without touching the mouse", async ({
  page,
  practice,
}) => {
  const sent = [
    await practice.agent.send(fullIntake(practice)),
    await practice.agent.send(fullIntake(practice, { memberId: "HM4471030" })),
  ] as const;
  await arriveWithScript(page, practice.reviewer);
  await page.keyboard.press("j");
  await expect(caseLink(page, sent[0].id)).toBeFocused();
  await page.keyboard.press("n");
  await page.waitForURL(`**/tasks/${sent[0].id}#note`);
  await expect(inForm(page, "note")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(caseLink(page, sent[0].id)).toBeFocused();

  await page.keyboard.press("Shift+ArrowDown");
  await expect(page.getByText("2 chosen")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("2 chosen")).toBeHidden();
  await page
    .getByRole("checkbox", { name: /^Choose / })
    .first()
    .check();
  await page.keyboard.press("Escape");
  await expect(page.getByText("1 chosen")).toBeHidden();
  await caseLink(page, sent[1].id).focus();
  await page.keyboard.press("Shift+ArrowUp");
  await expect(page.getByText("2 chosen")).toBeVisible();
  await page.keyboard.press("a");
  await page.waitForURL(/\/queue\/bulk\?.*act=assign/);
  await expect(page.getByRole("heading", { level: 1, name: "Assign 2 cases" })).toBeVisible();
  await expect(async () => {
    await page.keyboard.press("a");
    await expect(inForm(page, "assign")).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { name: "2 of 2 went through" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.waitForURL("**/queue");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Go to or do" })).toBeVisible();
  await page.keyboard.type("mine");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/queue?view=mine");
  for (const { id } of sent) await expect(caseLink(page, id)).toBeVisible();
});

test("single keys can be switched off for good, and what has a modifier goes on working", async ({
  page,
  practice,
}) => {
  const sent = await practice.agent.send(fullIntake(practice));
  await arriveWithScript(page, practice.reviewer);
  await caseLink(page, sent.id).focus();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Help" });
  await expect(help).toBeVisible();
  await help.getByRole("checkbox", { name: /Single-key shortcuts/ }).uncheck();
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
  await expect(palette.getByRole("menuitem")).toHaveText([/^Release to Harbor Mutual/, "Search for rele"]);
  await page.keyboard.press("Enter");
  await expect(palette).toBeHidden();
  await expect(inRelease(page)).toHaveCount(1);
  expect(await practice.agent.get(sent.id)).toMatchObject({ state: "transmit-held" });

  await page.keyboard.press("Control+k");
  await expect(palette).toBeVisible();
  await page.keyboard.type("single-key on");
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

test("the help page tells of the pages that the reader has, to a reviewer of no admin's", async ({
  page,
  practice,
}) => {
  await arrive(page, practice.reviewer);
  await page.goto("/help");
  await expect(page.locator("section#queue")).toBeVisible();
  for (const topic of ["channels", "practices", "people", "audit"])
    await expect(page.locator(`section#${topic}`)).toHaveCount(0);
});
