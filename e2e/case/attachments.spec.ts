import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { aPdf, aPng } from "#test/support/agents/files";
import {
  aPractice,
  expect,
  openCase,
  openTab,
  requestInformation,
  signIn,
  smallIntake,
  standing,
  test,
} from "../fixtures/journey.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const order = aPdf("Order for an MRI");
const scan = aPng({ width: 320, height: 200 });
const letter = Buffer.from("<script>document.title = 'run'</script>\nSix weeks of therapy.");
const summary = Buffer.from(
  '<?xml version="1.0"?><a xmlns="http://www.w3.org/1999/xhtml"><script>document.title="run"</script></a>',
);

const documents = (page: Page) => page.getByRole("tabpanel", { name: "Documents" });
const listed = (page: Page, name: string) =>
  documents(page).getByRole("list", { name: "Documents" }).getByRole("listitem").filter({ hasText: name });
const pathOf = (taskId: string, bytes: Uint8Array) => `/tasks/${taskId}/attachments/${sha256(bytes)}`;

test("a reviewer reads, zooms and searches a PDF in the case, sees an image, and which are new since their last answer", async ({
  page,
  practice,
}) => {
  const { agent, reviewer } = practice;
  const sent = await agent.send(smallIntake(practice), { files: [{ bytes: order, name: "../Order\u202efdp.pdf" }] });
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
  });
  await signIn(page, reviewer);
  const response = page.waitForResponse((response) => response.url().endsWith(pathOf(sent.id, order)));
  await openCase(page, sent.id);
  expect((await response).headers()).toMatchObject({
    "content-type": "application/pdf",
    "x-content-type-options": "nosniff",
  });
  const sheet = documents(page).getByRole("region", { name: "Orderfdp.pdf" });
  await expect(sheet.getByText("Order for an MRI")).toBeAttached();
  await expect(documents(page).getByText("1 / 1")).toBeVisible();
  await documents(page).getByRole("button", { name: "Zoom in" }).click();
  await expect(documents(page).getByRole("button", { name: /^Fit the width. Now \d+ %$/ })).toBeVisible();
  await documents(page).getByRole("searchbox").fill("mri");
  await expect(documents(page).getByText("1 of 1")).toBeVisible();
  await documents(page).getByText("SHA-256").click();
  expect((await documents(page).getByText(sha256(order).slice(0, 8)).first().innerText()).length).toBe(8);
  expect(violations).toEqual([]);
  await test.step("the case with its document fits a laptop's screen, and all tabs are on it", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThan(1);
    await expect(page.getByRole("tab", { name: "Details" })).toBeInViewport({ ratio: 0.99 });
  });

  await requestInformation(page, "Is there an image?");
  await expect(standing(page)).toContainText(/information requested/i);
  await agent.send(smallIntake(practice), { taskId: sent.id, files: [{ bytes: scan, name: "scan.png" }] });
  await page.reload();
  await expect(listed(page, "scan.png")).toContainText("New");
  await expect(listed(page, "Orderfdp.pdf")).not.toContainText("New");
  await listed(page, "scan.png").getByRole("link").click();
  const image = page.getByRole("img", { name: "scan.png" });
  await expect(image).toBeVisible();
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(320);
  await expect(await openTab(page, "Details", "Changes")).toContainText(sha256(scan).slice(0, 12));
});

test("a case shows the agent's newest notes, and all of them to whoever asks", async ({ page, practice }) => {
  const { agent, reviewer } = practice;
  const note = (word: string) => `${word} note. ${"The knee hurts at night. ".repeat(500)}`;
  const sent = await agent.send(smallIntake(practice), { note: note("First") });
  await agent.send(smallIntake(practice), { taskId: sent.id, note: note("Last") });
  await signIn(page, reviewer);
  await openCase(page, sent.id);
  await openTab(page, "Notes");
  const section = page.getByRole("region", { name: "Notes to the reviewer" });
  await expect(section).toContainText("Last note.");
  await expect(section).not.toContainText("First note.");
  await section.getByRole("link", { name: "Show all notes" }).click();
  await expect(section).toContainText("First note.");
  await expect(section).toContainText("Last note.");
  await expect(section.getByRole("link", { name: "Show all notes" })).toHaveCount(0);
});

test("XML and text are shown as characters and run nothing, on the page or opened by themselves", async ({
  page,
  practice,
}) => {
  const files = [
    { bytes: letter, name: "letter.html" },
    { bytes: summary, name: "summary.xml" },
  ];
  const sent = await practice.agent.send(smallIntake(practice), { files });
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  for (const { bytes, name } of files) {
    await listed(page, name).getByRole("link").click();
    await expect(documents(page).getByRole("region", { name })).toHaveText(bytes.toString().replaceAll("\n", " "));
  }
  const address = page.url();
  for (const { bytes } of files) {
    const answer = await page.goto(pathOf(sent.id, bytes));
    expect(answer?.headers()).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-security-policy": expect.stringMatching(/^default-src 'none';.*; sandbox; frame-ancestors 'self'$/),
      "cache-control": "private, no-store",
    });
    expect(await page.title()).not.toBe("run");
    await page.goto(address);
  }
});

test("a file is saved under its own name with the extension of what it is", async ({ page, practice }) => {
  const files = [{ bytes: Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]), name: "Röntgen.exe" }];
  const sent = await practice.agent.send(smallIntake(practice), { files });
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save" }).click();
  expect((await saving).suggestedFilename()).toBe("Röntgen.exe.tif");
});

test("nobody but a reviewer of the practice finds a file, and to all of them it is not there", async ({
  page,
  practice,
  stack,
  browserOf,
}) => {
  const sent = await practice.agent.send(smallIntake(practice), { files: [{ bytes: order }] });
  const path = pathOf(sent.id, order);
  const stranger = await browserOf((await aPractice(stack)).reviewer);
  await signIn(page, practice.reviewer);
  expect((await page.request.get(path)).status()).toBe(200);
  const answers = await Promise.all([
    fetch(`${stack.baseUrl}${path}`, { redirect: "manual" }),
    ...[path, pathOf(sent.id, scan), path.replace(sent.id, "x")].map(async (wanted) => {
      const answer = await (wanted === path ? stranger : page).request.get(wanted, { maxRedirects: 0 });
      return { status: answer.status(), text: () => answer.text() };
    }),
  ]);
  for (const answer of answers) expect([answer.status, await answer.text()]).toEqual([404, "Not found"]);
});
