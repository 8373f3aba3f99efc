import { randomBytes } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { setRoute } from "#lib/practice/set-route";
import { done } from "#test/support/people/admin";
import { aPdf } from "#test/support/agents/files";
import {
  caseLink,
  documentDigestOf,
  endWaits,
  expect,
  fullIntake,
  ledgerOf,
  openCase,
  release,
  releaseButton,
  reportSent,
  signIn,
  standing,
  test,
} from "../fixtures/journey.ts";

const appeal = { type: "reconsideration", reason: "Six weeks of therapy failed; see the therapist's report." };

/** One of the forms about the payer, unfolded. */
async function unfold(page: Page, title: string, intent: string) {
  await page.getByText(title, { exact: true }).click();
  return page.locator(`form[data-form=${intent}]`);
}

/** The field that the server refused says why, and has the focus. */
async function faulty(field: Locator, why: string): Promise<void> {
  await expect(field).toHaveAccessibleDescription(new RegExp(`${why}$`));
  await expect(field).toBeFocused();
}

/** A page of its own answers a form that is sent without scripts; what was refused stands open on it. */
async function refusedWithoutScripts(page: Page): Promise<void> {
  const storageState = await page.context().storageState();
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false, storageState });
  if (!context) throw new Error("The page has no browser to open another context in.");
  const plain = await context.newPage();
  await plain.goto(page.url());
  const talk = await unfold(plain, "Record a peer-to-peer review", "record-peer-to-peer");
  await talk.getByLabel("Status").selectOption("scheduled");
  await talk.getByRole("button", { name: "Record peer-to-peer review" }).click();
  await expect(talk.getByText("The date and time must be given.")).toBeVisible();
  await expect(talk.getByLabel("Status")).toHaveValue("scheduled");
  await context.close();
}

/** On a phone one press leads past the request to the denial, and back on a desk all is as before. */
async function onAPhone(page: Page): Promise<void> {
  const desk = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("link", { name: "Status and next steps" }).click();
  await expect(page.getByRole("region", { name: "Denial", exact: true })).toBeInViewport();
  if (desk) await page.setViewportSize(desk);
  await expect(page.getByRole("link", { name: "Status and next steps" })).toBeHidden();
}

/** As a field of date and time takes it. */
function nowInNewYork(): string {
  return new Date().toLocaleString("sv-SE", { timeZone: "America/New_York" }).replace(" ", "T").slice(0, 16);
}

test("a denial goes by a peer-to-peer review and a reconsideration to an approval, and the payer's wire gets the first request alone", async ({
  page,
  stack,
  practice,
}) => {
  test.setTimeout(180_000);
  const to = { practiceId: practice.id, payerId: "87042", payerName: "Harbor Mutual", environment: "test" } as const;
  const route = { connector: "pas-fhir", credential: "simulator-token", url: `${stack.simulatorUrl}/fhir` } as const;
  await done(setRoute(stack.operator, { ...to, ...route }));
  const memberId = `HM-${randomBytes(4).toString("hex")}-DENY`;
  const intake = fullIntake(practice, { memberId });
  const sent = await practice.agent.send(intake);
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await release(page);
  const until = async (state: string) => {
    const now = async () => {
      await endWaits(stack, sent.id);
      return (await practice.agent.get(sent.id)).state;
    };
    await expect.poll(now, { timeout: 60_000, message: `the task becomes ${state}` }).toBe(state);
    await page.reload();
    return practice.agent.get(sent.id);
  };
  const denied = await until("determined");
  expect(denied).toMatchObject({ determination: { outcome: "denied" }, nextAction: { by: "agent" } });
  await onAPhone(page);
  await refusedWithoutScripts(page);

  const terms = await unfold(page, "Record the appeal deadline", "record-appeal-terms");
  await terms.getByLabel("Evidence").fill("Letter");
  await terms.getByRole("button", { name: "Record appeal deadline" }).click();
  await faulty(terms.getByLabel("Last day to appeal"), "The last day to appeal must be entered, or how to appeal.");
  await terms.getByLabel("Last day to appeal").fill("2099-01-31");
  await terms.getByLabel("How to appeal").fill("By fax to 605-555-0100.");
  await terms.getByLabel("Evidence").fill("Letter, page 2");
  await terms.getByRole("button", { name: "Record appeal deadline" }).click();
  const after = page.getByRole("region", { name: "After the adverse determination" });
  await expect(after).toContainText("01/31/2099");
  await page.goto("/queue?view=denied");
  await expect(page.getByRole("columnheader", { name: "Act by" })).toBeVisible();
  await caseLink(page, sent.id).click();

  const talk = await unfold(page, "Record a peer-to-peer review", "record-peer-to-peer");
  await talk.getByLabel("Status").selectOption("held");
  await talk.getByRole("button", { name: "Record peer-to-peer review" }).click();
  await faulty(talk.getByLabel("Date and time"), "The date and time must be given.");
  await talk.getByLabel("Date and time").fill(nowInNewYork());
  await talk.getByLabel("Outcome").selectOption("upheld");
  await talk.getByLabel("Our clinician").fill("Dr. Rao");
  await talk.getByLabel("Payer's clinician").fill("Dr. Lindqvist");
  await talk.getByRole("button", { name: "Record peer-to-peer review" }).click();
  await expect(after).toContainText("the determination is upheld");
  await expect(page.getByRole("region", { name: "Manual submission" })).toContainText("Dr. Rao");

  const review = { ...intake.serviceReview, appeal };
  const file = { bytes: aPdf("Therapy report"), name: "report.pdf" };
  const contested = await practice.agent.send({ ...intake, serviceReview: review }, { taskId: sent.id, files: [file] });
  expect(contested).toMatchObject({ state: "transmit-held", revision: { number: 2 } });
  await page.reload();
  await expect(page.getByRole("region", { name: "Reconsideration" })).toContainText(appeal.reason);
  await expect(page.getByText(documentDigestOf(contested)).first()).toBeAttached();
  await expect(releaseButton(page)).toContainText("Release reconsideration for manual submission");
  await release(page);
  await reportSent(page, { reference: "FAX-2231" });
  await until("transmitted");
  await expect(standing(page)).toContainText("Change with payer");

  const decision = page.locator("form[data-form=record-determination]");
  if (await decision.isHidden()) await page.getByText("Record the payer's decision", { exact: true }).click();
  await decision.getByLabel("Outcome").selectOption("approved");
  await decision.getByLabel("Authorization number").fill("PA-90017");
  await decision.getByLabel("How you learned it").selectOption("letter");
  await decision.getByLabel("Evidence").fill("Letter of the appeals unit");
  await decision.getByRole("button", { name: "Record determination" }).click();
  expect(await until("determined")).toMatchObject({
    determination: { outcome: "approved", authorizationNumber: "PA-90017", revision: 2 },
    nextAction: { by: "none" },
  });
  await expect(after).toHaveCount(0);
  const received = (await ledgerOf(stack)).filter((entry) => entry.memberId === memberId && entry.kind !== "inquiry");
  expect(received).toMatchObject([{ kind: "request", sha256: documentDigestOf(sent), times: 1 }]);
});
