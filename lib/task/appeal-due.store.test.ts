import { afterAll, expect, test } from "vitest";
import { releaseGate } from "#lib/gate/release-gate";
import { dayIn, endOfDay } from "#lib/platform/zoned-time";
import { recordAppealTerms } from "#lib/submission/contest-determination";
import { aPdf, aReceivedFile } from "#test/support/agents/files";
import { anIntake, aStore, fullReview, seenOn } from "#test/support/cases/cases";
import { anAnsweredTask, denied } from "#test/support/cases/sent-cases";
import { done } from "#test/support/people/admin";
import { reviewTask } from "./review-task.ts";
import { sendMessage } from "./send-message.ts";

const store = aStore();
afterAll(() => store.close());

test("an appeal is due by the payer's last day where that is sooner than the practice's target, released or not", async () => {
  const { channel, practiceId, reviewer, taskId } = await anAnsweredTask(store, {
    type: "decided",
    determination: denied,
  });
  await store.prisma.practice.update({ where: { id: practiceId }, data: { standardTargetH: 240 } });
  const read = async () => done(reviewTask(reviewer, { taskId }));
  const { practice } = await read();
  const by = dayIn(practice.timeZone, new Date(Date.now() + 2 * 86_400_000));
  await done(recordAppealTerms(reviewer, { taskId, by, evidence: "Page 2" }));
  const appeal = { type: "reconsideration", reason: "Six weeks of therapy failed." };
  const files = [aReceivedFile(aPdf("Therapy report"), "application/pdf")];
  const held = await done(
    sendMessage(channel, anIntake({ practiceId, taskId, files, review: { ...fullReview, appeal } })),
  );
  const dueAt = endOfDay(practice.timeZone, by, 0);
  const shown = await read();
  expect(shown).toMatchObject({ state: "transmit-held", dueAt });
  const over = { why: "Checked.", shown: shown.checks.map(({ key }) => key) };
  await done(releaseGate(reviewer, { taskId, seen: seenOn(held), ...over }));
  expect(await read()).toMatchObject({ state: "transmit-released", dueAt });
});
