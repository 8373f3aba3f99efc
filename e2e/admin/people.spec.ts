import type { Page } from "@playwright/test";
import { aPerson, expect, signIn, signInByForm, test } from "../fixtures/journey.ts";
import { expectAccessible } from "../fixtures/accessible.ts";

const shots = process.env.PEOPLE_SHOTS;

/** For whoever wants to look at it. */
async function shot(page: Page, name: string): Promise<void> {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
}

const password = "wander tulip 9 kettle";
const status = (page: Page) => page.getByRole("main").getByRole("status");

test("somebody is invited, chooses a password in their own browser, and loses session and role at a word", async ({
  practice,
  stack,
  page,
  browser,
}) => {
  await page.emulateMedia({ colorScheme: "light" });
  const admin = await aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" });
  await signIn(page, admin);
  await stack.sql(
    "UPDATE session SET proved_at = now() - interval '15 minutes' FROM person p WHERE p.id = person_id AND p.name = $1",
    ["Noor Haddad"],
  );
  await page.goto("/people");
  await page.getByRole("link", { name: "Invite person" }).click();
  // No mail server is set up here.
  await expect(page.getByText("you get a link here to pass on to them")).toBeVisible();
  const proof = page.getByLabel("Your password");
  await expect(proof).toBeVisible();
  await expect(proof).not.toBeFocused();
  await proof.fill(admin.password);
  const email = `ilse-${practice.id}@clinic.example`;
  // Tests beside this one have people of their own in the list.
  const name = `Ilse Brandt ${practice.id.slice(-8)}`;
  await page.getByLabel("Email").fill(email);
  await page
    .getByLabel(`Reviewer, ${practice.name}`)
    .and(page.locator(`[value="reviewer ${practice.id}"]`))
    .check();
  await accessible(page, "people");
  await page.getByRole("button", { name: "Send invitation" }).click();
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  expect(new URL(link).hash).toMatch(/^#[A-Za-z0-9_-]{43}$/);
  expect(page.url()).not.toContain("#");

  const context = await browser.newContext({ baseURL: stack.baseUrl, colorScheme: "dark" });
  const guest = await context.newPage();
  await guest.goto(link.replace(/^https?:\/\/[^/]+/, ""));
  await expect(guest.getByText(email)).toBeVisible();
  expect(guest.url()).not.toContain("#");
  await guest.getByLabel("Your name").fill(name);
  await guest.getByLabel("New password").fill("password1234");
  await guest.getByRole("button", { name: "Accept the invitation" }).click();
  await expect(guest.getByText("Must not be a common password.")).toBeVisible();
  await accessible(guest, "invite");
  await guest.getByLabel("New password").fill(password);
  await guest.getByRole("button", { name: "Accept the invitation" }).click();
  await guest.getByRole("link", { name: "Sign in" }).click();
  await signInByForm(guest, { email, password, newSession: () => Promise.reject(new Error("by form alone")) });
  await expect(guest).toHaveURL(/\/queue$/);

  await page.goto("/people");
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await accessible(page, "person");
  const tabs = page.getByRole("navigation", { name: "Person" });
  await tabs.getByRole("link", { name: "Roles" }).click();
  await accessible(page, "roles");
  await page
    .getByLabel(`Reviewer, ${practice.name}`)
    .and(page.locator(`[value="reviewer ${practice.id}"]`))
    .uncheck();
  await page
    .getByLabel(`Auditor, ${practice.name}`)
    .and(page.locator(`[value="auditor ${practice.id}"]`))
    .check();
  await page.getByRole("button", { name: "Save roles" }).click();
  await expect(status(page)).toContainText("next request");
  await guest.goto("/queue");
  await expect(guest.getByText("You don't review for any practice")).toBeVisible();
  await expect(guest.getByRole("navigation", { name: "Places" }).getByRole("link")).toHaveText(["Audit"]);
  await guest.goto("/account");
  await accessible(guest, "account");

  await tabs.getByRole("link", { name: "History" }).click();
  await expect(
    page.getByRole("region", { name: "Activity" }).getByText("changed a person's roles", { exact: false }).first(),
  ).toBeVisible();
  await accessible(page, "person's history");

  await tabs.getByRole("link", { name: "Sessions" }).click();
  const sessions = page.getByRole("region", { name: "Sessions" });
  await expect(sessions.getByRole("row").nth(1)).toContainText(/Chrome on \w+.*(?:127\.0\.0\.1|::1)/);
  await sessions.getByRole("button", { name: /^End session in/ }).click();
  await expect(status(page)).toContainText("Session ended");
  await guest.goto("/account");
  await expect(guest).toHaveURL(/\/sign-in/);
  await context.close();
});

test("without JavaScript the link is pasted, and an account is closed and opened", async ({
  practice,
  stack,
  page,
  browser,
}) => {
  const plain = await browser.newContext({ baseURL: stack.baseUrl, javaScriptEnabled: false });
  const admin = await plain.newPage();
  await signIn(admin, await aPerson(stack, { roles: ["admin"], practices: [practice.id], name: "Noor Haddad" }));
  await admin.goto("/people/invite");
  const email = `priya-${practice.id}@clinic.example`;
  await admin.getByLabel("Email").fill(email);
  await admin.locator(`[name="roles"][value="auditor ${practice.id}"]`).check();
  await expect(admin.locator('[name="roles"][value="admin"]')).toHaveCount(0);
  await admin.getByRole("button", { name: "Send invitation" }).click();
  const link = await admin.getByRole("textbox", { name: "Link" }).inputValue();
  await admin.goto("/invite");
  await admin.getByLabel("Your link").fill(link);
  await admin.getByRole("button", { name: "Go on" }).click();
  await admin.getByLabel("Your name").fill("Priya Raman");
  await admin.getByLabel("New password").fill(password);
  await admin.getByRole("button", { name: "Accept the invitation" }).click();
  await expect(admin.getByText("Your password is set")).toBeVisible();

  const session = { email, password, newSession: () => Promise.reject(new Error("by form alone")) };
  await signInByForm(page, session);
  await page.goto("/account");
  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("New password").fill("another kettle 12");
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();

  await admin.goto("/people");
  await admin.getByRole("link", { name: "Priya Raman" }).click();
  await admin.getByRole("button", { name: "Deactivate", exact: true }).click();
  await admin.getByRole("button", { name: "Deactivate account" }).click();
  await expect(status(admin)).toContainText("Account deactivated.");
  await page.goto("/account");
  await expect(page).toHaveURL(/\/sign-in/);
  await admin.getByRole("button", { name: "Reactivate", exact: true }).click();
  await admin.getByRole("button", { name: "Reactivate account" }).click();
  await expect(status(admin)).toContainText("Account active again");
  await signInByForm(page, { ...session, password: "another kettle 12" });
  await plain.close();
});

/** In both lights, and no wider than a small phone. */
async function accessible(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `${name}, ${colorScheme}`);
    await shot(page, `${name}-${colorScheme}`);
  }
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 780 });
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over, name).toBeLessThanOrEqual(0);
  await shot(page, `${name}-320`);
  if (size) await page.setViewportSize(size);
}
