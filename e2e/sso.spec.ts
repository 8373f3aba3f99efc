import type { Page } from "@playwright/test";
import { client } from "../test/oidc/account.ts";
import { type RunningProvider, runProvider } from "../test/oidc/running.ts";
import { expectAccessible } from "./fixtures/accessible.ts";
import { aPerson, expect, test as base } from "./fixtures/journey.ts";
import type { Stack } from "./fixtures/stack.ts";

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

test("somebody invited accepts with their own account at the provider, and not with a colleague's", async ({
  page,
  browserOf,
  practice,
  stack,
  sso,
}) => {
  const [own, colleagues] = [`ilse-${practice.id}`, `maja-${practice.id}`];
  for (const subject of [own, colleagues]) await sso.provider.account(subject);
  await stack.sql(
    "INSERT INTO person_identity (issuer, subject, person_id) SELECT $1, $2, id FROM person WHERE email = $3",
    [`${sso.provider.issuer}/`, colleagues, practice.reviewer.email],
  );
  const admin = await browserOf(await aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" }));
  await admin.goto("/people");
  await admin.getByLabel("Email").fill(`ilse-${practice.id}@clinic.example`);
  await admin.locator(`[name="roles"][value="reviewer ${practice.id}"]`).check();
  await admin.getByRole("button", { name: "Invite" }).click();
  const link = new URL(await admin.getByLabel("Link").inputValue());

  await page.goto(`${sso.baseUrl}/invite${link.hash}`);
  await page.getByLabel("Your name").first().fill("Ilse Brandt");
  await look(page, "invite");
  const accept = page.getByRole("button", { name: "Accept with Elm Street login" });
  await accept.click();
  await beAtProvider(page, colleagues);
  await expect(page.getByRole("main").getByRole("alert")).toContainText("linked to somebody else here");
  await expect(page).toHaveURL(`${sso.baseUrl}/invite`);
  await page.getByLabel("Your name").first().fill("Ilse Brandt");
  await accept.click();
  // It knows the colleague by now, and asks all the same.
  await beAtProvider(page, own);
  await page.waitForURL(`${sso.baseUrl}/queue`);
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
  await expect(alert).toHaveText("Elm Street login did not let you through. Nothing happened here; you can try again.");
  await page.goto(`${sso.baseUrl}/sign-in/sso/back?code=again&state=again`);
  await expect(alert).toContainText("Begin it again.");

  const start = `${sso.baseUrl}/sign-in/sso`;
  expect((await request.get(start)).status()).toBe(405);
  expect((await request.post(start, { form: { next: "/" } })).status()).toBe(403);
  const foreign = { origin: "https://elsewhere.example" };
  expect((await request.post(start, { form: { next: "/" }, headers: foreign })).status()).toBe(403);
  await context.close();
});
