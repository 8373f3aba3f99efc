import { expect, arrive, smallIntake, test } from "../fixtures/journey.ts";

test("a reviewer chooses how they are told, and the browser announces what waits while they look elsewhere", async ({
  practice,
  page,
  context,
}) => {
  // Chromium without windows denies notifications whoever grants them, so a person's yes is played, and what would be shown is kept.
  await context.addInitScript(() => {
    const shown: string[] = [];
    window.Notification = class extends window.Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        if (sessionStorage.getItem("allowed") === "yes") shown.push(title);
      }
      static override get permission(): NotificationPermission {
        return sessionStorage.getItem("allowed") === "yes" ? "granted" : "default";
      }
      static override requestPermission(): Promise<NotificationPermission> {
        sessionStorage.setItem("allowed", "yes");
        return Promise.resolve("granted");
      }
    };
    Object.assign(window, { shown });
  });
  await arrive(page, practice.reviewer);
  const menu = page.locator("summary").filter({ hasText: practice.reviewer.name });
  await menu.click();
  await page.getByRole("link", { name: "Your account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
  await page.getByRole("link", { name: "Notifications", exact: true }).click();
  await page.getByLabel("A request awaits release").selectOption("hourly");
  await page.getByRole("button", { name: "Save notifications" }).click();
  await expect(page.getByText("Saved. It applies to what happens from now on.")).toBeVisible();
  await expect(page.getByLabel("A request awaits release")).toHaveValue("hourly");

  // The server draws the page dark, so that no light one is seen before a script runs.
  await menu.click();
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await expect(page.locator("html[data-theme=dark]")).toBeAttached();
  const drawn = await (await page.request.get("/account")).text();
  expect(drawn).toMatch(/<html [^>]*lang="en" data-theme="dark"/);
  expect(drawn).toContain('<meta name="color-scheme" content="dark"');
  await menu.click();

  await page.getByRole("button", { name: "Turn on notifications" }).click();
  await expect(page.getByRole("button", { name: "Turn off notifications" })).toBeVisible();
  const heads = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/live");
  await page.reload();
  await heads;
  // As where the reader looks at another window.
  await page.evaluate(() => Object.defineProperty(document, "hidden", { get: () => true }));
  // The stream's first words say where it begins; only what comes after is news.
  await expect(async () => {
    await practice.agent.send(smallIntake(practice));
    await expect
      .poll(() => page.evaluate(() => (window as { shown?: string[] }).shown), { timeout: 8_000 })
      .toContainEqual(expect.stringMatching(/^\d cases? waits? at Elm Street Spine$/));
  }).toPass();
});
