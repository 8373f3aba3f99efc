import { afterAll, describe, expect, test } from "vitest";
import { taskView } from "./reply/task-view.ts";
import { actsOf, aHeldTask, anIntake, aStore, fullReview } from "#test/support/cases/cases";
import { declineGate } from "#lib/gate/decline-gate";
import { getTask } from "#lib/task/get-task";
import { reviewTask } from "#lib/task/review-task";
import { requestInformation } from "#lib/gate/request-information";
import { sendMessage } from "#lib/task/send-message";

const store = aStore();
afterAll(() => store.close());

type HeldTask = Awaited<ReturnType<typeof aHeldTask>>;

/** The task as the agent's next poll shows it. */
async function polled({ channel, taskId }: HeldTask) {
  const found = await getTask(channel, { taskId, historyLength: 0 });
  return found.ok ? taskView(found.value) : expect.fail("the poll was refused");
}

describe("a decline", () => {
  test("with a listed reason shows the agent its code and its text", async () => {
    const held = await aHeldTask(store);
    await declineGate(held.reviewer, { ...held, code: "duplicate" });
    expect((await polled(held)).gate).toMatchObject({
      status: "declined",
      reasonCode: "duplicate",
      reason: "Duplicate of another request.",
    });
  });

  test("with details beside the code shows the agent the details; details alone have the code for other", async () => {
    const [coded, plain] = [await aHeldTask(store), await aHeldTask(store)];
    await declineGate(coded.reviewer, { ...coded, code: "wrong-payer", reason: "Moved to Harbor in May." });
    await declineGate(plain.reviewer, { ...plain, reason: "Not now." });
    expect((await polled(coded)).gate).toMatchObject({ reasonCode: "wrong-payer", reason: "Moved to Harbor in May." });
    expect((await polled(plain)).gate).toMatchObject({ reasonCode: "other", reason: "Not now." });
  });

  test("without a reason is refused with the field that lacks it, and changes nothing", async () => {
    const { reviewer, taskId, seen } = await aHeldTask(store);
    for (const [code, path] of [
      [undefined, "code"],
      ["other", "reason"],
    ] as const) {
      expect(await declineGate(reviewer, { taskId, seen, code })).toMatchObject({
        refusal: { type: "invalid", issues: [{ path }] },
      });
    }
    expect(await actsOf(store, taskId)).toEqual(["task.opened"]);
  });
});

describe("a request for information", () => {
  test("names the members it is about, to the agent in data and text, and to the next reviewer", async () => {
    const held = await aHeldTask(store, { review: fullReview });
    const fields = ["/procedures/0", "/patient/birthDate"];
    await requestInformation(held.reviewer, { ...held, question: "Which level, and is the date right?", fields });
    const { gate, status } = await polled(held);
    expect(gate).toMatchObject({ status: "sent-back", reason: "Which level, and is the date right?", fields });
    expect(status.message.parts[0]?.text).toContain("It is about /procedures/0, /patient/birthDate.");
    const { practiceId, taskId } = held;
    await sendMessage(held.channel, anIntake({ practiceId, taskId, review: fullReview, note: "L4-L5." }));
    expect(await reviewTask(held.reviewer, { taskId })).toMatchObject({
      value: { changes: { question: { fields } } },
    });
    expect((await polled(held)).gate?.fields).toBeUndefined();
  });

  test.each(["/procedures/7", "/patient", "/patient/mood", "patient", "", "/__proto__"])(
    "about %j, which no reviewer may ask about, is refused and changes nothing",
    async (field) => {
      const { reviewer, taskId, seen } = await aHeldTask(store);
      const fields = ["/procedures/0", field];
      expect(await requestInformation(reviewer, { taskId, seen, question: "Why?", fields })).toMatchObject({
        refusal: { type: "invalid", issues: [{ path: "fields" }] },
      });
      expect(await actsOf(store, taskId)).toEqual(["task.opened"]);
    },
  );
});
