import type { Page } from "@playwright/test";
import { generate } from "otplib";
import { expectAccessible } from "../fixtures/accessible.ts";
import { codeNow } from "#test/support/people/totp";
import { expect, signIn, test, type SignIn, signOut } from "../fixtures/journey.ts";

/** A device of Chromium's own that keeps passkeys and knows its user. */
async function aDevice(page: Page): Promise<void> {
  const device = await page.context().newCDPSession(page);
  await device.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  await device.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

async function typePassword(page: Page, { email, password }: SignIn): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** What a sign-in page was asked to lead to by whoever made its address; a browser reads two slashes as a host. */
const away = `next=${encodeURIComponent("/.//elsewhere.example/")}`;

/** Recovery codes on the page, four groups of four each. */
const codesShown = (page: Page) => page.getByRole("listitem").filter({ hasText: /^(?:[0-9a-z]{4}-){3}[0-9a-z]{4}$/ });

test("a passkey is added, signs in alone, stands in for the password, and proves again who somebody is", async ({
  page,
  practice,
  stack,
}) => {
  await aDevice(page);
  await signIn(page, practice.reviewer);
  await page.goto("/account/security");
  await expectAccessible(page, "security");
  await page.getByLabel("Passkey name").fill("Work laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("You can sign in with it alone")).toBeVisible();
  await expect(codesShown(page)).toHaveCount(10);
  await expectAccessible(page, "security");
  await page.reload();
  await expect(page.getByText("Work laptop", { exact: true })).toBeVisible();
  await expect(codesShown(page)).toHaveCount(0);

  await signOut(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL(({ pathname }) => pathname === "/");

  await signOut(page);
  await page.waitForURL("**/sign-in");
  await page.goto("/sign-in?next=/account/security");
  await typePassword(page, practice.reviewer);
  await page.waitForURL("**/sign-in/second?**");
  await expect(page.getByRole("button", { name: "Use a passkey" })).toBeVisible();
  await expectAccessible(page, "security");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL("**/account/security");

  await stack.sql("UPDATE session SET proved_at = now() - interval '11 minutes'");
  await page.reload();
  await page.getByRole("button", { name: "Create new recovery codes" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Verify your identity to continue" })).toBeVisible();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(codesShown(page)).toHaveCount(10);
});

test("a sign-in leads to a page of this service whatever its address asks for: by password, passkey and second step", async ({
  page,
  practice,
  stack,
}) => {
  const isHome = () => expect(page).toHaveURL(`${stack.baseUrl}/`);
  await page.goto(`/sign-in?${away}`);
  await typePassword(page, practice.reviewer);
  await isHome();
  await aDevice(page);
  await page.goto("/account/security");
  await page.getByLabel("Passkey name").fill("Work laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(codesShown(page)).toHaveCount(10);
  await page.reload();

  await signOut(page);
  await page.waitForURL("**/sign-in");
  await page.goto(`/sign-in?${away}`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await isHome();

  await signOut(page);
  await page.waitForURL("**/sign-in");
  await page.goto(`/sign-in?${away}`);
  await typePassword(page, practice.reviewer);
  await page.waitForURL("**/sign-in/second?**");
  expect(page.url()).not.toContain("elsewhere");
  await page.goto(`/sign-in/second?${away}`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await isHome();
});

test("without JavaScript an app is set up and its codes ask at sign-in; next-auth's own route is no way round", async ({
  browser,
  practice,
  stack,
}) => {
  const context = await browser.newContext({ baseURL: stack.baseUrl, javaScriptEnabled: false });
  const page = await context.newPage();
  await signIn(page, practice.reviewer);
  await page.goto("/account/security");
  await page.getByRole("button", { name: "Set up an app" }).click();
  const secret = ((await page.locator("p.font-mono").textContent()) ?? "").replaceAll(" ", "");
  await page.getByLabel("Code the app shows now").fill("123456");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("This isn't the app's current code")).toBeVisible();
  await page.getByLabel("Code the app shows now").fill(await codeNow(secret));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(codesShown(page)).toHaveCount(10);
  const recovery = (await codesShown(page).first().textContent()) ?? "";

  await signOut(page);
  await typePassword(page, practice.reviewer);
  await page.waitForURL("**/sign-in/second?**");
  await page.goto("/queue");
  await page.waitForURL("**/sign-in?**");
  await page.goto(`/sign-in/second?${away}`);
  // The one that turned the app on is spent, and the next may be half a minute away.
  await stack.sql("UPDATE totp SET last_time_step = last_time_step - 1");
  await page.getByLabel("Code").fill(await generate({ secret, epoch: Math.floor(Date.now() / 1_000) - 300 }));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("That code did not work")).toBeVisible();
  await page.getByLabel("Code").fill(await codeNow(secret));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(`${stack.baseUrl}/`);

  const other = await browser.newContext({ baseURL: stack.baseUrl, javaScriptEnabled: false });
  const { csrfToken } = (await (await other.request.get("/api/auth/csrf")).json()) as { csrfToken: string };
  const { email, password } = practice.reviewer;
  await other.request.post("/api/auth/callback/credentials", {
    form: { csrfToken, email, password, json: "true" },
    headers: { origin: stack.baseUrl },
  });
  expect((await other.request.get("/session")).status()).toBe(401);
  const stranger = await other.newPage();
  await stranger.goto("/sign-in/second");
  await stranger.waitForURL("**/sign-in");
  await typePassword(stranger, practice.reviewer);
  await stranger.getByLabel("Code").fill(recovery.toUpperCase());
  await stranger.getByRole("button", { name: "Continue" }).click();
  await stranger.waitForURL(({ pathname }) => pathname === "/");
  await Promise.all([context.close(), other.close()]);
});
