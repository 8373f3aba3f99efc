import { aPdf } from "#test/support/agents/files";
import type { Page } from "@playwright/test";
import {
  aPerson,
  aPractice,
  arrive,
  expect,
  fullIntake,
  type Practice,
  signIn,
  test,
  untilState,
} from "../fixtures/journey.ts";

/** What a person did: a press of a key or a chord counts once, and so does a click. Words typed into a field are apart. */
type Effort = { readonly keys: number; readonly clicks: number; readonly fields: number };

/**
 * Most of each that a journey may take; docs/console.md has the same table. A journey that needs more has become worse
 * for whoever walks it every day.
 */
const most = {
  "most urgent case, keyboard": { keys: 4, clicks: 0, fields: 0 },
  "15 cases, keyboard": { keys: 32, clicks: 0, fields: 0 },
  "15 cases, staying on each, keyboard": { keys: 46, clicks: 0, fields: 0 },
  "request information on two fields, mouse": { keys: 0, clicks: 4, fields: 0 },
  "case with five documents, keyboard": { keys: 8, clicks: 0, fields: 0 },
  "manual submission to outcome, mouse": { keys: 0, clicks: 8, fields: 4 },
  "new practice to first case, mouse": { keys: 0, clicks: 12, fields: 5 },
} as const satisfies Readonly<Record<string, Effort>>;

/** Acts as a person does, and counts it. */
function counted(page: Page) {
  const effort = { keys: 0, clicks: 0, fields: 0 };
  return {
    effort,
    press: async (key: string) => {
      effort.keys += 1;
      await page.keyboard.press(key);
    },
    click: async (role: "button" | "link" | "radio" | "checkbox", name: string | RegExp) => {
      effort.clicks += 1;
      await page.getByRole(role, { name }).first().click();
    },
    /** Each choice in a list counts as a click. */
    choose: async (label: string, value: string) => {
      effort.clicks += 1;
      await page.getByLabel(label).selectOption(value);
    },
    type: async (label: string, text: string) => {
      effort.fields += 1;
      await page.getByLabel(label).first().fill(text);
    },
  };
}

const focused = (page: Page, form: string) =>
  expect(page.locator(`form[data-form="${form}"] :focus, [form="decision-${form}"]:focus`)).toHaveCount(1);
const caseId = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

async function queueOf(practice: Practice, page: Page, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1)
    ids.push((await practice.agent.send(fullIntake(practice, { memberId: `HM4472${100 + index}` }))).id);
  await arrive(page, practice.reviewer);
  await expect(page.getByRole("status")).toHaveText("Up to date");
  return ids;
}

test("the most urgent case, and fifteen in a row, take no more keys than they did", async ({ page, stack }) => {
  test.slow();
  const practice = await aPractice(stack, { opensNext: true, recallWindowS: 600 });
  await queueOf(practice, page, 15);
  const { effort, press } = counted(page);
  await press("j");
  await press("Enter");
  await page.waitForURL("**/tasks/*");
  for (let done = 1; done <= 15; done += 1) {
    const id = caseId(page);
    await press("r");
    await focused(page, "release");
    await press("Control+Enter");
    await page.waitForURL(({ pathname }) => !pathname.endsWith(id));
    if (done === 1) expect({ ...effort }).toEqual(most["most urgent case, keyboard"]);
  }
  expect(effort).toEqual(most["15 cases, keyboard"]);
  await expect(page.getByRole("heading", { level: 1, name: "Nothing left to decide" })).toBeVisible();
});

test("fifteen in a row by somebody who stays on each", async ({ page, stack }) => {
  test.slow();
  const practice = await aPractice(stack, { recallWindowS: 600 });
  await queueOf(practice, page, 15);
  const { effort, press } = counted(page);
  await press("j");
  await press("Enter");
  await page.waitForURL("**/tasks/*");
  for (let done = 1; done <= 15; done += 1) {
    const id = caseId(page);
    await press("r");
    await focused(page, "release");
    await press("Control+Enter");
    await expect(page.locator("#standing")).toContainText("Released by");
    if (done === 15) break;
    await press("j");
    await page.waitForURL(({ pathname }) => !pathname.endsWith(id));
  }
  expect(effort).toEqual(most["15 cases, staying on each, keyboard"]);
});

test("a question about two fields, and a case with five documents", async ({ page, stack }) => {
  const practice = await aPractice(stack, { opensNext: true, recallWindowS: 600 });
  const [first = ""] = await queueOf(practice, page, 1);
  await page.goto(`/tasks/${first}`);
  const mouse = counted(page);
  await mouse.click("radio", "Request information");
  await mouse.click("checkbox", "Member ID");
  await mouse.click("checkbox", "DOB");
  await mouse.click("button", "Request information");
  await page.waitForURL("**/tasks/next");
  expect(mouse.effort).toEqual(most["request information on two fields, mouse"]);

  const files = [1, 2, 3, 4, 5].map((number) => ({ bytes: aPdf(`Note ${number}`), name: `note-${number}.pdf` }));
  const { id } = await practice.agent.send(fullIntake(practice, { memberId: "HM4473001" }), { files });
  await page.goto("/queue");
  await expect(page.getByText("Up to date")).toBeVisible();
  const keys = counted(page);
  await keys.press("j");
  await keys.press("Enter");
  await page.waitForURL(`**/tasks/${id}`);
  for (let number = 2; number <= 5; number += 1) {
    await keys.press("]");
    await expect(page.getByRole("link", { name: `note-${number}.pdf` })).toHaveAttribute("aria-current", "true");
  }
  await keys.press("r");
  await focused(page, "release");
  await keys.press("Control+Enter");
  await page.waitForURL("**/tasks/next");
  expect(keys.effort).toEqual(most["case with five documents, keyboard"]);
});

test("a manual submission, from the released packet to the payer's decision", async ({ page, practice }) => {
  const { serviceReview, ...intake } = fullIntake(practice);
  const { id } = await practice.agent.send({ ...intake, serviceReview: { ...serviceReview, payer: { id: "60054" } } });
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${id}`);
  const { effort, click, choose, type } = counted(page);
  const why = page.getByLabel(/^Override reason/);
  if (await why.isVisible()) await why.fill("Confirmed with the patient's chart.");
  await click("button", /^Release /);
  await page.getByRole("button", { name: "Start manual submission" }).waitFor();
  await click("button", "Start manual submission");
  await page.getByRole("radio", { name: "Submitted" }).waitFor();
  await click("radio", "Submitted");
  await choose("How you submitted it", "fax");
  await click("button", "Mark as submitted");
  await untilState(practice.agent, id, "transmitted");
  await choose("Outcome", "approved");
  await type("Authorization number", "AUTH-1");
  await type("Valid from", "2026-12-01");
  await type("Valid to", "2027-02-01");
  await choose("How you learned it", "fax");
  await page.getByRole("textbox", { name: "Evidence" }).fill("Letter of today.");
  effort.fields += 1;
  await click("button", "Record determination");
  await untilState(practice.agent, id, "determined");
  expect(effort).toEqual(most["manual submission to outcome, mouse"]);
});

test("a new practice, as far as its first request", async ({ page, stack }) => {
  const admin = await aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" });
  await signIn(page, admin);
  await page.goto("/");
  const id = `oak-${Date.now().toString(36)}`;
  const { effort, click, choose, type } = counted(page);
  await click("link", /^Practices/);
  await click("link", "New practice");
  await page.waitForURL(/\/practices\/new/);
  await type("Name", "Oak Lane Clinic");
  await type("Practice ID", id);
  await click("button", "Create practice");
  await page.waitForURL(new RegExp(`/practices/${id}`));
  await click("link", "Add a payer connection");
  await page.waitForURL(/new-route/);
  await type("Payer ID", "60054");
  await type("Payer name", "Harbor Mutual");
  await choose("Environment", "test");
  const activate = page.getByRole("button", { name: "Activate connection" });
  for (let step = 0; step < 4 && !(await activate.isVisible()); step += 1) {
    const before = page.url();
    await page
      .getByRole("button", { name: "Continue" })
      .or(page.getByRole("link", { name: /^Continue/ }))
      .first()
      .click();
    effort.clicks += 1;
    await page.waitForURL((url) => url.href !== before);
  }
  await click("button", "Activate connection");
  await page.waitForURL((url) => !url.pathname.includes("new-route"));
  await click("link", /Oak Lane Clinic/);
  await click("link", /^Overview/);
  await click("link", "Create a channel");
  await page.waitForURL(/\/channels\/new/);
  await type("Name", "Night agent");
  await expect(page.locator(`[name="practices"][value="${id}"]`)).toBeChecked();
  await click("button", "Create channel");
  await expect(page.getByText(/curl/).first()).toBeVisible();
  expect(effort).toEqual(most["new practice to first case, mouse"]);
});
