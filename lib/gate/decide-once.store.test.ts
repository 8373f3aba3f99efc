import { afterAll, describe, expect, test } from "vitest";
import { actsOf, aHeldTask, aPerson, aStore } from "#test/support/cases/cases";
import { declineGate } from "./decline-gate.ts";
import { recallRelease } from "./recall-release.ts";
import { releaseGate } from "./release-gate.ts";
import { reviewTask } from "#lib/task/review-task";
import { requestInformation } from "./request-information.ts";
import { withdrawVote } from "./withdraw-vote.ts";

const store = aStore();
afterAll(() => store.close());

const aKey = () => crypto.randomUUID();

async function aGate(votes = 1) {
  const held = await aHeldTask(store, { recallWindowS: 600 });
  const rule = { practiceId: held.practiceId, action: "transmit", votes };
  await store.prisma.voteRule.createMany({
    data: [
      { ...rule, risk: "ordinary" },
      { ...rule, risk: "high" },
    ],
  });
  return held;
}

describe("a form that arrives again", () => {
  test("forty times at once releases once, and each is told the same", async () => {
    const { reviewer, taskId, seen } = await aGate();
    const [key, form] = [aKey(), { taskId, seen }];
    const answers = await Promise.all(Array.from({ length: 40 }, () => releaseGate(reviewer, { ...form, key })));
    const [first] = answers;
    expect(first).toMatchObject({ ok: true, value: { state: "transmit-released", claimableAt: expect.any(Date) } });
    for (const answer of answers) expect(answer).toEqual(first);
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.released"]);
  });

  test("counts one vote where two are needed, and does not say that it was given already", async () => {
    const { reviewer, taskId, seen } = await aGate(2);
    const form = { taskId, seen, key: aKey() };
    const answers = [await releaseGate(reviewer, form), await releaseGate(reviewer, form)];
    expect(answers).toEqual([
      { ok: true, value: { state: "transmit-held" } },
      { ok: true, value: { state: "transmit-held" } },
    ]);
    expect(await withdrawVote(reviewer, { taskId, seen, key: aKey() })).toMatchObject({ ok: true });
    // A delayed copy of the request does not repeat a release that was taken back.
    expect(await releaseGate(reviewer, form)).toEqual({ ok: true, value: { state: "transmit-held" } });
    expect(await store.prisma.vote.count({ where: { gateId: seen.gateId } })).toBe(0);
  });

  test("is told what came of it the first time, also after the case moved on", async () => {
    const { reviewer, taskId, seen } = await aGate();
    const form = { taskId, seen, key: aKey() };
    const first = await releaseGate(reviewer, form);
    const recall = { taskId, gateId: seen.gateId, key: aKey() };
    const recalled = await recallRelease(reviewer, recall);
    expect(await releaseGate(reviewer, form)).toEqual(first);
    expect(await recallRelease(reviewer, recall)).toEqual(recalled);
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.released", "gate.recalled"]);
  });

  test("with other words, or for another answer or case, is refused and decides nothing", async () => {
    const { reviewer, practiceId, taskId, seen } = await aGate();
    const key = aKey();
    await requestInformation(reviewer, { taskId, seen, question: "Which level?", key });
    const reused = { ok: false, refusal: { type: "key-reused" } };
    expect(await requestInformation(reviewer, { taskId, seen, question: "Which side?", key })).toEqual(reused);
    expect(await declineGate(reviewer, { taskId, seen, reason: "Which level?", key })).toEqual(reused);
    const other = await aHeldTask(store);
    const both = await aPerson(store, { practices: [practiceId, other.practiceId] });
    await declineGate(both, { taskId: other.taskId, seen: other.seen, reason: "no", key });
    expect(await releaseGate(both, { taskId, seen, key })).toEqual(reused);
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.sent-back"]);
  });

  test("after a refusal is tried anew: only what was decided is remembered", async () => {
    const { reviewer, taskId, seen } = await aGate();
    const key = aKey();
    expect(await releaseGate(reviewer, { taskId, seen: { ...seen, digest: "another" }, key })).toMatchObject({
      ok: false,
    });
    expect(await releaseGate(reviewer, { taskId, seen, key })).toMatchObject({ ok: true });
  });
});

test("a key that somebody else used tells nothing and is as good as new", async () => {
  const { reviewer, practiceId, taskId, seen } = await aGate(2);
  const lee = await aPerson(store, { practices: [practiceId], name: "Lee Park" });
  const form = { taskId, seen, key: aKey() };
  await releaseGate(reviewer, form);
  expect(await releaseGate(lee, form)).toMatchObject({ ok: true, value: { state: "transmit-released" } });
});

test("a key opens no case that its person may no longer see", async () => {
  const { reviewer, taskId, seen } = await aGate();
  const form = { taskId, seen, key: aKey() };
  await releaseGate(reviewer, form);
  const gone = { ...reviewer, actor: { ...reviewer.actor, practices: [] } };
  expect(await releaseGate(gone, form)).toEqual({ ok: false, refusal: { type: "not-found" } });
  expect(await reviewTask(gone, { taskId })).toMatchObject({ ok: false });
});
