import type { Page } from "@playwright/test";
import { expectAccessibleEverywhere } from "../fixtures/accessible.ts";
import {
  aPerson,
  aPractice,
  arrive,
  caseLink,
  choose,
  decline,
  expect,
  fullIntake,
  type Practice,
  release,
  releaseButton,
  requestInformation,
  shortIdOf,
  signIn,
  standing,
  test,
} from "../fixtures/journey.ts";

const bar = (page: Page) => page.getByRole("complementary", { name: "Your last decision" });
const at = (page: Page, taskId: string) => page.waitForURL(({ pathname }) => pathname === `/tasks/${taskId}`);

/** Cases that are equal but for the member, in the order of the queue. */
async function cases(practice: Practice, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id } = await practice.agent.send(fullIntake(practice, { memberId: `HM44710${30 + index}` }));
    ids.push(id);
  }
  return ids;
}

test("home leads a reviewer to the first case to decide", async ({ page, stack }) => {
  const practice = await aPractice(stack);
  const [first = ""] = await cases(practice, 2);
  await signIn(page, practice.reviewer);
  await page.goto("/");
  await page.getByRole("link", { name: "Review next case" }).click();
  await at(page, first);
});

test("a decision opens the next case of the list in one answer, and can be undone from there, the queue and home", async ({
  page,
  stack,
}) => {
  const practice = await aPractice(stack, { recallWindowS: 120, opensNext: true });
  const [first = "", second = "", third = ""] = await cases(practice, 3);
  await arrive(page, practice.reviewer);
  await caseLink(page, first).click();
  await at(page, first);
  await expect(page.getByText("1 of 3", { exact: true })).toBeVisible();
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "fetch" && !/live|presence|session/.test(request.url()))
      requests.push(request.method());
  });
  await release(page);
  await at(page, second);
  await expect(page.getByText("1 of 2", { exact: true })).toBeVisible();
  expect(requests).toEqual(["POST"]);
  await expect(bar(page)).toContainText(`Released case ${shortIdOf(first)}`);
  await expect(bar(page).getByRole("timer")).toHaveAttribute("aria-live", "off");
  expect(await bar(page).textContent()).not.toContain("Okafor");
  expect(await page.title()).not.toContain("Okafor");
  // A colour on its way to another is neither.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expectAccessibleEverywhere(page, "undo bar on the next case");
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole("link", { name: "Queue", exact: true }).first().click();
  await page.waitForURL("**/queue");
  await expect(bar(page)).toContainText(shortIdOf(first));
  await page.goto("/");
  await expect(bar(page)).toContainText(shortIdOf(first));
  await page.keyboard.press("u");
  await at(page, first);
  await expect(standing(page)).toContainText("Released and undone by Dana Whitfield");
  await expect(bar(page)).toBeHidden();
  expect(await practice.agent.get(first)).toMatchObject({ state: "transmit-held" });
  expect(third).not.toBe("");
});

test("a decline, a question and the last decision lead on too, and nothing left says so", async ({ page, stack }) => {
  const practice = await aPractice(stack, { opensNext: true });
  const [first = "", second = ""] = await cases(practice, 2);
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${first}`);
  await decline(page, "Not indicated.");
  await at(page, second);
  await expect(bar(page)).toContainText(`Declined case ${shortIdOf(first)}`);
  await expect(bar(page).getByRole("button")).toHaveCount(0);
  await requestInformation(page, "Which side?");
  await page.waitForURL("**/tasks/next");
  await expect(page.getByRole("heading", { level: 1, name: "Nothing left to decide" })).toBeVisible();
  await page.getByRole("link", { name: "Back to the queue" }).click();
  await page.waitForURL("**/queue");
});

test("a next case that was decided or taken meanwhile is passed over", async ({ page, stack, browserOf }) => {
  const practice = await aPractice(stack, { opensNext: true });
  const colleague = await aPerson(stack, { roles: ["reviewer"], practices: [practice.id], name: "Sam Ortiz" });
  const [first = "", second = "", third = "", fourth = ""] = await cases(practice, 4);
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${first}`);
  await releaseButton(page).waitFor();
  const other = await browserOf(colleague);
  await other.goto(`/tasks/${second}`);
  await decline(other, "Duplicate of another request.");
  await expect(standing(other)).toContainText("Declined");
  await other.goto(`/tasks/${third}`);
  await expect(other.getByText("Status", { exact: true }).or(releaseButton(other))).toBeVisible();
  await other.getByRole("button", { name: "Assign to me" }).click();
  await expect(other.getByText("Assigned to you")).toBeVisible();
  await release(page);
  await at(page, fourth);
});

test("an impatient second press is not taken for a release of the case that came into its place", async ({
  page,
  stack,
}) => {
  const practice = await aPractice(stack, { opensNext: true });
  const [first = "", second = ""] = await cases(practice, 2);
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${first}`);
  const box = await releaseButton(page).boundingBox();
  if (!box) throw new Error("There is a button to press.");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.click(x, y, { clickCount: 1 });
  await at(page, second);
  await releaseButton(page).waitFor();
  await page.mouse.click(x, y, { clickCount: 1 });
  await expect(bar(page)).toContainText(shortIdOf(first));
  expect(await practice.agent.get(second)).toMatchObject({ state: "transmit-held" });
});

test("J and K walk what can be decided in the list the case was opened from", async ({ page, stack }) => {
  const practice = await aPractice(stack, { opensNext: true });
  const [first = "", second = "", third = ""] = await cases(practice, 3);
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${second}`);
  await choose(page, "Decline");
  await decline(page, "Not indicated.");
  await at(page, third);
  await page.goto("/queue?view=unassigned");
  await caseLink(page, first).click();
  await page.waitForURL(`**/tasks/${first}?list=view%3Dunassigned`);
  await expect(page.getByText("1 of 2", { exact: true })).toBeVisible();
  await page.keyboard.press("j");
  await page.waitForURL(`**/tasks/${third}?list=view%3Dunassigned`);
  await expect(page.getByText("2 of 2", { exact: true })).toBeVisible();
  await page.keyboard.press("k");
  await page.waitForURL(`**/tasks/${first}?list=view%3Dunassigned`);
  await page.keyboard.press("Escape");
  await page.waitForURL("**/queue?view=unassigned");
});

test("whoever wants to stay on a case stays, and sees the undo there alone", async ({ page, stack }) => {
  const practice = await aPractice(stack, { recallWindowS: 120, opensNext: true });
  const [first = ""] = await cases(practice, 2);
  await signIn(page, practice.reviewer);
  await page.goto("/account");
  await page.getByLabel("Open the next case after a decision").uncheck();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.waitForURL("**/account?done=next");
  await page.goto(`/tasks/${first}`);
  await release(page);
  await expect(standing(page)).toContainText("Released by Dana Whitfield");
  await expect(bar(page)).toBeHidden();
  await expect(page.getByRole("button", { name: /^Undo/ })).toHaveCount(1);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the next case opens, and the bar on it takes the release back", async ({ page, stack }) => {
    const practice = await aPractice(stack, { recallWindowS: 120, opensNext: true });
    const [first = "", second = ""] = await cases(practice, 2);
    await signIn(page, practice.reviewer);
    await page.goto(`/tasks/${first}`);
    await release(page);
    await at(page, second);
    await page.goto("/");
    await expect(bar(page)).toContainText(`Released case ${shortIdOf(first)}`);
    await bar(page).getByRole("button", { name: /^Undo/ }).click();
    await at(page, first);
    expect(await practice.agent.get(first)).toMatchObject({ state: "transmit-held" });
  });
});
