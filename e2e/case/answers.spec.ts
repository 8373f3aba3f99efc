import { setLineOfBusiness } from "#lib/practice/set-line-of-business";
import { setRoute } from "#lib/practice/set-route";
import { done } from "#test/support/people/admin";
import { expectAccessible } from "../fixtures/accessible.ts";
import {
  aVoid,
  expect,
  fullIntake,
  openCase,
  RefusedCall,
  release,
  reportSent,
  signIn,
  smallIntake,
  standing,
  test,
  untilState,
  decline,
  requestInformation,
  releaseButton,
  openTab,
} from "../fixtures/journey.ts";
import type { Stack } from "../fixtures/stack.ts";

test("a decline tells the agent why and ends the task", async ({ page, practice }) => {
  const sent = await practice.agent.send(smallIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await decline(page, "The member changed plans.");
  await expect(standing(page)).toContainText(/declined/i);
  expect(await practice.agent.get(sent.id)).toMatchObject({
    state: "declined",
    gate: { reason: "The member changed plans." },
  });
});

test("a case sent back is amended by the agent, and the reviewer sees what changed", async ({ page, practice }) => {
  const sent = await practice.agent.send(smallIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await requestInformation(page, "With or without contrast?", ["Service 1"]);
  await expect(standing(page)).toContainText(/information requested/i);
  const read = await practice.agent.get(sent.id);
  expect(read).toMatchObject({ state: "needs-information", gate: { fields: ["/procedures/0"] } });
  expect(read.status.state).toBe("input-required");
  expect(read.status.message.parts[0]?.text).toContain("With or without contrast?");
  await practice.agent.send(smallIntake(practice, "72158"), { taskId: sent.id, note: "With contrast." });
  await openCase(page, sent.id);
  const pinned = page.getByRole("region", { name: "Your last question" });
  await expect(pinned).toContainText("With or without contrast?");
  await expect(pinned).toContainText("About: Service 1");
  await expect(pinned).toContainText("The agent answeredWith contrast.");
  const request = page.getByRole("region", { name: "Request", exact: true });
  await expect(request.getByRole("insertion")).toHaveText("72158");
  await expect(request.getByRole("deletion")).toHaveText("72148");
  await page.getByRole("link", { name: "1 change since revision 1" }).click();
  const changes = page.getByRole("table", { name: /Changes since revision 1/ });
  await expect(changes).toBeInViewport();
  await expect(changes).toContainText("72148");
  await expect(changes).toContainText("72158");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `an amended case in ${colorScheme}`);
  }
});

test("a recall during the window holds the case again at a new gate", async ({ page, practice }) => {
  const sent = await practice.agent.send(fullIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await release(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(releaseButton(page)).toBeVisible();
  await expect(standing(page)).toContainText("Released and undone by Dana Whitfield");
  const held = await practice.agent.get(sent.id);
  expect(held.state).toBe("transmit-held");
  expect(held.gate?.id).not.toBe(sent.gate?.id);
});

test("a manual case goes round by hand, and its void too", async ({ page, practice }) => {
  const sent = await practice.agent.send(smallIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await release(page);
  await reportSent(page, { reference: "FAX-2231" });
  await expect.poll(async () => (await practice.agent.get(sent.id)).state).toBe("transmitted");
  await page.getByLabel("Outcome").selectOption("approved");
  await page.getByLabel("Authorization number", { exact: true }).fill("PA-90017");
  await page.getByLabel("How you learned it").selectOption("letter");
  await page.getByRole("textbox", { name: "Evidence" }).fill("Letter of 20 November, page 1");
  await page.getByRole("button", { name: "Record determination" }).click();
  const decided = await untilState(practice.agent, sent.id, "determined");
  expect(decided.determination).toMatchObject({ outcome: "approved", authorizationNumber: "PA-90017" });

  const refused = await practice.agent.cancel(sent.id).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RefusedCall);
  expect(refused).toMatchObject({ code: -32002, data: { state: "determined", use: "prior_auth_void" } });
  const voiding = await practice.agent.send(aVoid(practice), { taskId: sent.id });
  expect(voiding).toMatchObject({ state: "void-held", gate: { action: "void", status: "open" } });
  await openCase(page, sent.id);
  await expect(standing(page)).toContainText("Void awaiting release");
  await expect(releaseButton(page)).toHaveText(/^Void authorization PA-90017/);
  await expect(page.getByText("The patient loses the authorization for 72148")).toBeVisible();
  await release(page);
  await reportSent(page);
  expect(await untilState(practice.agent, sent.id, "voided")).toMatchObject({ status: { state: "canceled" } });
});

test("a payer past its legal time is shown as overdue to the reviewer and to the agent", async ({
  page,
  practice,
  stack,
}) => {
  const route = { practiceId: practice.id, payerId: "60054" };
  await done(setRoute(stack.operator, { ...route, connector: "manual" }));
  const sent = await practice.agent.send(smallIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await release(page);
  await reportSent(page);
  await openTab(page, "Payer");
  const clock = page.getByRole("region", { name: "Payer decision due" });
  await expect(clock).toContainText("Not configured");
  await done(setLineOfBusiness(stack.operator, { ...route, lineOfBusiness: "medicare-advantage" }));
  await letPass(stack, sent.id, "10 days");
  await page.goto(`/tasks/${sent.id}?tab=payer`);
  await expect(standing(page)).toContainText(/The payer is overdue by \d+ (h|days)\./);
  await expect(clock).toContainText("as recorded with the manual submission");
  await expect(clock).toContainText("7 calendar days for a standard request, Medicare Advantage");
  await expect(clock).toContainText("42 CFR 422.568");
  await page.goto("/queue?view=at-payer");
  await expect(page.getByRole("cell", { name: /^Overdue \d+ (h|days)$/ })).toBeVisible();
  const polled = await practice.agent.get(sent.id);
  expect(polled.clock).toMatchObject({ known: true, overdue: true, startedBy: "person" });
  expect(polled.artifacts.map(({ artifactId }) => artifactId)).toEqual(["receipt"]);
});

/** The payer received it that long ago. */
async function letPass(stack: Stack, taskId: string, time: string): Promise<void> {
  const text = `UPDATE task SET sent_at = sent_at - $2::interval, payer_received_at = payer_received_at - $2::interval
                 WHERE id = $1`;
  await stack.sql(text, [taskId, time]);
}

test("an agent withdraws what was not sent, and the reviewer's open page can no longer release it", async ({
  page,
  practice,
}) => {
  const sent = await practice.agent.send(smallIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  expect(await practice.agent.cancel(sent.id)).toMatchObject({ state: "withdrawn", status: { state: "canceled" } });
  await release(page);
  await expect(page.getByRole("alert").filter({ hasText: /.+/ }).first()).toBeVisible();
  expect((await practice.agent.get(sent.id)).state).toBe("withdrawn");
});
