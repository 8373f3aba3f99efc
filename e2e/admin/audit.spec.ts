import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import { readFileSync } from "node:fs";
import { shortIdOf } from "#lib/task/model/short-id";
import { done } from "#test/support/people/admin";
import { expectAccessible } from "../fixtures/accessible.ts";
import { aPerson, aPractice, expect, openCase, signIn, smallIntake, test } from "../fixtures/journey.ts";

test("an administrator of two practices goes from a channel to its record, filters, reads an entry, sees a broken chain, exports", async ({
  page,
  practice,
  stack,
  browserOf,
}) => {
  const other = await aPractice(stack, { name: "Oak Cardiology" });
  await done(changePracticeSettings(stack.operator, { practiceId: practice.id, name: "Elm Street Orthopedics" }));
  const sent = await practice.agent.send(smallIntake(practice));
  await openCase(await browserOf(practice.reviewer), sent.id);
  const practices = [practice.id, other.id];
  await signIn(page, await aPerson(stack, { roles: ["admin"], practices, name: "Noor Haddad" }));

  // Neither address names a practice: the record is that of all of theirs.
  await page.goto(`/channels/${other.channel.id}/history`);
  await page.getByRole("link", { name: "View in audit log" }).click();
  await expect(page.getByRole("row").filter({ hasText: "created a channel" })).toContainText("Oak Cardiology");
  await expect(page.getByLabel("Practice")).toHaveValue("");
  await page.goto(`/channels/${practice.channel.id}/history`);
  await page.getByRole("link", { name: "View in audit log" }).click();
  await expect(page.getByRole("row").filter({ hasText: "sent the case" })).toHaveCount(1);

  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page).toHaveURL("/audit");
  await page.getByLabel("Practice").selectOption({ label: "Elm Street Orthopedics" });
  await page.getByLabel("What").selectOption({ label: "Sensitive reads" });
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByRole("row").filter({ hasText: "opened the case" })).toContainText("Dana Whitfield");
  await page.getByLabel("What").selectOption({ label: "Practices and payer connections" });
  await page.getByRole("button", { name: "Show" }).click();
  const renamed = page.getByRole("row").filter({ hasText: "renamed the practice" });
  await expect(renamed).toContainText("Name Elm Street Spine to Elm Street Orthopedics");
  await renamed.getByText("Details as stored").click();
  await expect(renamed.getByRole("region", { name: "The entry's details, exactly" })).toContainText('"from"');
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `an entry's details in ${colorScheme}`);
  }

  await page.goto("/audit");
  await page.getByLabel("Case").fill(shortIdOf(sent.id));
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByRole("row").filter({ hasText: "sent the case" })).toHaveCount(1);
  await expect(page.getByRole("row").filter({ hasText: "opened the case" })).toHaveCount(1);
  await page.goto(`/audit?practice=${practice.id}`);

  await page.getByLabel("From").fill("2100-01-01");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByText("No entry fits")).toBeVisible();
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page).toHaveURL(`/audit?practice=${practice.id}`);

  await stack.sql(
    `INSERT INTO audit_chain (chain, verified_seq, verified_hash, verified_at, bad_seq, problem) VALUES ($1, 1, '', now(), 2, 'edited')
     ON CONFLICT (chain) DO UPDATE SET bad_seq = 2, problem = 'edited'`,
    [practice.id],
  );
  await page.reload();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("entry 2 was edited");
  await expectAccessible(page, "a broken chain");

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export JSONL" }).click();
  const file = await (await downloading).path();
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ type: "export", practice: practice.id });
  expect(lines.filter((line) => line.includes('"practice.renamed"'))).toHaveLength(1);
  await page.reload();
  await expect(page.getByRole("row").filter({ hasText: "exported the audit log" })).toContainText("Noor Haddad");
});
