import { expectAccessibleEverywhere } from "../fixtures/accessible.ts";
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
} from "../fixtures/journey.ts";
import type { Stack } from "../fixtures/stack.ts";

const submissions = { name: "Submissions" };

async function timesReceived(stack: Stack, sha256: string): Promise<number> {
  return (await ledgerOf(stack)).filter((entry) => entry.sha256 === sha256).reduce((sum, { times }) => sum + times, 0);
}

test("a service started without sending lets people work, says so on every page, and submits only once it is started anew", async ({
  page,
  practice,
  stack,
}) => {
  const sent = await practice.agent.send(fullIntake(practice));
  await stack.stop("worker");
  await stack.begin("worker", { SUBMISSIONS: "off" });
  const quiet = await stack.oneMoreServer(() => Promise.resolve({ SUBMISSIONS: "off" }));
  try {
    await signIn(page, practice.reviewer);
    await page.goto(`${quiet.baseUrl}/tasks/${sent.id}`);
    await expect(page.getByRole("complementary", submissions)).toContainText("Submissions are off.");
    await expectAccessibleEverywhere(page, "without-sending");
    await release(page);
    await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
    await endWaits(stack, sent.id);
    // What it does all the same shows that the worker has been around since the release became due.
    const other = await practice.agent.send(fullIntake(practice, { code: "72149" }));
    await stack.sql("UPDATE gate SET expires_at = clock_timestamp() WHERE task_id = $1", [other.id]);
    await untilState(practice.agent, other.id, "needs-information");
    expect(await practice.agent.get(sent.id)).toMatchObject({ state: "transmit-released" });
    expect(await timesReceived(stack, documentDigestOf(sent))).toBe(0);
  } finally {
    await quiet.stop();
    await stack.stop("worker");
    await stack.begin("worker");
  }
  await untilState(practice.agent, sent.id, "determined", { hurry: stack });
  expect(await timesReceived(stack, documentDigestOf(sent))).toBe(1);
});

test("while a practice's record lacks a part, its cases are read and say so, and no decision or intake is taken", async ({
  page,
  practice,
  stack,
}) => {
  const sent = await practice.agent.send(fullIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  const stop = "INSERT INTO record_stop (chain, is_shared, seq, hash) VALUES ($1, false, 99, 'seen before')";
  await stack.sql(stop, [practice.id]);
  try {
    await release(page);
    await expect(page.getByRole("main").getByRole("alert")).toContainText("The service is being recovered");
    expect(await practice.agent.get(sent.id)).toMatchObject({ state: sent.state, gate: { status: "open" } });
    await page.reload();
    await expect(page.getByRole("complementary", submissions)).toContainText(
      "Submissions of some practices are stopped",
    );
    await expectAccessibleEverywhere(page, "record-stopped");
    const refused = await practice.agent.send(fullIntake(practice)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: -32000 });
  } finally {
    await stack.sql("DELETE FROM record_stop WHERE chain = $1", [practice.id]);
  }
  await page.reload();
  await expect(page.getByRole("complementary", submissions)).toHaveCount(0);
  await release(page);
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
});

test("whoever asks for pages faster than anybody reads is shown a page that says so, and goes on a moment later", async ({
  page,
  practice,
  stack,
}) => {
  const slow = await stack.oneMoreServer(() => Promise.resolve({ PAGES_PER_SECOND: "1" }));
  try {
    await signIn(page, practice.reviewer);
    const tooFast = page.getByRole("heading", { name: "That was very fast" });
    await expect(async () => {
      expect((await page.goto(`${slow.baseUrl}/queue`))?.status()).toBe(429);
    }).toPass({ intervals: [0] });
    await expect(tooFast).toBeVisible();
    await expectAccessibleEverywhere(page, "too-fast");
    await expect(async () => {
      expect((await page.goto(`${slow.baseUrl}/queue`))?.status()).toBe(200);
    }).toPass();
  } finally {
    await slow.stop();
  }
});
