import type { Page } from "@playwright/test";
import {
  aPerson,
  expect,
  fullIntake,
  openCase,
  release,
  signIn,
  signInByForm,
  smallIntake,
  test,
  untilState,
  type Practice,
  caseLink,
} from "../fixtures/journey.ts";
import { payerId } from "../fixtures/practice.ts";
import { expectAccessible, expectAccessibleInBoth } from "../fixtures/accessible.ts";

test("sign-in, queue, case and every dialog have no WCAG 2.2 AA violation in light and in dark", async ({
  page,
  practice,
}) => {
  const small = await practice.agent.send(smallIntake(practice, "XX-1"), { note: "Six weeks of physiotherapy." });
  const sent = await practice.agent.send(fullIntake(practice));
  await page.goto("/sign-in");
  await expectAccessibleInBoth(page, "sign-in");
  await signInByForm(page, practice.reviewer);
  await expect(caseLink(page, sent.id)).toBeVisible();
  await page.getByText("Filter and sort").click();
  await expectAccessibleInBoth(page, "queue");
  for (const path of ["/account", "/reports/overview", bulkPath([small, sent])]) {
    await page.goto(path);
    await expectAccessibleInBoth(page, path.slice(0, 16));
  }
  await openCase(page, sent.id);
  await expectAccessibleInBoth(page, "case");
  for (const [key, name] of [
    ["?", "Help"],
    ["Control+k", "Go to or do"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole("dialog", { name })).toBeVisible();
    await expectAccessibleInBoth(page, name);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog", { name })).toBeHidden();
  }
  await release(page);
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await expectAccessibleInBoth(page, "released case");
  await page.goto(`/tasks/${sent.id}/print`);
  await expectAccessibleInBoth(page, "print page");
});

test("what a case is about is read aloud in words that do not run into each other", async ({ page, practice }) => {
  const sent = await practice.agent.send(fullIntake(practice));
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${sent.id}`);
  const facts = page.getByRole("paragraph").filter({ hasText: "Member ID" });
  expect(await facts.ariaSnapshot()).toMatch(/Female, \d+ years DOB 04\/02\/1979 Member ID HM4471029$/);
});

test.describe("under a thumb", () => {
  test.use({ hasTouch: true });

  test("at 320 pixels no page is cut off sideways, and no case, channel, person, route or record has a violation", async ({
    page,
    practice,
    browserOf,
    stack,
  }) => {
    const sent = await practice.agent.send(fullIntake(practice));
    await signIn(page, practice.reviewer);
    const print = `/tasks/${sent.id}/print`;
    await expectFits(page, ["/not-found", "/queue", "/account", "/reports/overview", bulkPath([sent]), print]);
    await page.goto("/not-found");
    await expectAccessible(page, "a page that is not there, at 320 pixels");
    await expectFits(page, [`/tasks/${sent.id}`]);
    expect(await page.evaluate(() => matchMedia("(pointer: coarse)").matches)).toBe(true);
    await page.locator("summary", { hasText: "Account" }).click();
    expect(await beyondEdge(page), "the menu of the account").toEqual([]);
    await page.mouse.click(8, 500);
    await expect(page.getByRole("button", { name: "Sign out" })).toBeHidden();
    await expectAccessible(page, "case at 320 pixels");
    for (const key of ["?", "Control+k"]) {
      await page.keyboard.press(key);
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectAccessible(page, `${key} at 320 pixels`);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    }
    const admin = await browserOf(await aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" }));
    await expectFits(admin, adminPaths(practice));
    const { id, channel } = practice;
    const routes = [`/practices/${id}/route?payer=${payerId}`, `/practices/${id}/new-route`];
    for (const path of [`/channels/${channel.id}`, ...routes, "/audit", "/people"]) {
      await admin.goto(path);
      await expectAccessible(admin, `${path} at 320 pixels`);
    }
    await admin.getByRole("row").filter({ hasText: practice.reviewer.email }).getByRole("link").click();
    await admin.waitForURL("**/people/*");
    await expectAccessible(admin, "person at 320 pixels");
    await expectFits(admin, [new URL(admin.url()).pathname, "/people", "/people/groups"]);
  });
});

test("at 320 pixels a badge of many words wraps, and the case that has it is not cut off sideways", async ({
  page,
  practice,
  stack,
}) => {
  const { serviceReview, ...intake } = fullIntake(practice, { memberId: "HM4471029-MOD" });
  const procedures = [{ code: "97110", quantity: 8, quantityTypeCode: "VS" }];
  const sent = await practice.agent.send({ ...intake, serviceReview: { ...serviceReview, procedures } });
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${sent.id}`);
  await release(page);
  await untilState(practice.agent, sent.id, "determined", { hurry: stack });
  await expectFits(page, [`/tasks/${sent.id}`]);
  await expect(page.locator(".badge", { hasText: "Approved with changes" }).last()).toBeVisible();
});

const bulkPath = (cases: readonly { readonly id: string }[]) =>
  `/queue/bulk?act=decline&${cases.map(({ id }) => `case=${id}`).join("&")}`;

function adminPaths({ id, channel }: Practice): readonly string[] {
  const routes = [`/practices/${id}/new-route`, `/practices/${id}/route?payer=${payerId}`];
  const channels = ["", "/keys", "/access", "/webhooks", "/activity", "/history"].map(
    (tab) => `/channels/${channel.id}${tab}`,
  );
  const tabs = ["", "/connections", "/rules", "/providers", "/members", "/history"].map(
    (tab) => `/practices/${id}${tab}`,
  );
  const lists = ["/channels", "/channels/new", "/practices", "/practices/new", "/people/invite", "/changes"];
  return [...lists, ...channels, ...tabs, ...routes, "/import", "/audit"];
}

async function expectFits(page: Page, paths: readonly string[]): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of paths) {
    await page.goto(path);
    expect(await beyondEdge(page), path).toEqual([]);
  }
}

/** What stands beyond the right edge, where that makes the page wider than the screen. */
function beyondEdge(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const all = [...document.querySelectorAll("body *")];
    return all
      .filter((one) => one.getBoundingClientRect().right > clientWidth)
      .map((one) => one.outerHTML.slice(0, 120));
  });
}
