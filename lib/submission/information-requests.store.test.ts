import { afterAll, describe, expect, test } from "vitest";
import type { InformationRequest } from "#lib/task/model/information-request";
import { actsOf, anIntake, aStore, fullReview, theWorker } from "#test/support/cases/cases";
import { anAnsweredTask, approved, bytes, stateNow } from "#test/support/cases/sent-cases";
import { getTask } from "#lib/task/get-task";
import { recordInquiry } from "./record-inquiry.ts";
import { sendMessage } from "#lib/task/send-message";

const store = aStore();
const worker = theWorker(store);
afterAll(() => store.close());

const informationRequest: InformationRequest = {
  text: "The payer needs more before it decides: progress notes (PWK 09).",
  items: [{ kind: "document", code: { system: "pwk", value: "09" }, label: "progress notes", trace: "ACN-1" }],
};
const receivedAt = new Date("2026-11-20T12:00:00.000Z");
const accepted = { type: "accepted", reference: "REF-1", informationRequest, receivedAt } as const;

const hear = (taskId: string, answer: typeof accepted | { type: "accepted" }) =>
  recordInquiry(worker, { taskId, response: { answer: { type: "match", answer }, bytes } });

describe("an answer that wants more", () => {
  test("reaches the agent item by item, and the payer is still asked for its decision", async () => {
    const { taskId, channel } = await anAnsweredTask(store, accepted);
    expect(await stateNow(taskId, { channel })).toBe("payer-needs-information");
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read).toMatchObject({
      ok: true,
      value: { task: { payer: { informationRequest, reference: "REF-1" } } },
    });
    expect(await store.prisma.nextInquiry.count({ where: { taskId } })).toBe(1);
    const kept = await store.prisma.payerEvent.findFirstOrThrow({ where: { taskId } });
    expect(kept).toMatchObject({ kind: "answer.accepted", payerAt: receivedAt });
  });

  test("said again changes nothing, and a decision ends it", async () => {
    const { taskId, channel } = await anAnsweredTask(store, accepted);
    await hear(taskId, accepted);
    await hear(taskId, { ...accepted, receivedAt: new Date("2026-11-20T13:00:00.000Z") });
    await hear(taskId, { type: "accepted" });
    expect(await stateNow(taskId, { channel })).toBe("payer-needs-information");
    expect(await actsOf(store, taskId)).not.toContain("payer.requested-information");
    const decided = { type: "match", answer: { type: "decided", determination: approved } } as const;
    await recordInquiry(worker, { taskId, response: { answer: decided, bytes } });
    expect(await stateNow(taskId, { channel })).toBe("determined");
  });
});

describe("an inquiry that finds the payer wants more", () => {
  test("says so once, and again when it wants something else", async () => {
    const { taskId, channel } = await anAnsweredTask(store, { type: "accepted" });
    await Promise.all([hear(taskId, accepted), hear(taskId, accepted)]);
    expect(await stateNow(taskId, { channel })).toBe("payer-needs-information");
    const other = { ...informationRequest, items: [{ kind: "answer", label: "Which knee?" }] } as const;
    await hear(taskId, { ...accepted, informationRequest: other });
    await hear(taskId, accepted);
    expect((await actsOf(store, taskId)).filter((act) => act === "payer.requested-information")).toHaveLength(2);
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read).toMatchObject({ ok: true, value: { task: { payer: { informationRequest: other } } } });
  });

  test("leaves what already waits for its reviewer where it is", async () => {
    const { practiceId, taskId, channel } = await anAnsweredTask(store, accepted);
    const review = { ...fullReview, providerNotes: [{ message: "Notes attached." }] };
    await sendMessage(channel, anIntake({ practiceId, taskId, review }));
    await hear(taskId, accepted);
    expect(await stateNow(taskId, { channel })).toBe("transmit-held");
  });
});
