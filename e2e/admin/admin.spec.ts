import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import {
  aPerson,
  anAgent,
  arrive,
  expect,
  RefusedCall,
  signIn,
  smallIntake,
  test,
  type Agent,
  type SignIn,
} from "../fixtures/journey.ts";
import { payerId } from "../fixtures/practice.ts";
import type { Stack } from "../fixtures/stack.ts";
import { setPayer } from "#lib/practice/directory/set-payer";
import { done } from "#test/support/people/admin";
import { expectAccessible, expectAccessibleInBoth } from "../fixtures/accessible.ts";

const anAdmin = (stack: Stack): Promise<SignIn> =>
  aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" });

/** Whether the endpoint still knows this key: an unknown one is denied before anything is looked at. */
async function isAdmitted(stack: Stack, key: string): Promise<boolean> {
  const answer = await fetch(`${stack.baseUrl}/api/a2a`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: crypto.randomUUID() } }),
  });
  return answer.status !== 401;
}

async function refusalOf(answer: Promise<unknown>): Promise<number | undefined> {
  return answer.then(
    () => undefined,
    (error: unknown) => (error instanceof RefusedCall ? error.code : undefined),
  );
}

const sends = (agent: Agent, practice: Parameters<typeof smallIntake>[0]) =>
  refusalOf(agent.send(smallIntake(practice)));

test("an admin rotates a key, shown once, and revokes the old one: its next call is denied", async ({
  practice,
  stack,
  page,
}) => {
  const old = practice.channel.key;
  await arrive(page, await anAdmin(stack));
  await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Channels" }).click();
  await page.goto(`/channels/${practice.channel.id}`);
  await page.getByRole("link", { name: "API keys" }).click();
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await rotate(page);
  expect((await answered).headers()["cache-control"]).toContain("no-store");
  const key = await page.getByRole("textbox", { name: "New key" }).inputValue();
  expect(key).toMatch(/^pa_[A-Za-z0-9]{10}_[A-Za-z0-9]{43}_[A-Za-z0-9]{6}$/);
  expect(page.url()).not.toContain(key.slice(-8));
  expect([await isAdmitted(stack, old), await isAdmitted(stack, key)]).toEqual([true, true]);

  const command = (await page.getByRole("dialog").locator("pre").textContent()) ?? "";
  expect(execFileSync("sh", ["-c", command], { encoding: "utf8", stdio: "pipe" })).toContain('"result"');

  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByText("2 of 2 active")).toBeVisible();
  expect(await page.content()).not.toContain(key.split("_").slice(2).join("_"));

  const row = page.getByRole("row").filter({ hasText: old.slice(-4) });
  await row.getByRole("button", { name: "Revoke" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByRole("status")).toContainText("Revoked");
  expect([await isAdmitted(stack, old), await isAdmitted(stack, key)]).toEqual([false, true]);
  await expect(page.getByText("1 of 2 active")).toBeVisible();
});

test("the key of a new channel is shown once, in a dialog that only Done leaves, with a command that works", async ({
  practice,
  stack,
  page,
}) => {
  await arrive(page, await anAdmin(stack));
  await page.goto("/channels/new");
  await page.getByLabel("Name").fill("Day agent");
  await page.locator(`[name="practices"][value="${practice.id}"]`).check();
  await page.getByRole("button", { name: "Create channel" }).click();
  const dialog = page.getByRole("dialog", { name: "Copy this key now" });
  const key = await dialog.getByRole("textbox", { name: "New key" }).inputValue();
  await expect.poll(() => dialog.evaluate((element) => element.matches(":modal"))).toBe(true);
  // A browser closes a dialog on the second Escape, whatever the page said to the first.
  for (let pressed = 0; pressed < 3; pressed++) await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Close" })).toHaveCount(0);
  await expectAccessible(page, "the key of a new channel");
  const command = (await dialog.locator("pre").textContent()) ?? "";
  expect(execFileSync("sh", ["-c", command], { encoding: "utf8", stdio: "pipe" })).toContain('"result"');
  expect(new URL(page.url()).search).toBe("");

  await dialog.getByRole("link", { name: "Done" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Day agent" })).toBeVisible();
  const secret = key.split("_").slice(2).join("_");
  expect(await page.content()).not.toContain(secret);
  await page.goBack();
  await expect(page.getByRole("button", { name: "Create channel" })).toBeVisible();
  expect(await page.content()).not.toContain(secret);
});

test("a page drawn before somebody else rotated makes no third key", async ({ practice, stack, page, browserOf }) => {
  const other = await browserOf(await anAdmin(stack));
  await other.goto(`/channels/${practice.channel.id}/keys`);
  await signIn(page, await anAdmin(stack));
  await page.goto(`/channels/${practice.channel.id}/keys`);
  await rotate(page);
  await expect(page.getByRole("textbox", { name: "New key" })).toBeVisible();
  await rotate(other);
  await expect(alertOn(other)).toContainText("keys changed");
  await expect(other.getByText("2 of 2 active")).toBeVisible();
  await expect(other.getByRole("textbox", { name: "New key" })).toHaveCount(0);
});

test("what a channel reaches and may do holds from its next call on", async ({ practice, stack, page }) => {
  await signIn(page, await anAdmin(stack));
  await page.goto(`/channels/${practice.channel.id}/access`);
  expect(await sends(practice.agent, practice)).toBeUndefined();
  await page.getByRole("checkbox", { name: "Open and amend cases" }).uncheck();
  await page.getByRole("button", { name: "Review changes" }).click();
  await expect(page.getByRole("region", { name: "Review changes" })).toContainText("Removes: PermissionOpen and amend");
  expect(await sends(practice.agent, practice)).toBeUndefined();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("status")).toContainText("Access saved");
  expect(await sends(practice.agent, practice)).toBe(-32003);
  await page.getByRole("checkbox", { name: "Open and amend cases" }).check();
  await page
    .getByRole("checkbox", { name: practice.name })
    .and(page.locator(`[value="${practice.id}"]`))
    .uncheck();
  await page.getByRole("button", { name: "Review changes" }).click();
  await expect(page.getByText("Every request of the agent will be denied.")).toBeVisible();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("status")).toContainText("Access saved");
  expect(await sends(practice.agent, practice)).toBe(-32003);
});

test("access without any permission is refused, with the boxes as they were ticked", async ({
  practice,
  stack,
  page,
}) => {
  await signIn(page, await anAdmin(stack));
  await page.goto(`/channels/${practice.channel.id}/access`);
  const boxes = page.getByRole("group", { name: "Permissions" }).getByRole("checkbox");
  for (const box of await boxes.all()) await box.uncheck();
  await page.getByRole("button", { name: "Review changes" }).click();
  await expect(page.getByText("Must include at least one permission.")).toBeVisible();
  for (const box of await boxes.all()) await expect(box).not.toBeChecked();
});

test("a suspended channel and a suspended practice are denied until they resume", async ({ practice, stack, page }) => {
  await signIn(page, await anAdmin(stack));
  for (const path of [`/channels/${practice.channel.id}`, `/practices/${practice.id}`]) {
    await page.goto(path);
    await confirmed(page, /^Suspend/);
    await expect(page.getByRole("status")).toContainText("suspended");
    expect(await refusalOf(practice.agent.send(smallIntake(practice)))).not.toBeUndefined();
    await confirmed(page, /^Resume/);
    await expect(page.getByRole("status")).toContainText("active");
    expect(await sends(practice.agent, practice)).toBeUndefined();
  }
});

test("no tab of a channel, a practice or a person is over two screens high", async ({ practice, stack, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, await anAdmin(stack));
  await page.goto("/people");
  await page.getByRole("row").filter({ hasText: practice.reviewer.email }).getByRole("link").click();
  await page.waitForURL("**/people/*");
  const person = new URL(page.url()).pathname;
  const tabs = {
    [`/channels/${practice.channel.id}`]: ["", "/keys", "/access", "/webhooks", "/activity", "/history"],
    [`/practices/${practice.id}`]: ["", "/connections", "/payers", "/rules", "/providers", "/members", "/history"],
    [person]: ["", "/roles", "/sessions", "/history"],
  };
  for (const [path, names] of Object.entries(tabs)) {
    for (const name of names) {
      await page.goto(`${path}${name}`);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(height, `${path}${name}`).toBeLessThanOrEqual(2 * 900);
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/practices/${practice.id}/rules#timing`);
  await expect(page.getByRole("button", { name: "Save timing" })).toBeVisible();
  await expectAccessible(page, "rules on a phone");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a channel, a practice, a payer, a person's history and the audit log are at most two screens high", async ({
    practice,
    stack,
    page,
  }) => {
    await done(setPayer(stack.operator, { practiceId: practice.id, payerId, name: "Harbor Mutual" }));
    // As many entries as a page of the audit log and a person's history hold.
    for (let session = 0; session < 16; session++) await practice.reviewer.newSession();
    // Of this practice alone, since lists of all practices and people grow with the other tests.
    await signIn(page, await aPerson(stack, { roles: ["admin"], practices: [practice.id], name: "Noor Haddad" }));
    await page.goto("/people");
    const row = page.getByRole("row").filter({ hasText: practice.reviewer.email });
    const person = (await row.getByRole("link").getAttribute("href")) ?? "";
    const paths = [
      ...["", "/keys", "/access", "/webhooks", "/activity", "/history"].map(
        (tab) => `/channels/${practice.channel.id}${tab}`,
      ),
      ...["", "/connections", "/payers", "/rules", "/providers", "/history"].map(
        (tab) => `/practices/${practice.id}${tab}`,
      ),
      person,
      `${person}/history`,
      `/practices/${practice.id}/payer?payer=${payerId}`,
      `/practices/${practice.id}/route?payer=${payerId}`,
      "/audit",
      `/audit?practice=${practice.id}`,
    ];
    for (const path of paths) {
      await page.goto(path);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect.soft(height, path).toBeLessThanOrEqual(2 * 844);
    }
    await page.goto(`/audit?practice=${practice.id}&kind=settings`);
    await expectAccessible(page, "the audit log on a phone");
    const entry = page
      .getByRole("row")
      .filter({ has: page.locator("summary") })
      .first();
    await expect(entry.locator("td").last()).toBeHidden();
    await entry.locator("summary").click();
    await expect(entry.locator("td").last()).toBeVisible();
    await page.getByRole("link", { name: "Filters (1)" }).click();
    await expect(page.getByLabel("From")).toBeVisible();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a practice and its channel are made, and the key is shown once", async ({ stack, page }) => {
    await signIn(page, await anAdmin(stack));
    const id = `oak-${randomBytes(4).toString("hex")}`;
    await makePractice(page, { id, name: "Oak Cardiology" });
    await expect(page.getByRole("heading", { level: 1, name: "Oak Cardiology" })).toBeVisible();
    await page.goto("/channels/new");
    await page.getByLabel("Name").fill("Night agent");
    await page.getByRole("button", { name: "Create channel" }).click();
    await expect(page.getByText("confirm below that the channel starts without one")).toBeVisible();
    await page.locator(`[name="practices"][value="${id}"]`).check();
    await page.getByRole("button", { name: "Create channel" }).click();
    const key = await page.getByRole("textbox", { name: "New key" }).inputValue();
    expect(await isAdmitted(stack, key)).toBe(true);
    const agent = await anAgent(stack, key);
    const sent = await agent.send({
      skill: "prior_auth_intake",
      practiceId: id,
      serviceReview: { payer: { id: "60054" }, procedures: [{ code: "72148" }] },
    });
    expect(sent.state).toBe("transmit-held");
    await page.goto("/channels");
    expect(await page.content()).not.toContain(key.split("_").slice(2).join("_"));
  });

  test("on a phone the rules of a practice open one by one", async ({ practice, stack, page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn(page, await anAdmin(stack));
    await page.goto(`/practices/${practice.id}/rules`);
    await expect(page.getByRole("button", { name: "Save release rules" })).toBeHidden();
    await page.getByRole("link", { name: "Timing" }).click();
    await expect(page.getByRole("button", { name: "Save release rules" })).toBeHidden();
    await page.getByLabel("Undo window (seconds)").fill("25");
    await page.getByRole("button", { name: "Save timing" }).click();
    await expect(page.getByRole("status")).toContainText("Timing saved");
  });

  test("a taken id is refused with everything typed still in place", async ({ practice, stack, page }) => {
    await signIn(page, await anAdmin(stack));
    await makePractice(page, { id: practice.id, name: "Oak Cardiology" });
    await expect(alertOn(page)).toContainText("already in use");
    await expect(page.getByLabel("Name")).toHaveValue("Oak Cardiology");
    await expect(page.getByLabel("Practice ID")).toHaveValue(practice.id);
  });

  test("settings, name and keys are changed by plain forms", async ({ practice, stack, page }) => {
    await signIn(page, await anAdmin(stack));
    await page.goto(`/practices/${practice.id}/rules`);
    await page.getByLabel("Undo window (seconds)").fill("25");
    await page.getByLabel("Requests expire after (days)").fill("7");
    await page.getByRole("button", { name: "Save timing" }).click();
    await expect(page.getByRole("status")).toContainText("Timing saved");
    await expect(page.getByLabel("Undo window (seconds)")).toHaveValue("25");
    await page.goto(`/practices/${practice.id}`);
    await page.getByRole("textbox", { name: "Name" }).fill("Elm Street Orthopedics");
    await page.getByRole("button", { name: "Save identity" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Elm Street Orthopedics");

    await page.goto(`/channels/${practice.channel.id}/keys`);
    await rotate(page);
    const second = await page.getByRole("textbox", { name: "New key" }).inputValue();
    await page.goto(`/channels/${practice.channel.id}/keys`);
    await rotate(page);
    const third = await page.getByRole("textbox", { name: "New key" }).inputValue();
    const admitted = await Promise.all([practice.channel.key, second, third].map((key) => isAdmitted(stack, key)));
    expect(admitted).toEqual([false, true, true]);
  });
});

test("whoever is no admin finds nothing there, and is shown no way to it", async ({ practice, page }) => {
  await arrive(page, practice.reviewer);
  await expect(page.getByRole("navigation", { name: "Places" }).getByRole("link")).toHaveText([
    "Home",
    "Queue",
    "Reports",
  ]);
  for (const path of ["/channels", `/channels/${practice.channel.id}`, "/practices", `/practices/${practice.id}`]) {
    expect((await page.goto(path))?.status(), path).toBe(404);
    await expect(page.getByText(practice.id)).toHaveCount(0);
  }
});

test("an address that names nothing is not found", async ({ stack, page }) => {
  await signIn(page, await anAdmin(stack));
  for (const path of [
    "/channels/nothing",
    `/channels/${crypto.randomUUID()}`,
    "/practices/nothing",
    "/practices/%00",
  ]) {
    expect((await page.goto(path))?.status(), path).toBe(404);
  }
});

test("the pages have nothing that assistive technology stumbles on, in light and in dark", async ({
  practice,
  stack,
  page,
}) => {
  await page.addInitScript(noteLostTitles);
  await signIn(page, await anAdmin(stack));
  const [channel, own] = [`/channels/${practice.channel.id}`, `/practices/${practice.id}`];
  const channels = ["", "/keys", "/access", "/webhooks", "/activity", "/history"].map((tab) => `${channel}${tab}`);
  const tabs = ["", "/connections", "/rules", "/providers", "/members", "/history"].map((tab) => `${own}${tab}`);
  const lists = ["/channels", "/channels/new", "/practices", "/practices/new", "/people/invite", "/changes"];
  for (const path of [...lists, ...channels, ...tabs]) {
    await page.goto(path);
    await expectAccessibleInBoth(page, path);
  }
  await page.goto(`${channel}/access`);
  await page.getByRole("checkbox", { name: "Request voids" }).click();
  await page.getByRole("button", { name: "Review changes" }).click();
  await page.getByRole("button", { name: "Save changes" }).waitFor();
  await expectAccessibleInBoth(page, "a change about to be saved");
  await page.goto(`${channel}/keys`);
  await rotate(page);
  await page.getByRole("textbox", { name: "New key" }).waitFor();
  await expectAccessibleInBoth(page, "a new key");
  await page.getByRole("link", { name: "Done" }).click();
  await page.getByRole("button", { name: "Revoke" }).first().click();
  await expectAccessibleInBoth(page, "a key about to be revoked");
  await page.keyboard.press("Escape");
  await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Practices" }).click();
  await expect(page).toHaveTitle("Practices · Prior authorization");
  expect(await page.evaluate(() => performance.getEntriesByName("title lost").length)).toBe(0);
});

/** Marks every time a page that has been drawn loses its title, however short, as axe may look at just that moment. */
function noteLostTitles(): void {
  let had = false;
  new MutationObserver(() => {
    const has = document.title !== "";
    if (had && !has) performance.mark("title lost");
    had = has;
  }).observe(document, { subtree: true, childList: true });
}

/** Next keeps an alert of its own outside the page, for the names of pages. */
const alertOn = (page: Page) => page.getByRole("main").getByRole("alert");

async function makePractice(page: Page, { id, name }: { id: string; name: string }): Promise<void> {
  await page.goto("/practices/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Practice ID").fill(id);
  await page.getByLabel("Time zone").selectOption("America/Chicago");
  await page.getByRole("button", { name: "Create practice" }).click();
}

/** Presses the button that opens a dialog, and the one in it that does the same. */
async function confirmed(page: Page, name: RegExp): Promise<void> {
  await page.getByRole("button", { name }).first().click();
  await page.getByRole("dialog").getByRole("button", { name }).click();
}

async function rotate(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Rotate key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create new key" }).click();
}
