import { randomInt } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { releaseGate } from "#lib/gate/release-gate";
import type { PayerAnswer } from "#lib/payer/connector";
import { getTask } from "#lib/task/get-task";
import { reviewTask } from "#lib/task/review-task";
import { sendMessage } from "#lib/task/send-message";
import { stateOf } from "#lib/task/model/task";
import {
  aChannel,
  aPerson,
  aPractice,
  aRoute,
  aStore,
  anIntake,
  fullReview,
  seenOn,
  theWorker,
} from "#test/support/cases/cases";
import { approved, bytes, denied } from "#test/support/cases/sent-cases";
import { recordAnswer } from "./record-answer.ts";
import { recordInquiry } from "./record-inquiry.ts";
import { recordDetermination } from "./record-payer-answer.ts";
import { inDays } from "#test/support/agents/reviews";
import { claimTransmission, startTransmission } from "./transmission.ts";

const store = aStore();
const worker = theWorker(store);
afterAll(() => store.close());

const brother = { ...fullReview, patient: { ...fullReview.patient, firstName: "Chidi", genderCode: "M" } };
const otherService = { ...fullReview, procedures: [{ code: "97110", quantity: 6, quantityTypeCode: "UN" }] };
const renewal = { ...fullReview, certificationTypeCode: "R", fromDate: inDays(150), toDate: inDays(240) };

const under = (authorizationNumber: string): PayerAnswer => ({
  type: "decided",
  determination: { ...approved, authorizationNumber },
});

type RequestOptions = { readonly review?: object; readonly earlierTaskId?: string };

/** A practice with a payer connection, whose cases are answered as the test says. */
async function aPayer() {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId });
  await aRoute(store, { practiceId, payerId: "60054" });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const sentCase = async ({ review = fullReview, earlierTaskId }: RequestOptions = {}) => {
    // Nobody would release what looks like a duplicate, and a patient may have several member IDs.
    const subscriber = { ...fullReview.subscriber, memberId: `HM${randomInt(1e9)}` };
    const more = earlierTaskId ? { earlierTaskId } : {};
    const sent = await sendMessage(channel, anIntake({ practiceId, review: { ...review, subscriber }, ...more }));
    if (!sent.ok) throw new Error(JSON.stringify(sent.refusal));
    const { id: taskId } = sent.value;
    const released = await releaseGate(reviewer, { taskId, seen: seenOn(sent.value) });
    if (!released.ok) throw new Error(JSON.stringify(released.refusal));
    const claimed = await claimTransmission(worker, { taskId });
    if (!claimed.ok || claimed.value === "held-again") throw new Error("The claim failed.");
    await startTransmission(worker, claimed.value);
    const { attempt } = claimed.value;
    return {
      taskId,
      answered: (answer: PayerAnswer) => recordAnswer(worker, { taskId, attempt, response: { answer, bytes } }),
    };
  };
  const read = async (taskId: string) => {
    const found = await getTask(channel, { taskId, historyLength: 0 });
    if (!found.ok) throw new Error(found.refusal.type);
    const { task, determination } = found.value;
    return { state: stateOf(task), attention: task.attention, outcome: determination?.outcome };
  };
  const answeredCase = async (answer: PayerAnswer, wanted: RequestOptions = {}) => {
    const { taskId, answered } = await sentCase(wanted);
    expect(await answered(answer)).toMatchObject({ ok: true });
    return taskId;
  };
  return { practiceId, reviewer, sentCase, answeredCase, read };
}

const forPerson = { state: "transmitted", attention: "unreadable-answer", outcome: undefined };
const decided = { state: "determined", attention: undefined, outcome: "approved" };

describe("an approval under a number that is in force on another case", () => {
  test.each<[string, object]>([
    ["of another patient", brother],
    ["of another service", otherService],
  ])("%s is for a person, who is led to that case", async (_, review) => {
    const of = await aPayer();
    const first = await of.answeredCase(under("PA-77 4410"));
    const second = await of.answeredCase(under("pa774410"), { review });
    expect(await of.read(first)).toEqual(decided);
    expect(await of.read(second)).toEqual(forPerson);
    const view = await reviewTask(of.reviewer, { taskId: second });
    expect(view.ok && view.value.history.at(-1)?.detail).toMatchObject({ sameNumberAs: first });
    expect(view.ok && view.value.answers).toMatchObject([{ unread: true }]);
  });

  test("is for a person when it comes later, by an inquiry, as well", async () => {
    const of = await aPayer();
    await of.answeredCase(under("PA-1001"));
    const taskId = await of.answeredCase({ type: "accepted", reference: "REF-2" }, { review: brother });
    const { determination } = under("PA-1001") as Extract<PayerAnswer, { type: "decided" }>;
    const answer = { type: "match", answer: { type: "decided", determination } } as const;
    const inquired = () => recordInquiry(worker, { taskId, response: { answer, bytes } });
    await inquired();
    expect(await of.read(taskId)).toEqual(forPerson);
    await inquired();
    const view = await reviewTask(of.reviewer, { taskId });
    expect(view.ok && view.value.history.filter(({ act }) => act === "payer.unreadable")).toHaveLength(1);
  });

  test("stands once a person has recorded it for this case, too", async () => {
    const of = await aPayer();
    await of.answeredCase(under("PA-1002"));
    const taskId = await of.answeredCase(under("PA-1002"), { review: brother });
    const recorded = await recordDetermination(of.reviewer, {
      taskId,
      outcome: "approved",
      authorizationNumber: "PA-1002",
      evidence: "Called the payer",
    });
    expect(recorded).toMatchObject({ ok: true });
    expect(await of.read(taskId)).toEqual(decided);
  });

  test("is noticed where both answers come at the same time", async () => {
    const of = await aPayer();
    const cases = [await of.sentCase(), await of.sentCase({ review: brother })];
    await Promise.all(cases.map(({ answered }) => answered(under("PA-1003"))));
    const states = await Promise.all(cases.map(async ({ taskId }) => (await of.read(taskId)).state));
    expect(states.toSorted()).toEqual(["determined", "transmitted"]);
  });
});

describe("a number that stands on another case is nothing to ask a person about", () => {
  test("where the case renews the other, or both renew a third", async () => {
    const of = await aPayer();
    const first = await of.answeredCase(under("PA-2001"));
    const other = { ...otherService, certificationTypeCode: "R" };
    const second = await of.answeredCase(under("PA-2001"), { review: other, earlierTaskId: first });
    const third = await of.answeredCase(under("PA-2001"), { review: renewal, earlierTaskId: first });
    const fourth = await of.answeredCase(under("PA-2001"), { review: other, earlierTaskId: second });
    for (const taskId of [second, third, fourth]) expect(await of.read(taskId)).toEqual(decided);
  });

  test.each<[string, object, PayerAnswer]>([
    ["where it is for the same service of the same patient", renewal, under("PA-2002")],
    ["where the request named it", { ...otherService, authorizationNumber: "PA 2002" }, under("PA-2002")],
    ["where the other payer connection gave it", { ...brother, payer: { id: "60054" } }, under("PA-2002")],
    ["where it is no number", otherService, under("NOT REQUIRED")],
  ])("%s", async (_, review, answer) => {
    const of = await aPayer();
    await of.answeredCase(answer);
    await of.answeredCase(under("PA-2002"));
    expect(await of.read(await of.answeredCase(answer, { review }))).toEqual(decided);
  });

  test("where it stands in another practice, or is no authorization in force any more", async () => {
    const [of, elsewhere] = [await aPayer(), await aPayer()];
    await elsewhere.answeredCase(under("PA-2003"));
    const was = await of.answeredCase(under("PA-2003"));
    await store.prisma.task.update({ where: { id: was }, data: { voided: "by-payer" } });
    expect(await of.read(await of.answeredCase(under("PA-2003"), { review: brother }))).toEqual(decided);
  });

  test("where the payer denies", async () => {
    const of = await aPayer();
    await of.answeredCase(under("PA-2004"));
    const answer = { type: "decided", determination: { ...denied, authorizationNumber: "PA-2004" } } as const;
    expect(await of.read(await of.answeredCase(answer, { review: brother }))).toMatchObject({ outcome: "denied" });
  });
});
