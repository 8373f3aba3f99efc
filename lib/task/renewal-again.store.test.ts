import { afterAll, expect, test } from "vitest";
import { anIntake, aStore, fullReview } from "#test/support/cases/cases";
import { inDays } from "#test/support/agents/reviews";
import { anAnsweredTask, approved } from "#test/support/cases/sent-cases";
import { sendMessage } from "./send-message.ts";

const store = aStore();
afterAll(() => store.close());

test("a renewal that was accepted and is sent again after its earlier task was voided is the same task, and another is refused", async () => {
  const { channel, practiceId, taskId } = await anAnsweredTask(store, {
    type: "decided",
    determination: approved,
  });
  const renewal = (messageId: string, more: object = {}) =>
    anIntake({
      ...{ practiceId, messageId, earlierTaskId: taskId },
      review: { ...fullReview, certificationTypeCode: "R", fromDate: inDays(150), toDate: inDays(240), ...more },
    });
  const first = await sendMessage(channel, renewal("renewal-1"));
  await store.prisma.task.update({ where: { id: taskId }, data: { voided: "by-payer" } });
  const again = await sendMessage(channel, renewal("renewal-1"));
  expect(first.ok && again.ok && again.value.id === first.value.id).toBe(true);
  const path = (refused: string) => ({ ok: false, refusal: { type: "invalid", issues: [{ path: refused }] } });
  expect(await sendMessage(channel, renewal("renewal-2"))).toMatchObject(path("/message/referenceTaskIds/0"));
  const other = renewal("renewal-1", { toDate: inDays(270) });
  expect(await sendMessage(channel, other)).toMatchObject(path("/message/messageId"));
});
