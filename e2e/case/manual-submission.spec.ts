import type { Page } from "@playwright/test";
import { inDays } from "#test/support/agents/reviews";
import {
  aPractice,
  aVoid,
  expect,
  fullIntake,
  openCase,
  release,
  reportSent,
  shortIdOf,
  signIn,
  standing,
  test,
  untilState,
  type Practice,
  openTab,
} from "../fixtures/journey.ts";
import { expectAccessible } from "../fixtures/accessible.ts";

/** A case with everything on it, for a payer without an electronic connection. */
function manualIntake(practice: Practice) {
  const { serviceReview, ...intake } = fullIntake(practice);
  const providerNotes = [{ message: "Six weeks of physiotherapy.\n\nNo relief." }];
  return { ...intake, serviceReview: { ...serviceReview, payer: { id: "60054" }, providerNotes } };
}

async function releaseForManual(page: Page, practice: Practice) {
  const sent = await practice.agent.send(manualIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await release(page);
  return sent;
}

test("a released packet prints as one sheet that names the released digests, in light, dark and on paper", async ({
  page,
  practice,
}) => {
  const sent = await releaseForManual(page, practice);
  await page.getByRole("link", { name: "Open packet" }).click();
  await expect(page).toHaveTitle(new RegExp(`^Packet ${shortIdOf(sent.id)}`));
  const sheet = page.getByRole("main");
  for (const text of ["TEST, NOT A REAL CASE", `${sent.id}-1-T`, "Okafor, Adaeze", "72148", "M54.16", "No relief."]) {
    await expect(sheet).toContainText(text);
  }
  const text = (await sheet.innerText()).replaceAll(/\s/g, "");
  for (const digest of [sent.gate?.digest, sent.gate?.documentDigests[0]]) expect(text).toContain(digest);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, colorScheme);
  }
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(page.getByRole("navigation")).toBeHidden();
  await expect(page.getByText(`Trace number ${sent.id}-1-T`)).toBeVisible();
});

test("there is no packet to print before the release, nor for anybody of another practice", async ({
  page,
  practice,
  browserOf,
  stack,
}) => {
  const sent = await practice.agent.send(manualIntake(practice));
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${sent.id}/packet`);
  await page.waitForURL(`**/tasks/${sent.id}`);
  await release(page);
  await expect(page.getByRole("link", { name: "Open packet" })).toBeVisible();
  const stranger = await browserOf((await aPractice(stack)).reviewer);
  const answer = await stranger.goto(`/tasks/${sent.id}/packet`);
  expect(answer?.status()).toBe(404);
});

/** One grey pixel. */
const letter = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
  "base64",
);

/** A case the payer has, with two lines, and its page as it stands. */
async function submitManually(page: Page, practice: Practice) {
  const { serviceReview, ...intake } = manualIntake(practice);
  const procedures = [...serviceReview.procedures, { code: "97110", quantity: 12, quantityTypeCode: "VS" }];
  const sent = await practice.agent.send({ ...intake, serviceReview: { ...serviceReview, procedures } });
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await release(page);
  await reportSent(page, { reference: "FAX-2231" });
  await expect(page.getByRole("button", { name: "Record determination" })).toBeVisible();
  return sent;
}

test("a sending by hand defaults to now, is not taken for a time to come, and keeps what was typed", async ({
  page,
  practice,
}) => {
  const sent = await releaseForManual(page, practice);
  await page.getByRole("button", { name: "Start manual submission" }).click();
  await page.getByRole("radio", { name: "Submitted" }).check();
  const sentAt = page.getByLabel("Submitted at");
  const shown = await sentAt.inputValue();
  // The practice's clocks, as the page says.
  const there = new Date().toLocaleString("sv-SE", { timeZone: "America/New_York" }).replace(" ", "T");
  expect(Math.abs(Date.parse(`${shown}Z`) - Date.parse(`${there}Z`))).toBeLessThan(120_000);
  await page.getByLabel("How you submitted it").selectOption("fax");
  await page.getByLabel("Recipient").fill("605-555-0142");
  await sentAt.fill("2199-01-01T00:00");
  await page.getByRole("button", { name: "Mark as submitted", exact: true }).click();
  await expect(page.getByText(/^The submission time .*in the future/)).toBeVisible();
  await expect(sentAt).toBeFocused();
  await expect(page.getByLabel("Recipient")).toHaveValue("605-555-0142");
  await expect(page.getByLabel("How you submitted it")).toHaveValue("fax");
  await sentAt.fill(shown);
  await page.getByRole("button", { name: "Mark as submitted", exact: true }).click();
  await untilState(practice.agent, sent.id, "transmitted");
  await expect(await openTab(page, "Payer")).toContainText("Dana Whitfield submitted it by fax (605-555-0142)");
  await expect(await openTab(page, "Details", "History")).toContainText(/submitted; the payer received it, by fax at/);
});

test("a manual void is called one at every step, with the number it takes away and why", async ({ page, practice }) => {
  const sent = await submitManually(page, practice);
  const notes = await openTab(page, "Notes");
  await expect(notes).toContainText("Written by the agent. Submitted to the payer.");
  await page.getByLabel("Outcome").selectOption("approved");
  await page.getByLabel("How you learned it").selectOption("portal");
  await page.getByRole("textbox", { name: "Evidence" }).fill("Portal, page 1");
  await page.getByRole("button", { name: "Record determination" }).click();
  await untilState(practice.agent, sent.id, "determined");
  await expect(page.getByRole("region", { name: "Approval" })).toContainText(/Authorization number\s*Not recorded/);
  await expect(await openTab(page, "Payer")).toContainText(/Authorization number\s*Not recorded/);

  await practice.agent.send(aVoid(practice), { taskId: sent.id });
  await page.reload();
  await release(page);
  await expect(standing(page)).toContainText("Manual void");
  await expect(standing(page)).toContainText("Awaiting manual void");
  const steps = page.getByRole("region", { name: "Manual void" });
  await expect(steps).toContainText("Surgery was cancelled.");
  await expect(steps).toContainText(/Authorization number\s*Not recorded/);
  await steps.getByRole("button", { name: "Start manual void" }).click();
  await expect(standing(page)).toContainText("A reviewer is voiding the request with the payer.");
  await expectAccessible(page, "a manual void");
  await steps.getByRole("radio", { name: "Void submitted" }).check();
  await steps.getByLabel("How you submitted it").selectOption("phone");
  await steps.getByRole("button", { name: "Mark void as submitted" }).click();
  await untilState(practice.agent, sent.id, "voided");
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled });

    test("an outcome line by line is recorded as the payer's, and what was typed survives a refusal", async ({
      page,
      practice,
    }) => {
      const sent = await submitManually(page, practice);
      await expect(page.getByRole("group", { name: "Service 1: 72148" })).toBeHidden();
      await page.getByLabel("Outcome").selectOption("by-line");
      const first = page.getByRole("group", { name: /^Service 1:/ });
      const second = page.getByRole("group", { name: /^Service 2:/ });
      await first.getByLabel("Answer").selectOption("A3");
      await first.getByLabel("Reason codes").fill("0F");
      await second.getByLabel("Answer").selectOption("A6");
      await page.getByLabel("Valid to").fill(inDays(130));
      await page.getByLabel("How you learned it").selectOption("phone");
      await page.getByLabel("Who told you").fill("Lee, provider line");
      await page.getByRole("textbox", { name: "Evidence" }).fill("Call 4471");
      await page.getByRole("button", { name: "Record determination" }).click();

      await expect(second.getByText(/must differ from the request/)).toBeVisible();
      await expect(first.getByLabel("Reason codes")).toHaveValue("0F");
      await expect(page.getByLabel("Who told you")).toHaveValue("Lee, provider line");
      await second.getByLabel(/^Quantity/).fill("6");
      await second.getByLabel("Provider NPIs").fill("1093707960");
      // Longer than Next takes by itself.
      const buffer = Buffer.concat([letter, Buffer.alloc(2 * 1024 * 1024)]);
      await page.getByLabel("The payer's letter").setInputFiles({ name: "letter.png", mimeType: "image/png", buffer });
      await page.getByRole("button", { name: "Record determination" }).click();

      const decided = await untilState(practice.agent, sent.id, "determined");
      expect(decided.determination).toMatchObject({
        outcome: "modified",
        learned: { by: "phone", from: "Lee, provider line" },
        lines: [
          { action: "A3", reasons: [{ code: "0F" }] },
          {
            action: "A6",
            requested: { quantity: 12, providers: ["1234567893"], place: "22" },
            authorized: { quantity: 6, providers: ["1093707960"], place: "22" },
          },
        ],
      });
      const approval = page.getByRole("region", { name: "Approval" });
      await expect(approval).toContainText("6 of 12 visits authorized");
      const beside = approval.getByRole("table", { name: "Authorized on service 2" });
      await expect(beside.locator("mark")).toContainText(["6 visits", "1093707960"]);
      await expect(beside).toContainText("Maja Lindqvist (1234567893)");
      await expect(page.getByRole("table", { name: "The payer's answer to each service" })).toContainText(
        "97110, 6 visits",
      );
      const recorded = page.getByRole("region", { name: "Determination" });
      await recorded.getByText("The payer's letter", { exact: true }).click();
      const image = recorded.getByRole("img", { name: "The payer's letter" });
      await expect(image).toBeVisible();
      const served = await page.request.get((await image.getAttribute("src")) ?? "");
      expect((await served.body()).equals(buffer)).toBe(true);

      await page.goto(`/tasks/${sent.id}/print`);
      const printed = page.getByRole("region", { name: "Payer's determination" });
      await expect(printed).toContainText("Approved with changes");
      await expect(printed).toContainText("97110, 6 visits");
      // Before what the reviewer decided, and with the proof at the end.
      await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText("Payer's determination");
      await expect(page.getByRole("heading", { level: 2 }).last()).toHaveText("Proof");
    });
  });
}
