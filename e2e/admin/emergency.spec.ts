import { setEmergencyAccess } from "#lib/practice/set-emergency-access";
import { shortIdOf } from "#lib/task/model/short-id";
import { done } from "#test/support/people/admin";
import { expectAccessibleEverywhere } from "../fixtures/accessible.ts";
import { aPerson, expect, fullIntake, signIn, test } from "../fixtures/journey.ts";

test("in an emergency an admin reads the decoded request of one case for an hour, can decide nothing there, and its reviewers are told", async ({
  page,
  browserOf,
  practice,
  stack,
}) => {
  const { id } = await practice.agent.send(fullIntake(practice), { note: "Surgery is planned for tomorrow." });
  await done(setEmergencyAccess(stack.operator, { practiceId: practice.id, on: true }));
  await signIn(page, await aPerson(stack, { roles: ["admin"], practices: [practice.id], name: "Noor Haddad" }));
  await page.goto("/emergency");
  await page.getByLabel("Case ID").fill(shortIdOf(id));
  await page.getByLabel("Reason").fill("No reviewer answers, and surgery is at 7.");
  await page.getByRole("button", { name: "Open case" }).click();
  await expect(page).toHaveURL(/\/tasks\/[0-9a-f-]{36}\/emergency$/);

  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toContainText("Okafor");
  await expect(main.getByText("Surgery is planned for tomorrow.")).toBeVisible();
  await expect(main.getByText("Member ID")).not.toHaveCount(0);
  await expect(main.getByText(/serviceReview|gender code/i)).toHaveCount(0);
  await expect(main.getByRole("button")).toHaveCount(0);
  await expectAccessibleEverywhere(page, "emergency-case");

  const reviewer = await browserOf(practice.reviewer);
  await reviewer.goto("/");
  await reviewer.getByRole("link", { name: /^1 Cases opened in an emergency/ }).click();
  await expect(reviewer.getByRole("row", { name: shortIdOf(id) })).toContainText("Noor Haddad");
});
