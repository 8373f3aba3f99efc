import {
  aPerson,
  aPractice,
  expect,
  openCase,
  release,
  signIn,
  smallIntake,
  standing,
  test,
  decline,
  releaseButton,
} from "../fixtures/journey.ts";

test("of two reviewers at once one wins, and the other is told who decided", async ({ practice, stack, browserOf }) => {
  const sent = await practice.agent.send(smallIntake(practice));
  const second = await aPerson(stack, { roles: ["reviewer"], practices: [practice.id], name: "Priya Raman" });
  const [first, other] = [await browserOf(practice.reviewer), await browserOf(second)];
  await Promise.all([openCase(first, sent.id), openCase(other, sent.id)]);
  await release(first);
  await expect(standing(first)).toContainText(/released/i);
  await decline(other, "Too early.");
  await expect(other.getByRole("alert").filter({ hasText: "Dana Whitfield" })).toBeVisible();
  expect((await practice.agent.get(sent.id)).state).toMatch(/^transmit-/);
});

test("news of a change moves no button, and a release of what changed meanwhile is refused, with the difference shown", async ({
  practice,
  page,
}) => {
  const sent = await practice.agent.send(smallIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  const button = releaseButton(page);
  const before = await button.boundingBox();
  await practice.agent.send(smallIntake(practice, "72158"), { taskId: sent.id });
  await expect(page.getByRole("status").filter({ hasText: "This case changed." })).toBeVisible();
  expect(before).not.toBeNull();
  expect(await button.boundingBox()).toEqual(before);
  await release(page);
  const alert = page.getByRole("alert").filter({ hasText: "72158" });
  await expect(alert).toBeVisible();
  await expect(alert).toContainText("72148");
  expect((await practice.agent.get(sent.id)).state).toBe("transmit-held");
});

test("a reviewer of one practice sees nothing of another's cases", async ({ practice, stack, page }) => {
  const elsewhere = await aPractice(stack, { name: "Harbor Cardiology" });
  const sent = await elsewhere.agent.send(smallIntake(elsewhere));
  await signIn(page, practice.reviewer);
  await page.goto("/queue");
  await expect(page.getByRole("heading", { level: 1, name: "Queue" })).toBeVisible();
  await expect(page.getByRole("link", { name: sent.id.slice(-8).toUpperCase() })).toHaveCount(0);
  const answer = await page.goto(`/tasks/${sent.id}`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByText(sent.id.slice(-8).toUpperCase())).toHaveCount(0);
});

test("an admin who is no reviewer cannot open a case", async ({ practice, stack, page }) => {
  const sent = await practice.agent.send(smallIntake(practice));
  const admin = await aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" });
  await signIn(page, admin);
  const answer = await page.goto(`/tasks/${sent.id}`);
  expect(answer?.status()).toBe(404);
});

test("nobody sees anything without signing in", async ({ practice, page }) => {
  const sent = await practice.agent.send(smallIntake(practice));
  await page.goto(`/tasks/${sent.id}`);
  await expect(page).toHaveURL(/\/sign-in/);
});
