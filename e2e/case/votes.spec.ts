import { setChannelOwner } from "#lib/channel/set-channel-owner";
import { setVoteRules } from "#lib/practice/set-vote-rules";
import { done } from "#test/support/people/admin";
import {
  aPerson,
  aPractice,
  expect,
  fullIntake,
  openCase,
  shortIdOf,
  signIn,
  test,
  type Practice,
  releaseButton,
  standing,
  choose,
  declineReason,
} from "../fixtures/journey.ts";
import { expectAccessible, expectAccessibleEverywhere } from "../fixtures/accessible.ts";
import type { Stack } from "../fixtures/stack.ts";

/** The practice asks for two releases of whatever is transmitted. */
async function askForTwo({ operator }: Stack, { id }: Practice, { stepUp }: { stepUp: boolean }): Promise<void> {
  const rules = (["ordinary", "high"] as const).map(
    (risk) => ({ action: "transmit", risk, votes: 2, stepUp }) as const,
  );
  await done(setVoteRules(operator, { practiceId: id, rules }));
}

const another = (stack: Stack, { id }: Practice, name: string) =>
  aPerson(stack, { roles: ["reviewer"], practices: [id], name });

/** As if everybody had signed in a quarter of an hour ago. */
async function ageProofs({ sql }: Stack): Promise<void> {
  await sql("UPDATE session SET proved_at = now() - interval '15 minutes'");
}

const release = releaseButton;

test("two people release, each with a proof of who they are, and only then it leaves", async ({ stack, browserOf }) => {
  test.slow();
  const practice = await aPractice(stack, { recallWindowS: 90 });
  const priya = await another(stack, practice, "Priya Raman");
  await askForTwo(stack, practice, { stepUp: true });
  const sent = await practice.agent.send(fullIntake(practice));
  const [first, other] = [await browserOf(practice.reviewer), await browserOf(priya)];
  await Promise.all([openCase(first, sent.id), openCase(other, sent.id)]);
  await release(first).click();
  await expect(standing(first)).toContainText(/1 of 2 released, Dana Whitfield at/);
  await expect(release(first)).toHaveAttribute("aria-disabled", "true");
  await expect(first.getByText("You released it. Awaiting one more reviewer.")).toBeVisible();
  expect((await practice.agent.get(sent.id)).gate?.status).toBe("open");
  for (const colorScheme of ["light", "dark"] as const) {
    await first.emulateMedia({ colorScheme });
    await expectAccessible(first, `votes in ${colorScheme}`);
  }

  await ageProofs(stack);
  await release(other).click();
  await expect(other.getByRole("alert").filter({ hasText: "Verify your identity" })).toBeVisible();
  await other.getByLabel("Your password").fill("not my password");
  await release(other).click();
  await expect(other.getByRole("alert").filter({ hasText: "That password wasn't accepted" })).toBeVisible();
  await expect(other.getByLabel("Your password")).toHaveValue("");
  expect((await practice.agent.get(sent.id)).gate?.status).toBe("open");

  await other.getByLabel("Your password").fill(priya.password);
  await release(other).click();
  await expect(standing(other)).toContainText(/Released by Priya Raman/);
  await expect(other.getByRole("timer")).toContainText(/Submitting in \d:\d\d/);
  await first.goto("/queue?view=at-payer");
  const row = first.getByRole("row").filter({ hasText: shortIdOf(sent.id) });
  await expect(row.getByRole("timer")).toHaveText(/^Undo within \d+ s$/);
  await openCase(first, sent.id);
  await expect(first.getByRole("timer")).toContainText(/Submitting in \d:\d\d/);
  await first.getByRole("button", { name: "Undo" }).click();
  await expect(standing(first)).toContainText("Not submitted.");
  await expect(first.getByText("0 of 2 released")).toBeVisible();
});

test("a release is taken back, then two press at once: one lets it leave, and the other is told who did", async ({
  practice,
  stack,
  browserOf,
}) => {
  test.slow();
  const people = [await another(stack, practice, "Priya Raman"), await another(stack, practice, "Lee Park")];
  await askForTwo(stack, practice, { stepUp: false });
  const sent = await practice.agent.send(fullIntake(practice));
  const dana = await browserOf(practice.reviewer);
  await openCase(dana, sent.id);
  await release(dana).click();
  await dana.getByRole("button", { name: "Withdraw your release" }).click();
  await expect(dana.getByText("0 of 2 released")).toBeVisible();
  await release(dana).click();
  await expect(standing(dana)).toContainText("1 of 2 released");
  const pages = await Promise.all(people.map((who) => browserOf(who)));
  await Promise.all(pages.map((page) => openCase(page, sent.id)));
  await Promise.all(pages.map((page) => release(page).click()));
  for (const page of pages) await expect(standing(page)).toContainText(/Released by (Priya Raman|Lee Park)/);
  const counts = await Promise.all(pages.map((page) => page.getByText(/(Priya Raman|Lee Park) decided first/).count()));
  expect(counts.filter((count) => count === 1)).toHaveLength(1);
});

test("who owns the channel cannot release, nor anybody once it must have an owner and has none, and the page says why", async ({
  practice,
  stack,
  page,
}) => {
  // Without a second reviewer nobody could release, and the owner would be refused.
  await another(stack, practice, "Priya Raman");
  const ruled = await stack.oneMoreServer(() => Promise.resolve({ CHANNEL_OWNERS_FROM: "2026-01-01" }));
  try {
    const unowned = await practice.agent.send(fullIntake(practice, { code: "72149" }));
    await signIn(page, practice.reviewer);
    await page.goto(`${ruled.baseUrl}/tasks/${unowned.id}`);
    await expect(page.getByText("The channel that sent this has no owner.")).toBeVisible();
    await expect(release(page)).toHaveAttribute("aria-disabled", "true");
    await choose(page, "Decline");
    await expect(page.getByRole("button", { name: "Decline request" })).toBeEnabled();
    await expectAccessibleEverywhere(page, "no-owner");
  } finally {
    await ruled.stop();
  }
  const owner = { channelId: practice.channel.id, email: practice.reviewer.email };
  await done(setChannelOwner(stack.operator, owner));
  const sent = await practice.agent.send(fullIntake(practice));
  await openCase(page, sent.id);
  await expect(release(page)).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByText("You own the channel that sent this.")).toBeVisible();
  await choose(page, "Decline");
  await expect(page.getByRole("button", { name: "Decline request" })).toBeEnabled();
});

test("while the server has not answered the page says so, a double click decides once, and words and case survive an answer that is lost", async ({
  practice,
  page,
}) => {
  const sent = await practice.agent.send(fullIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await choose(page, "Decline");
  await page.getByLabel("Decline reason").selectOption({ label: "Wrong code or units" });
  await declineReason(page).fill("The spine level does not match.");
  await page.reload();
  await choose(page, "Decline");
  await expect(declineReason(page)).toHaveValue("The spine level does not match.");
  await page.getByLabel("Decline reason").selectOption({ label: "Wrong code or units" });

  let posts = 0;
  const held = Promise.withResolvers<void>();
  await page.route(`**/tasks/${sent.id}`, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    posts += 1;
    if (posts > 1) return route.continue();
    await held.promise;
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Decline request" }).dblclick();
  await expect(page.getByText("Recording your decision…")).toBeVisible();
  expect((await practice.agent.get(sent.id)).state).toBe("transmit-held");
  held.resolve();
  // The server decided, and nobody here heard of it.
  const alert = page.getByRole("alert").filter({ hasText: "No answer came" });
  await expect(alert).toContainText("Press the button again: it counts once.");
  await expect(alert).toBeFocused();
  await expectAccessible(page, "a decision nobody answered");
  expect(posts).toBe(1);
  expect((await practice.agent.get(sent.id)).state).toBe("declined");
  await expect(declineReason(page)).toHaveValue("The spine level does not match.");
  await page.getByRole("button", { name: "Decline request" }).click();
  await expect(standing(page)).toContainText(/Declined by Dana Whitfield/);
  await expect(alert).toBeHidden();
  expect(posts).toBe(2);
  expect(await practice.agent.get(sent.id)).toMatchObject({
    state: "declined",
    gate: { reasonCode: "wrong-code-or-units", reason: "The spine level does not match." },
  });
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("spine level");
});
