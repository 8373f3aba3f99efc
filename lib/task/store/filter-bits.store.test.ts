import { afterAll, expect, test } from "vitest";
import { sendMessage } from "#lib/task/send-message";
import { aHeldTask, anIntake, aStore, fullReview } from "#test/support/cases/cases";
import { filterBits } from "#lib/platform/clever/filter-bits";

const store = aStore();
afterAll(() => store.close());

test("a case has the bits of its own payer, channel and codes, and after an amendment those of the new ones", async () => {
  const { taskId, practiceId, channel } = await aHeldTask(store, { review: fullReview });
  const bitsNow = async () => {
    const { filterBits: bits, ...now } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
    const expected = filterBits({ payerId: now.payerId, channelId: now.channelId, codes: now.procedureCodes });
    expect(bits).toBe(expected);
    return bits;
  };
  const before = await bitsNow();
  const review = { ...fullReview, payer: { id: "99998" }, procedures: [{ code: "J1745" }] };
  const amended = await sendMessage(channel, anIntake({ practiceId, taskId, review }));
  expect(amended.ok).toBe(true);
  const sought = filterBits({ payerId: "99998", codes: ["J1745"] });
  expect((await bitsNow()) & sought).toBe(sought);
  expect(before & sought).not.toBe(sought);
});
