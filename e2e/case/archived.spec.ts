import { expectAccessible, expectAccessibleEverywhere } from "../fixtures/accessible.ts";
import { expect, fullIntake, openTab, signIn, test } from "../fixtures/journey.ts";
import { isArchived } from "#lib/db/archived";
import { anArchive } from "#test/support/servers/archives";

const archivedText = `SELECT id FROM message WHERE task_id = $1 AND ${isArchived("body")}
  UNION SELECT id FROM gate WHERE task_id = $1 AND ${isArchived("calls")}`;

const partText = "This part of the case is archived";

test("a closed case's page shows all that needs no archive while that is away, says what it lacks, and has it again on request", async ({
  page,
  practice,
  stack,
}) => {
  const archive = await anArchive();
  const { id } = await practice.agent.send(fullIntake(practice), { note: "Therapy did not help." });
  await practice.agent.cancel(id);
  await stack.sql("UPDATE task SET changed_at = clock_timestamp() - interval '2 days' WHERE id = $1", [id]);
  await stack.stop("worker");
  await stack.begin("worker", { ...archive.env, ARCHIVE_AFTER_DAYS: "1", ARCHIVE_BYTES_MIN: "64" });
  const server = await stack.oneMoreServer(() => Promise.resolve(archive.env));
  try {
    await expect
      .poll(async () => (await stack.operator.store.pool.query(archivedText, [id])).rowCount, { timeout: 30_000 })
      .toBe(2);
    await signIn(page, practice.reviewer);
    const casePage = `${server.baseUrl}/tasks/${id}?tab=notes`;
    await page.goto(casePage);
    await expect(page.getByText("Therapy did not help.")).toBeVisible();
    await expect(page.getByText(partText)).toHaveCount(0);

    archive.hush(true);
    const away = await page.goto(casePage);
    expect(away?.status()).toBe(200);
    const bar = page.getByText("Parts of this case are archived");
    await expect(bar).toContainText("the agent's notes, the exact bytes");
    await expect(bar.getByRole("link", { name: "Try again" })).toHaveAttribute("href", `/tasks/${id}?tab=notes`);
    await expect(page.getByText("Okafor").first()).toBeVisible();
    await expect(page.getByText("Therapy did not help.")).toHaveCount(0);
    await expect(page.getByText("The agent wrote no notes.")).toHaveCount(0);
    await expect(page.getByRole("tab", { name: "Notes" })).not.toContainText("0");
    await expectAccessibleEverywhere(page, "archive-away");
    const details = await openTab(page, "Details", "Exact bytes");
    await expect(details.getByText(partText)).toBeVisible();
    await expect(details.getByText("Nothing was prepared for submission.")).toHaveCount(0);

    archive.hush(false);
    await openTab(page, "Notes");
    const again = page.getByRole("link", { name: "Try again" }).first();
    // For a few seconds after it gave no answer, nobody asks it.
    await expect(async () => {
      if (await again.isVisible()) await again.click();
      await expect(page.getByText("Therapy did not help.")).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(page.getByText(partText)).toHaveCount(0);

    for (const name of archive.objects()) archive.damage(name, "change");
    await page.goto(casePage);
    await expect(page.getByRole("tabpanel", { name: "Notes" })).toContainText("the archive has lost or changed it");
    await expect(page.getByRole("link", { name: "Try again" })).toHaveCount(0);
    await expectAccessible(page, "archive-lost");
  } finally {
    await server.stop();
    await stack.stop("worker");
    await stack.begin("worker");
    await archive.stop();
  }
});
