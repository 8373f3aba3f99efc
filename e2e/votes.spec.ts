import type { Page } from "@playwright/test";
import { setVoteRules } from "#lib/admin/set-vote-rules";
import { done } from "../test/admin.ts";
import { aPerson, expect, fullIntake, openCase, test, type Practice } from "./fixtures/journey.ts";
import { expectAccessible } from "./fixtures/accessible.ts";
import type { Stack } from "./fixtures/stack.ts";

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

const release = (page: Page) => page.getByRole("button", { name: "Release", exact: true });
const standing = (page: Page) => page.locator("#standing");

test("two people release, each with a proof of who they are, and only then it leaves", async ({
  practice,
  stack,
  browserOf,
}) => {
  test.slow();
  const priya = await another(stack, practice, "Priya Raman");
  await askForTwo(stack, practice, { stepUp: true });
  const sent = await practice.agent.send(fullIntake(practice));
  const [first, other] = [await browserOf(practice.reviewer), await browserOf(priya)];
  await Promise.all([openCase(first, sent.id), openCase(other, sent.id)]);
  await release(first).click();
  await expect(standing(first)).toContainText(/1 of 2 released, Dana Whitfield at/);
  await expect(release(first)).toHaveAttribute("aria-disabled", "true");
  await expect(first.getByText("You have released it. It waits for one more reviewer.")).toBeVisible();
  expect((await practice.agent.get(sent.id)).gate?.status).toBe("open");
  for (const colorScheme of ["light", "dark"] as const) {
    await first.emulateMedia({ colorScheme });
    await expectAccessible(first, `votes in ${colorScheme}`);
  }

  await ageProofs(stack);
  await release(other).click();
  await expect(other.getByRole("alert").filter({ hasText: "Say again that it is you" })).toBeVisible();
  await other.getByLabel("Your password").fill("not my password");
  await release(other).click();
  await expect(other.getByRole("alert").filter({ hasText: "That was not your password" })).toBeVisible();
  await expect(other.getByLabel("Your password")).toHaveValue("");
  expect((await practice.agent.get(sent.id)).gate?.status).toBe("open");

  await other.getByLabel("Your password").fill(priya.password);
  await release(other).click();
  await expect(standing(other)).toContainText(/Released by Priya Raman/);
  await expect(other.getByRole("timer")).toContainText(/In \d+ s/);
  await first.reload();
  await expect(first.getByRole("timer")).toContainText(/In \d+ s/);
  await first.getByRole("button", { name: "Recall" }).click();
  await expect(standing(first)).toContainText("Nothing has left.");
  await expect(first.getByText("0 of 2 released")).toBeVisible();
});
