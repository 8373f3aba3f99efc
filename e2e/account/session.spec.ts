import type { Page } from "@playwright/test";
import { post } from "../authority/ask.ts";
import { actionId } from "../authority/built.ts";
import type { Scene } from "../authority/callers.ts";
import { form } from "../authority/form.ts";
import {
  aPerson,
  expect,
  fullIntake,
  openCase,
  signIn,
  signOut,
  type SignIn,
  standing,
  test,
  choose,
  declineReason,
} from "../fixtures/journey.ts";
import { expectAccessible } from "../fixtures/accessible.ts";
import type { Stack } from "../fixtures/stack.ts";

/** As if nobody had asked for a page for so long. */
async function leaveAlone({ sql }: Stack, { email }: SignIn, minutes: number): Promise<void> {
  await sql(
    `UPDATE session SET seen_at = clock_timestamp() - make_interval(mins => $2)
      WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
    [email, minutes],
  );
}

/** As if the session had been signed in to so long ago that it ends in so many seconds, whatever is done. */
async function letLast({ sql }: Stack, { email }: SignIn, seconds: number): Promise<void> {
  await sql(
    `UPDATE session SET expires_at = clock_timestamp() + make_interval(secs => $2)
      WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
    [email, seconds],
  );
}

const idleLeft = async (page: Page) =>
  ((await (await page.request.get("/session")).json()) as { idleLeftMs: number }).idleLeftMs;

/** As when a reader comes back to a tab. */
const lookAgain = (page: Page) => page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));

test("a session about to end says so, goes on for one press, and once over covers the page but not what was typed", async ({
  page,
  context,
  practice,
  stack,
}) => {
  const sent = await practice.agent.send(fullIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await choose(page, "Decline");
  await declineReason(page).fill("The second page is missing.");

  const warning = page.getByRole("dialog", { name: "Your session is about to end" });
  // The page was just drawn: it may not listen yet, or still ask for a part of itself, which is use.
  await expect(async () => {
    await leaveAlone(stack, practice.reviewer, 29);
    await lookAgain(page);
    await expect(warning).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(warning.getByRole("timer")).toHaveText(/^(1:00|0:\d\d)$/);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `warning in ${colorScheme}`);
  }
  await page.keyboard.press("Enter");
  await expect(warning).toBeHidden();
  await expect(declineReason(page)).toBeFocused();
  // The warning goes as the key is pressed, and the server hears of it a moment later.
  await expect.poll(() => idleLeft(page)).toBeGreaterThan(1_700_000);

  await leaveAlone(stack, practice.reviewer, 31);
  // What the form is answered is drawn before the page hears that its session is over; the words stay words all the same.
  const refused = page.getByRole("alert").filter({ hasText: "Your session has ended" });
  await page.route("/session", async (route) => (await refused.waitFor(), await route.continue()), { times: 1 });
  await page.getByRole("button", { name: "Decline" }).click();
  const cover = page.getByRole("dialog", { name: "Your session has ended" });
  await expect(cover).toBeVisible();
  await expectAccessible(page, "the cover in dark");
  await page.keyboard.press("Escape");
  await expect(cover).toBeVisible();
  await expect(page.getByText("Okafor").first()).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your session has ended");

  const opened = context.waitForEvent("page");
  await cover.getByRole("link", { name: "Sign in again" }).click();
  const other = await opened;
  await other.getByLabel("Email").fill(practice.reviewer.email);
  await other.getByLabel("Password").fill(practice.reviewer.password);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.waitForURL(({ pathname }) => pathname === `/tasks/${sent.id}`);
  await lookAgain(page);
  await expect(cover).toBeHidden();
  await expect(declineReason(page)).toHaveValue("The second page is missing.");
  await page.getByRole("button", { name: "Decline request" }).click();
  await expect(standing(page)).toContainText("Declined");
  expect(await practice.agent.get(sent.id)).toMatchObject({ gate: { reason: "The second page is missing." } });

  // What a page draws anew by itself is no use of it.
  await leaveAlone(stack, practice.reviewer, 10);
  await context.addCookies([{ name: "unattended", value: "1", url: stack.baseUrl }]);
  await page.reload();
  expect(await idleLeft(page)).toBeLessThan(21 * 60_000);
  await context.clearCookies({ name: "unattended" });
  await page.reload();
  expect(await idleLeft(page)).toBeGreaterThan(29 * 60_000);

  await letLast(stack, practice.reviewer, 90);
  // The page was just drawn and may not listen yet.
  await expect(async () => {
    await lookAgain(page);
    await expect(warning).toContainText("It has lasted as long as a session may.", { timeout: 1_000 });
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(warning).toBeHidden();
  await letLast(stack, practice.reviewer, 0);
  await lookAgain(page);
  await expect(cover).toBeVisible();
});

const cover = (page: Page) => page.getByRole("dialog", { name: "Your session has ended" });

/** Once the page's script runs: before, it hears of nothing. */
const hears = (page: Page) => page.locator("html[data-keys]").waitFor({ state: "attached" });

test("signing out covers the other windows of the browser, and signing in again uncovers them, without a stream", async ({
  page,
  context,
  practice,
}) => {
  const sent = await practice.agent.send(fullIntake(practice));
  await signIn(page, practice.reviewer);
  await context.route(/\/live(\/heads)?$/, (route) => route.abort());
  await openCase(page, sent.id);
  await hears(page);
  const other = await context.newPage();
  await other.goto("/queue");
  await hears(other);
  await signOut(other);
  await expect(cover(page)).toBeVisible();
  await expect(page.getByText("Okafor").first()).toBeHidden();

  await other.getByLabel("Email").fill(practice.reviewer.email);
  await other.getByLabel("Password").fill(practice.reviewer.password);
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(cover(page)).toBeHidden();
  await expect(page.getByText("Okafor").first()).toBeVisible();
});

test("a session ended from another device covers its windows, of whoever reviews and of whoever does not", async ({
  page,
  practice,
  stack,
  browserOf,
}) => {
  const admin = await aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" });
  for (const [who, path] of [
    [practice.reviewer, "/queue"],
    [admin, "/audit"],
  ] as const) {
    const streams = page.waitForResponse((response) => new URL(response.url()).pathname === "/live");
    await signIn(page, who);
    await page.goto(path);
    expect((await streams).status()).toBe(200);
    const elsewhere = await browserOf(who);
    await elsewhere.goto("/account");
    await elsewhere.getByRole("button", { name: "End all but this one" }).click();
    await expect(cover(page)).toBeVisible();
    // As a list, which may still have the page's own for the moment in which the style sheet begins to hide it.
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(["Your session has ended"]);
    await page.goto("/sign-in");
  }
});

test("over TLS every cookie of a sign-in is this host's alone, and every answer says to stay with TLS", async ({
  stack,
  practice,
}) => {
  const publicUrl = "https://localhost";
  const second = await stack.oneMoreServer(async () => ({ PUBLIC_URL: publicUrl, NEXTAUTH_URL: publicUrl }));
  const id = actionId("app/sign-in/actions.ts#signIn");
  const { email, password } = practice.reviewer;
  const args = [{ failed: false, email: "" }, form({ email, password })];
  const nobody = { cookieOf: { reviewer: "" } as Scene["cookieOf"] };
  const given: string[] = [];
  given.push(...(await post(second, nobody, { id, path: "/sign-in", args, caller: "reviewer" })).cookies);
  const paths = ["/", "/sign-in", "/api/auth/csrf", "/api/auth/providers", "/sign-in/sso", "/health/live", "/api/a2a"];
  for (const path of paths) {
    const answer = await fetch(second.baseUrl + path, { redirect: "manual" });
    expect([path, answer.headers.get("strict-transport-security")]).toEqual([
      path,
      "max-age=63072000; includeSubDomains",
    ]);
    given.push(...answer.headers.getSetCookie());
  }
  expect(given.some((cookie) => cookie.startsWith("__Host-next-auth.session-token=ey"))).toBe(true);
  for (const cookie of given) {
    expect(cookie).toMatch(/^__Host-[^;]+;.*; Secure/i);
    expect(cookie).toMatch(/; Path=\/(;|$)/);
    expect(cookie).not.toMatch(/; Domain=/i);
  }
  const { headers } = await fetch(`${stack.baseUrl}/sign-in`);
  expect(headers.get("strict-transport-security")).toBeNull();
  await second.stop();
});
