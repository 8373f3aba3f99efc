import type { Page } from "@playwright/test";
import { recordInquiry } from "#lib/submission/record-inquiry";
import { shortIdOf } from "#lib/task/model/short-id";
import { keepUnmatched } from "#lib/payer/inbox/store/unmatched-pushes";
import {
  documentDigestOf,
  endWaits,
  expect,
  fullIntake,
  ledgerOf,
  openCase,
  release,
  signIn,
  test,
  untilState,
  type Practice,
  openTab,
} from "../fixtures/journey.ts";
import { expectAccessible } from "../fixtures/accessible.ts";
import type { Stack } from "../fixtures/stack.ts";

/** What the payer decides by hand or gets wrong on request. */
async function control(stack: Stack, path: string, body: object): Promise<void> {
  const answer = await fetch(`${stack.simulatorUrl}/control/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.ok, await answer.text()).toBe(true);
}

/** As if the time a worker has for one case had passed. */
async function endLease({ sql }: Stack, taskId: string): Promise<void> {
  await sql("UPDATE transmission SET lease_until = now() WHERE task_id = $1 AND phase = 'submitting'", [taskId]);
}

async function sendAndRelease(page: Page, practice: Practice, memberId: string) {
  const sent = await practice.agent.send(fullIntake(practice, { memberId }));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await release(page);
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  return { taskId: sent.id, documentDigest: documentDigestOf(sent) };
}

/** A notification of the payer that matches no case. */
async function bringUnmatched({ operator: { store } }: Stack, practiceId: string): Promise<void> {
  const { id: routeId, payerId } = await store.prisma.route.findFirstOrThrow({
    where: { practiceId, connector: "pas-fhir" },
  });
  const body = Buffer.from('{"resourceType":"Bundle","type":"history","entry":[]}');
  await keepUnmatched(store, { routeId, practiceId, payerId, digest: "none", body });
}

async function timesReceived(stack: Stack, sha256: string): Promise<number> {
  return (await ledgerOf(stack)).filter((entry) => entry.sha256 === sha256).reduce((sum, { times }) => sum + times, 0);
}

test("a pended answer is followed until the payer decides", async ({ page, practice, stack }) => {
  const { taskId } = await sendAndRelease(page, practice, "HM-77-PEND");
  const pended = await untilState(practice.agent, taskId, "transmitted", { hurry: stack });
  expect(pended.payerReference).toBeTruthy();
  await control(stack, "decide", { reference: pended.payerReference, action: "A3" });
  expect(await untilState(practice.agent, taskId, "determined", { hurry: stack })).toMatchObject({
    determination: { outcome: "denied" },
  });
});

test("a worker killed while the payer answers loses nothing and sends nothing twice", async ({
  page,
  practice,
  stack,
}) => {
  await control(stack, "faults", { fault: "slow", on: "submit", times: 1, ms: 30_000 });
  const { taskId, documentDigest } = await sendAndRelease(page, practice, "HM4471029");
  await endWaits(stack, taskId);
  await expect.poll(() => timesReceived(stack, documentDigest), { timeout: 30_000 }).toBe(1);
  await stack.kill("worker");
  expect(await practice.agent.get(taskId)).toMatchObject({ state: "transmitting" });
  await endLease(stack, taskId);
  await stack.begin("worker");
  const decided = await untilState(practice.agent, taskId, "determined", { hurry: stack });
  expect(decided.determination?.outcome).toBe("approved");
  expect(await timesReceived(stack, documentDigest)).toBe(1);
});

test("a reply that was lost is asked for, never sent for again", async ({ page, practice, stack }) => {
  await control(stack, "faults", { fault: "drop", on: "submit", times: 1 });
  const { taskId, documentDigest } = await sendAndRelease(page, practice, "HM4471029");
  await untilState(practice.agent, taskId, "determined", { hurry: stack });
  expect(await timesReceived(stack, documentDigest)).toBe(1);
});

test("doubt the payer's system cannot end is ended by a person, and nothing leaves without a new release", async ({
  page,
  practice,
  stack,
}) => {
  await control(stack, "faults", { fault: "drop", on: "submit", times: 1 });
  await control(stack, "faults", { fault: "error-500", on: "inquire", times: 50 });
  const { taskId } = await sendAndRelease(page, practice, "HM4471029");
  await untilState(practice.agent, taskId, "transmit-unconfirmed", { hurry: stack });
  await page.reload();
  const whom = page.getByLabel("Person you asked");
  await whom.fill("Harbor Mutual provider line, Lee");
  await page.getByLabel("How you asked").selectOption("phone");
  await page.getByLabel("What the payer said").fill("They have no such request.");
  await test.step("no key that submits the form says what nobody chose", async () => {
    await expectAccessible(page, "case in doubt");
    for (const key of ["Enter", "Control+Enter"]) {
      await whom.press(key);
      await expect(page.getByRole("radio", { name: "Payer confirmed receipt" })).toBeFocused();
      expect(await practice.agent.get(taskId)).toMatchObject({ state: "transmit-unconfirmed" });
    }
  });
  await page.getByRole("radio", { name: "Payer has no record" }).check();
  await expect(page.getByRole("button", { name: "Record: payer has no record" })).toBeVisible();
  await page.getByLabel("What the payer said").press("Control+Enter");
  const held = await untilState(practice.agent, taskId, "transmit-held", { hurry: stack });
  expect(held.gate).toMatchObject({ action: "transmit", status: "open" });
  await expect(await openTab(page, "Payer")).toContainText(/Lee, asked by phone: payer has no record/);
  await fetch(`${stack.simulatorUrl}/control/faults`, { method: "DELETE" });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("Enter ends no doubt before an outcome is chosen, and then in the sense that was chosen", async ({
    page,
    practice,
    stack,
  }) => {
    await control(stack, "faults", { fault: "drop", on: "submit", times: 1 });
    await control(stack, "faults", { fault: "error-500", on: "inquire", times: 50 });
    const { taskId } = await sendAndRelease(page, practice, "HM4471029");
    await untilState(practice.agent, taskId, "transmit-unconfirmed", { hurry: stack });
    await page.reload();
    const whom = page.getByLabel("Person you asked");
    await whom.fill("Harbor Mutual provider line, Lee");
    await page.getByLabel("How you asked").selectOption("phone");
    await whom.press("Enter");
    await expect(page.getByRole("radio", { name: "Payer confirmed receipt" })).toBeFocused();
    expect(await practice.agent.get(taskId)).toMatchObject({ state: "transmit-unconfirmed" });
    await page.getByRole("radio", { name: "Payer has no record" }).check();
    await whom.press("Enter");
    await untilState(practice.agent, taskId, "transmit-held", { hurry: stack });
    await expect(await openTab(page, "Payer")).toContainText(/Lee, asked by phone: payer has no record/);
    await fetch(`${stack.simulatorUrl}/control/faults`, { method: "DELETE" });
  });
});

test("an answer that was not understood is read as it was received, as text, and so is what matches no case", async ({
  page,
  practice,
  stack,
}) => {
  await control(stack, "faults", { fault: "html", on: "submit", times: 1 });
  await control(stack, "faults", { fault: "error-500", on: "inquire", times: 50 });
  const { taskId } = await sendAndRelease(page, practice, "HM4471029");
  await untilState(practice.agent, taskId, "transmit-unconfirmed", { hurry: stack });
  await page.reload();
  const answers = page.getByRole("region", { name: "Payer answers as received" });
  await answers.getByText("Answer to a submission").click();
  await expect(page.frameLocator('iframe[title="Answer to a submission"]').locator("body")).toContainText(
    "<!doctype html>",
  );
  const saved = page.waitForEvent("download");
  await answers.getByRole("link", { name: "Save the whole" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^payer-answer-.*\.txt$/);
  await fetch(`${stack.simulatorUrl}/control/faults`, { method: "DELETE" });

  await bringUnmatched(stack, practice.id);
  await page.goto("/queue");
  await page.getByRole("link", { name: "1 payer notification matches no case" }).click();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `unmatched notifications in ${colorScheme}`);
  }
  const notification = page.getByRole("group").filter({ hasText: `to ${practice.name}` });
  await notification.getByText(`to ${practice.name}`).click();
  await page.getByRole("button", { name: "Mark as handled" }).click();
  await expect(page.getByText("No unmatched notifications")).toBeVisible();
});

test("what the payer's server did not take goes out again by itself, once", async ({ page, practice, stack }) => {
  await control(stack, "faults", { fault: "rate-limited", on: "submit", times: 1 });
  const { taskId, documentDigest } = await sendAndRelease(page, practice, "HM4471029");
  await untilState(practice.agent, taskId, "determined", { hurry: stack });
  expect(await timesReceived(stack, documentDigest)).toBe(1);
});

test("an approval under the number of another case is for a person, who is led to that case", async ({
  page,
  practice,
  stack,
}) => {
  const { taskId: first } = await sendAndRelease(page, practice, "HM-91");
  const { determination } = await untilState(practice.agent, first, "determined", { hurry: stack });
  const other = await practice.agent.send(fullIntake(practice, { memberId: "HM-92-PEND", code: "97110" }));
  await openCase(page, other.id);
  await release(page);
  await untilState(practice.agent, other.id, "transmitted", { hurry: stack });
  const { authorizationNumber } = determination ?? {};
  const approval = { outcome: "approved", authorizationNumber, lines: [], notes: [], source: "connector" } as const;
  const answer = { type: "match", answer: { type: "decided", determination: approval } } as const;
  const worker = { actor: { kind: "worker" }, store: stack.operator.store } as const;
  await recordInquiry(worker, { taskId: other.id, response: { answer, bytes: Buffer.from("{}") } });
  expect(await practice.agent.get(other.id)).toMatchObject({ state: "transmitted" });
  await page.goto(`/tasks/${other.id}`);
  const decision = page.getByRole("region", { name: "Status" });
  await expect(decision).toContainText(
    "The payer's reply gives the authorization number of a case for another service.",
  );
  await expectAccessible(page, "a case whose answer has another's number");
  await decision.getByRole("link", { name: shortIdOf(first) }).click();
  await page.waitForURL(`**/tasks/${first}`);
});
