import type { Page } from "@playwright/test";
import { client } from "#test/support/people/oidc/account";
import { type RunningProvider, runProvider } from "#test/support/people/oidc/running";
import { visit } from "#test/support/people/oidc/visit";
import { expectAccessible, expectAccessibleEverywhere } from "../fixtures/accessible.ts";
import { aPerson, expect, signOut, test as base } from "../fixtures/journey.ts";
import { databasePlaces, placesWith } from "../fixtures/seek.ts";
import type { Stack } from "../fixtures/stack.ts";

type Fixtures = { readonly sso: { readonly baseUrl: string; readonly provider: RunningProvider } };

/** A server whose people may sign in by a provider, and the provider. */
const test = base.extend<Fixtures>({
  sso: async ({ stack }, provide) => {
    let provider: RunningProvider | undefined;
    const server = await stack.oneMoreServer(async (baseUrl) => {
      provider = await runProvider(`${baseUrl}/sign-in/sso/back`);
      return {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: client.id,
        OIDC_CLIENT_SECRET: client.secret,
        OIDC_LABEL: "Elm Street login",
        OIDC_MFA: "mfa",
      };
    });
    if (provider) await provide({ baseUrl: server.baseUrl, provider });
    await Promise.all([server.stop(), provider?.stop()]);
  },
});

const setOut = (page: Page) => page.getByRole("button", { name: "Sign in with Elm Street login" }).click();

async function beAtProvider(page: Page, subject: string): Promise<void> {
  await expect(page.getByRole("heading", { name: "The provider" })).toBeVisible();
  await page.getByLabel("Account").fill(subject);
  await page.getByRole("button", { name: "Continue" }).click();
}

const linkBySubject = ({ pa }: Stack, { provider }: Fixtures["sso"], email: string, subject: string) =>
  pa(["person", "link", "--email", email, "--subject", subject, "--issuer", provider.issuer]);

test("a provider's account is let in once an administrator linked its subject, and never by its email", async ({
  page,
  practice,
  stack,
  sso,
}) => {
  const subject = `elm-${practice.id}`;
  const { email } = practice.reviewer;
  await sso.provider.account(subject, { claims: { email, email_verified: true } });
  await page.goto(`${sso.baseUrl}/sign-in?next=/account`);
  await setOut(page);
  await beAtProvider(page, subject);
  const refusal = page.getByRole("main").getByRole("alert");
  await expect(refusal).toContainText("No account here is linked");
  await expect(refusal).toContainText(subject);
  expect(page.url()).not.toContain(subject);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `refused sign-in in ${colorScheme}`);
  }

  await linkBySubject(stack, sso, email, subject);
  await setOut(page);
  // The provider knows them by now and asks nothing.
  await page.waitForURL(`${sso.baseUrl}/account`);
  await expect(page.getByText(email).first()).toBeVisible();
  const cookies = await page.context().cookies(sso.baseUrl);
  expect(cookies.map(({ name }) => name)).not.toContain("sso-trip");
  expect(cookies.find(({ name }) => name === "next-auth.session-token")).toMatchObject({ httpOnly: true });
});

test("signing out here or at the provider ends nothing at the other, a sign-in leads to this service alone, and no token reaches the browser", async ({
  page,
  practice,
  stack,
  sso,
}) => {
  const subject = `ends-${practice.id}`;
  await sso.provider.account(subject);
  await linkBySubject(stack, sso, practice.reviewer.email, subject);
  const received: Promise<string>[] = [];
  page.on("response", (answer) => {
    if (!answer.url().startsWith(sso.baseUrl)) return;
    const body = answer.body().then(
      (bytes) => bytes.toString(),
      () => "",
    );
    received.push(Promise.all([answer.allHeaders(), body]).then((all) => JSON.stringify([answer.url(), all])));
  });
  const away = `${sso.baseUrl}/sign-in?next=${encodeURIComponent("/.//elsewhere.example/")}`;
  const isIn = () => expect(page.getByRole("navigation", { name: "Places" })).toBeVisible();
  await page.goto(away);
  await setOut(page);
  await beAtProvider(page, subject);
  await expect(page).toHaveURL(`${sso.baseUrl}/`);
  await isIn();

  await signOut(page);
  await page.waitForURL(`${sso.baseUrl}/sign-in`);
  await page.goto(away);
  await setOut(page);
  // The provider still knows them and asks nothing.
  await expect(page).toHaveURL(`${sso.baseUrl}/`);
  await isIn();

  await page.context().clearCookies({ name: /^_/ });
  await page.goto(`${sso.baseUrl}/account`);
  await expect(page.getByText(practice.reviewer.email).first()).toBeVisible();
  await signOut(page);
  await page.waitForURL(`${sso.baseUrl}/sign-in`);
  await setOut(page);
  await expect(page.getByRole("heading", { name: "The provider" })).toBeVisible();

  const tokens = await sso.provider.tokens();
  expect(tokens.length).toBeGreaterThanOrEqual(4);
  const kept = JSON.stringify([await Promise.all(received), await page.context().cookies(sso.baseUrl)]);
  expect(kept.length).toBeGreaterThan(10_000);
  expect(tokens.filter((token) => kept.includes(token))).toEqual([]);
  const { "a dump of the database": dump = [] } = await databasePlaces(stack);
  expect(tokens.filter((token) => placesWith({ dump }, token).length > 0)).toEqual([]);
});

const shots = process.env.SSO_SHOTS;

/** Holds to the rules; light, dark and narrow for whoever wants to look at it. */
async function look(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page, name);
  if (!shots) return;
  await page.screenshot({ path: `${shots}/${name}-dark.png`, fullPage: true });
  await page.emulateMedia({ colorScheme: "light" });
  await page.screenshot({ path: `${shots}/${name}-light.png`, fullPage: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: `${shots}/${name}-narrow.png`, fullPage: true });
  await page.setViewportSize({ width: 1280, height: 800 });
}

test("somebody invited accepts with their own account at the provider, with what its groups give and no password", async ({
  page,
  browserOf,
  practice,
  stack,
  sso,
}) => {
  // Three browsers and a second service.
  test.slow();
  const [own, colleagues] = [`ilse-${practice.id}`, `maja-${practice.id}`];
  await sso.provider.account(own, { claims: { groups: [`spine-${practice.id}`] } });
  await sso.provider.account(colleagues);
  await stack.sql(
    "INSERT INTO person_identity (issuer, subject, person_id) SELECT $1, $2, id FROM person WHERE email = $3",
    [`${sso.provider.issuer}/`, colleagues, practice.reviewer.email],
  );
  const admin = await browserOf(await aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" }));
  await admin.goto(`${sso.baseUrl}/people`);
  await admin.getByRole("link", { name: "Groups" }).click();
  await admin.getByLabel("Group", { exact: true }).fill(`spine-${practice.id}`);
  await admin.getByLabel("Role", { exact: true }).selectOption("auditor");
  await admin.getByLabel("Where", { exact: true }).selectOption(practice.id);
  await admin.getByRole("button", { name: "Give it" }).click();
  const given = admin.getByRole("row", { name: `spine-${practice.id}` });
  await expect(given).toContainText("Auditor");
  await look(admin, "groups");
  await admin.goto("/people/invite");
  await admin.getByLabel("Email").fill(`ilse-${practice.id}@clinic.example`);
  await admin.locator(`[name="roles"][value="reviewer ${practice.id}"]`).check();
  await admin.getByRole("button", { name: "Send invitation" }).click();
  const link = new URL(await admin.getByRole("textbox", { name: "Link" }).inputValue());

  await page.goto(`${sso.baseUrl}/invite${link.hash}`);
  await page.getByLabel("Your name").first().fill("Ilse Brandt");
  await look(page, "invite");
  const accept = page.getByRole("button", { name: "Accept with Elm Street login" });
  await accept.click();
  await beAtProvider(page, colleagues);
  await expect(page.getByRole("main").getByRole("alert")).toContainText("linked to someone else here");
  await expect(page).toHaveURL(`${sso.baseUrl}/invite`);
  await page.getByLabel("Your name").first().fill("Ilse Brandt");
  await accept.click();
  // It knows the colleague by now, and asks all the same.
  await beAtProvider(page, own);
  await page.waitForURL(`${sso.baseUrl}/`);
  const places = page.getByRole("navigation", { name: "Places" });
  await expect(places.getByRole("link", { name: "Audit" })).toBeVisible();
  await admin.goto(`${sso.baseUrl}/people/groups`);
  await given.getByRole("button", { name: "Take away" }).click();
  await expect(admin.getByRole("main").getByRole("status")).toContainText("no longer");
  await expect(given).toHaveCount(0);
  await page.reload();
  await expect(places.getByRole("link", { name: "Audit" })).toHaveCount(0);

  // What takes a new proof takes it from the provider, in another tab, and nothing typed is lost.
  await stack.sql("UPDATE session SET proved_at = '2026-01-01' WHERE issuer = $1", [`${sso.provider.issuer}/`]);
  await page.goto(`${sso.baseUrl}/account/security`);
  const setUp = page.getByRole("button", { name: "Set up an app" });
  await setUp.click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Verify your identity to continue");
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: /^Verify your identity/ }).click();
  const tab = await opened;
  await expectAccessibleEverywhere(tab, "sso-proof");
  await tab.getByRole("button", { name: "Verify with Elm Street login" }).click();
  await beAtProvider(tab, colleagues);
  await expect(tab.getByRole("main").getByRole("alert")).toContainText("your identity wasn't verified");
  await tab.getByRole("button", { name: "Verify with Elm Street login" }).click();
  await beAtProvider(tab, own);
  await expect(tab.getByRole("main").getByRole("status")).toContainText("Identity verified");
  await tab.close();
  await setUp.click();
  await expect(page.getByLabel("Code the app shows now")).toBeVisible();
  await page.goto(`${sso.baseUrl}/account`);
  await expect(page.getByRole("region", { name: "Elm Street login" })).toContainText("can't be unlinked");
});

test("an own account is linked and unlinked, and somebody else's trip, forced on a browser, decides nothing", async ({
  browserOf,
  practice,
  stack,
  sso,
}) => {
  const [own, foreign] = [`own-${practice.id}`, `foreign-${practice.id}`];
  for (const subject of [own, foreign]) await sso.provider.account(subject);
  const page = await browserOf(practice.reviewer);
  const stranger = await browserOf(
    await aPerson(stack, { roles: ["reviewer"], practices: [practice.id], name: "Eve" }),
  );
  const link = (browser: Page) =>
    browser.getByRole("button", { name: "Link your account at Elm Street login" }).click();
  const { prisma } = stack.operator.store;
  const linked = () => prisma.personIdentity.count({ where: { person: { email: practice.reviewer.email } } });

  // Eve goes as far as the way back, and gets the address of it to a colleague.
  const out = stranger.waitForRequest((request) => request.url().startsWith(`${sso.provider.issuer}/auth`));
  await stranger.goto(`${sso.baseUrl}/account`);
  await link(stranger);
  const address = (await visit(new URL((await out).url()), { as: foreign })).href;
  await page.goto(address);
  expect(await linked()).toBe(0);
  // Even with her own cookie planted beside it.
  const trip = (await stranger.context().cookies()).filter(({ name }) => name === "sso-trip");
  expect(trip).toHaveLength(1);
  await page.context().addCookies(trip);
  await page.goto(address);
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Start again.");
  expect(await linked()).toBe(0);

  await link(page);
  await beAtProvider(page, own);
  await expect(page.getByRole("region", { name: "Elm Street login" })).toContainText(own);
  await look(page, "account-linked");
  expect(await linked()).toBe(1);
  await stack.sql("UPDATE session SET proved_at = '2026-01-01' FROM person p WHERE p.id = person_id AND p.email = $1", [
    practice.reviewer.email,
  ]);
  await page.getByRole("button", { name: "Unlink Elm Street login" }).click();
  const dialog = page.getByRole("dialog", { name: "Unlink Elm Street login?" });
  await expect(dialog).toContainText("sessions started with it end at once");
  const unlink = dialog.getByRole("button", { name: "Unlink" });
  await unlink.click();
  await dialog.getByLabel("Your password").fill(practice.reviewer.password);
  await unlink.click();
  await expect(page.getByRole("region", { name: "Elm Street login" })).toContainText("not linked");
  expect(await linked()).toBe(0);
});

test("who breaks off or comes back unasked is told so, and nothing but a form of ours sets out", async ({
  browser,
  request,
  sso,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const alert = page.getByRole("main").getByRole("alert");
  await page.goto(`${sso.baseUrl}/sign-in`);
  await setOut(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(alert).toHaveText("Elm Street login declined the sign-in. Nothing was changed here. You can try again.");
  await page.goto(`${sso.baseUrl}/sign-in/sso/back?code=again&state=again`);
  await expect(alert).toContainText("Start again.");

  const start = `${sso.baseUrl}/sign-in/sso`;
  expect((await request.get(start)).status()).toBe(405);
  expect((await request.post(start, { form: { next: "/" } })).status()).toBe(403);
  const foreign = { origin: "https://elsewhere.example" };
  expect((await request.post(start, { form: { next: "/" }, headers: foreign })).status()).toBe(403);
  await context.close();
});
