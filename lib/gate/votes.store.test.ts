import { textOfReceipt } from "#lib/gate/receipt/packed-receipt";
import { afterAll, describe, expect, test } from "vitest";
import { showPractice } from "#lib/practice/list-practices";
import { risks } from "#lib/task/model/vote-rule";
import type { Action } from "#lib/task/model/task";
import { operator } from "#test/support/people/admin";
import { actsOf, aHeldTask, anIntake, aPerson, aStore, aVoid, seenOn } from "#test/support/cases/cases";
import { cancelTask } from "#lib/task/cancel-task";
import { declineGate } from "./decline-gate.ts";
import { expireGate } from "./expire-gate.ts";
import { getTask } from "#lib/task/get-task";
import { recallRelease } from "./recall-release.ts";
import { releaseGate } from "./release-gate.ts";
import { reviewTask } from "#lib/task/review-task";
import { startManualSubmission } from "#lib/submission/manual-submission";
import { sendMessage } from "#lib/task/send-message";
import { withdrawVote } from "./withdraw-vote.ts";

const store = aStore();
afterAll(() => store.close());

type Rule = { action?: Action; votes?: number; stepUp?: boolean };

/** A case at its gate, in a practice that requires this many releases, whatever the risk. */
async function aGate({ action = "transmit", votes = 2, stepUp = false }: Rule = {}, recallWindowS = 0) {
  const held = await aHeldTask(store, { recallWindowS });
  await store.prisma.voteRule.createMany({
    data: risks.map((risk) => ({ practiceId: held.practiceId, action, risk, votes, stepUp })),
  });
  const another = (name: string) => aPerson(store, { practices: [held.practiceId], name });
  return { ...held, lee: await another("Lee Park"), another };
}

const phaseOf = async (gateId: string) =>
  (await store.prisma.transmission.findUnique({ where: { gateId }, select: { phase: true } }))?.phase;

describe("where two have to release", () => {
  test("the first is counted and nothing may leave; the second lets it leave, in one commit", async () => {
    const { reviewer, lee, channel, taskId, seen } = await aGate();
    expect(await releaseGate(reviewer, { taskId, seen })).toEqual({ ok: true, value: { state: "transmit-held" } });
    expect(await phaseOf(seen.gateId)).toBeUndefined();
    const between = await getTask(channel, { taskId, historyLength: 0 });
    expect(between).toMatchObject({ ok: true, value: { gate: { status: "open" } } });
    expect(await reviewTask(lee, { taskId })).toMatchObject({
      ok: true,
      value: {
        can: ["release", "decline", "request-information", "edit"],
        voting: { needed: 2, given: [{ name: "Dana Whitfield", counts: true, mine: false, at: expect.any(Date) }] },
      },
    });
    expect(await releaseGate(lee, { taskId, seen })).toMatchObject({ ok: true, value: { state: "transmit-released" } });
    expect(await phaseOf(seen.gateId)).toBe("released");
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.voted", "gate.released"]);
  });

  test("one administrator who let in several of them is named to whoever releases, and on the practice's page", async () => {
    const { reviewer, lee, another, practiceId, taskId, seen } = await aGate();
    const admin = await aPerson(store, { practices: [practiceId], roles: ["admin"], name: "Alex Moreau" });
    const other = await aPerson(store, { practices: [practiceId], roles: ["admin"], name: "Kim Osei" });
    const letIn = (by: typeof admin, whom: typeof lee) =>
      store.prisma.person.update({ where: { id: whom.actor.id }, data: { letInBy: by.actor.id } });
    const shownTo = async (reader: typeof lee) => {
      const view = await reviewTask(reader, { taskId });
      return view.ok ? view.value.voting?.oneHand : "refused";
    };
    await letIn(admin, reviewer);
    await letIn(other, lee);
    await releaseGate(reviewer, { taskId, seen });
    expect(await shownTo(lee)).toBeUndefined();
    const third = await another("Ada Brand");
    await letIn(admin, third);
    expect(await shownTo(third)).toEqual({ name: "Alex Moreau", people: 2 });
    expect(await shownTo(reviewer)).toBeUndefined();
    expect(await showPractice({ actor: operator, store }, { practiceId })).toMatchObject({
      value: { hands: [{ name: "Alex Moreau", people: 2 }] },
    });
    await store.prisma.personRole.create({ data: { personId: other.actor.id, role: "reviewer", practiceId } });
    expect(await showPractice({ actor: operator, store }, { practiceId })).toMatchObject({
      value: {
        hands: [
          { name: "Alex Moreau", people: 2 },
          { name: "Kim Osei", people: 2 },
        ],
      },
    });
  });

  test("the same person twice is told so, and counts once", async () => {
    const { reviewer, taskId, seen } = await aGate();
    const twice = [await releaseGate(reviewer, { taskId, seen }), await releaseGate(reviewer, { taskId, seen })];
    expect(twice).toMatchObject([
      { ok: true },
      { ok: false, refusal: { type: "released-already", given: 1, needed: 2 } },
    ]);
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.voted"]);
    expect(await reviewTask(reviewer, { taskId })).toMatchObject({
      value: { can: ["withdraw-vote", "decline", "request-information", "edit"] },
    });
  });

  test("forty at once: one is counted, one lets it leave, and every other learns who did", async () => {
    const { another, taskId, seen } = await aGate();
    const people = await Promise.all(Array.from({ length: 40 }, (_, index) => another(`Reviewer ${index}`)));
    const answers = await Promise.all(people.map((person) => releaseGate(person, { taskId, seen })));
    const states = answers.map((answer) => (answer.ok ? answer.value.state : answer.refusal.type));
    expect(states.filter((state) => state === "transmit-held")).toHaveLength(1);
    expect(states.filter((state) => state === "transmit-released")).toHaveLength(1);
    expect(states.filter((state) => state === "already-decided")).toHaveLength(38);
    const decider = `Reviewer ${states.indexOf("transmit-released")}`;
    for (const answer of answers) {
      if (!answer.ok) expect(answer.refusal).toMatchObject({ by: decider, answer: "release" });
    }
    expect(await store.prisma.vote.count({ where: { gateId: seen.gateId } })).toBe(2);
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.voted", "gate.released"]);
  });

  test("one person forty times at once is counted once and releases nothing", async () => {
    const { reviewer, taskId, seen } = await aGate();
    const answers = await Promise.all(Array.from({ length: 40 }, () => releaseGate(reviewer, { taskId, seen })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers) if (!answer.ok) expect(answer.refusal.type).toBe("released-already");
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.voted"]);
  });

  test("a release taken back no longer counts, can be given again, and there is none to take back twice", async () => {
    const { reviewer, lee, taskId, seen } = await aGate();
    await releaseGate(reviewer, { taskId, seen });
    expect(await withdrawVote(lee, { taskId, seen })).toMatchObject({ refusal: { type: "not-released" } });
    expect(await withdrawVote(reviewer, { taskId, seen })).toEqual({ ok: true, value: { state: "transmit-held" } });
    expect(await withdrawVote(reviewer, { taskId, seen })).toMatchObject({ refusal: { type: "not-released" } });
    expect(await releaseGate(lee, { taskId, seen })).toMatchObject({ value: { state: "transmit-held" } });
    expect(await releaseGate(reviewer, { taskId, seen })).toMatchObject({ value: { state: "transmit-released" } });
    expect(await withdrawVote(reviewer, { taskId, seen })).toMatchObject({ refusal: { type: "already-decided" } });
  });

  test("who released may change their mind and decline", async () => {
    const { reviewer, channel, taskId, seen } = await aGate();
    await releaseGate(reviewer, { taskId, seen });
    expect(await declineGate(reviewer, { taskId, seen, reason: "Wrong side." })).toMatchObject({ ok: true });
    expect(await getTask(channel, { taskId, historyLength: 0 })).toMatchObject({
      value: { gate: { status: "declined", reason: "Wrong side." } },
    });
  });

  test("a new revision voids what was released before, and nobody is said to have decided", async () => {
    const { reviewer, lee, channel, practiceId, taskId, seen } = await aGate();
    await releaseGate(reviewer, { taskId, seen });
    const review = { payer: { id: "60054" }, procedures: [{ code: "72149" }] };
    const amended = await sendMessage(channel, anIntake({ practiceId, taskId, review }));
    expect(await releaseGate(lee, { taskId, seen })).toMatchObject({ refusal: { type: "changed" } });
    const now = seenOn(amended.ok ? amended.value : expect.fail("the amendment was refused"));
    expect(await releaseGate(lee, { taskId, seen: now })).toMatchObject({ value: { state: "transmit-held" } });
    expect(await releaseGate(reviewer, { taskId, seen: now })).toMatchObject({ value: { state: "transmit-released" } });
  });

  test("a recall needs one person, and afterwards two have to release again", async () => {
    const { reviewer, lee, taskId, seen } = await aGate({}, 600);
    await releaseGate(reviewer, { taskId, seen });
    await releaseGate(lee, { taskId, seen });
    await recallRelease(lee, { taskId, gateId: seen.gateId });
    const view = await reviewTask(lee, { taskId });
    expect(view).toMatchObject({ value: { voting: { needed: 2, given: [] } } });
  });

  test("the agent withdraws, and a gate expires, as if nobody had released yet", async () => {
    const withdrawn = await aGate();
    await releaseGate(withdrawn.reviewer, withdrawn);
    expect(await cancelTask(withdrawn.channel, { taskId: withdrawn.taskId })).toMatchObject({ ok: true });
    expect(await releaseGate(withdrawn.lee, withdrawn)).toMatchObject({ refusal: { type: "changed" } });
    const expired = await aGate();
    await releaseGate(expired.reviewer, expired);
    await store.prisma.gate.update({
      where: { id: expired.seen.gateId },
      data: { openedAt: new Date(0), expiresAt: new Date(1) },
    });
    expect(await expireGate(expired.lee, expired)).toMatchObject({ ok: true });
    expect(await releaseGate(expired.lee, expired)).toMatchObject({ refusal: { type: "changed" } });
    expect(await phaseOf(expired.seen.gateId)).toBeUndefined();
  });
});

describe("whose release counts", () => {
  test.each([
    [
      "was disabled",
      async ({ id }: { id: string }) => {
        await store.prisma.person.update({ where: { id }, data: { status: "disabled" } });
      },
    ],
    [
      "lost the practice",
      async ({ id }: { id: string }) => {
        await store.prisma.personRole.deleteMany({ where: { personId: id } });
      },
    ],
    [
      "is no reviewer any more",
      async ({ id }: { id: string }) => {
        await store.prisma.personRole.updateMany({ where: { personId: id }, data: { role: "admin" } });
      },
    ],
    [
      "came to own the channel",
      async ({ id, channelId }: { id: string; channelId: string }) => {
        await store.prisma.channel.update({ where: { id: channelId }, data: { ownerId: id } });
      },
    ],
  ])("a release no longer counts once whoever gave it %s", async (_, happens) => {
    const { reviewer, lee, another, channel, taskId, seen } = await aGate();
    await releaseGate(reviewer, { taskId, seen });
    await happens({ id: reviewer.actor.id, channelId: channel.actor.id });
    expect(await releaseGate(lee, { taskId, seen })).toMatchObject({ value: { state: "transmit-held" } });
    const view = await reviewTask(lee, { taskId });
    expect(view).toMatchObject({ value: { voting: { given: [{ counts: false }, { counts: true }] } } });
    // The request began before the right was lost, and the transaction checks again.
    const again = await releaseGate(reviewer, { taskId, seen });
    expect(again.ok).toBe(false);
    expect(await releaseGate(await another("Sam Ortiz"), { taskId, seen })).toMatchObject({
      value: { state: "transmit-released" },
    });
    const kept = await store.prisma.decisionReceipt.findFirstOrThrow({ where: { taskId } });
    const { votes } = JSON.parse(textOfReceipt(kept)) as { votes: { person: { name: string } }[] };
    expect(votes.map(({ person }) => person.name)).toEqual(["Lee Park", "Sam Ortiz"]);
    expect(await startManualSubmission(lee, { taskId, gateId: seen.gateId })).toMatchObject({
      value: { state: "transmitting" },
    });
  });

  test("what two released is held again where one of them may not any more, and a rule made stricter since holds nothing", async () => {
    const [kept, lost] = [await aGate(), await aGate()];
    for (const { reviewer, lee, ...of } of [kept, lost])
      for (const person of [reviewer, lee]) expect(await releaseGate(person, of)).toMatchObject({ ok: true });
    await store.prisma.voteRule.updateMany({ where: { practiceId: kept.practiceId }, data: { votes: 3 } });
    await store.prisma.personRole.deleteMany({ where: { personId: lost.reviewer.actor.id } });
    const begin = ({ lee, taskId, seen: { gateId } }: typeof kept) => startManualSubmission(lee, { taskId, gateId });
    expect(await begin(kept)).toMatchObject({ value: { state: "transmitting" } });
    expect(await begin(lost)).toMatchObject({ value: { state: "transmit-held" } });
    expect(await reviewTask(lost.lee, lost)).toMatchObject({ value: { voting: { given: [] } } });
  });

  test("who owns the channel never releases what it asks, may decline, and the page says why", async () => {
    const { reviewer, lee, channel, taskId, seen } = await aGate({ votes: 1 });
    await store.prisma.channel.update({ where: { id: channel.actor.id }, data: { ownerId: reviewer.actor.id } });
    expect(await releaseGate(reviewer, { taskId, seen })).toMatchObject({ refusal: { type: "owns-channel" } });
    expect(await reviewTask(reviewer, { taskId })).toMatchObject({
      value: { can: ["decline", "request-information", "edit"], voting: { ownsChannel: true } },
    });
    expect(await reviewTask(lee, { taskId })).toMatchObject({ value: { voting: { ownsChannel: false } } });
    expect(await declineGate(reviewer, { taskId, seen, reason: "no" })).toMatchObject({ ok: true });
  });

  test("a rule lowered while one has released lets the next press release, whosever it is", async () => {
    const { reviewer, practiceId, taskId, seen } = await aGate();
    await releaseGate(reviewer, { taskId, seen });
    await store.prisma.voteRule.updateMany({ where: { practiceId }, data: { votes: 1 } });
    expect(await releaseGate(reviewer, { taskId, seen })).toMatchObject({ value: { state: "transmit-released" } });
  });
});

describe("the risk of a gate", () => {
  test("is high where it warns, and a rule for the other risk asks nothing of it", async () => {
    const { practiceId, reviewer, taskId, seen } = await aHeldTask(store, { notedWarnings: ["no-attachment"] });
    await store.prisma.voteRule.create({ data: { practiceId, action: "transmit", risk: "ordinary", votes: 2 } });
    expect(await store.prisma.gate.findUnique({ where: { id: seen.gateId } })).toMatchObject({ risk: "high" });
    const over = { shown: ["payer-not-configured", "no-patient"], why: "A card is on its way." };
    expect(await releaseGate(reviewer, { taskId, seen, ...over })).toMatchObject({
      value: { state: "transmit-released" },
    });
  });

  test("of a void follows the void's own rule", async () => {
    const { reviewer, lee, channel, practiceId, taskId, seen } = await aGate({ action: "void" });
    await releaseGate(reviewer, { taskId, seen });
    await store.prisma.task.update({ where: { id: taskId }, data: { stage: "idle", payerReceipt: "yes" } });
    const requested = await sendMessage(channel, aVoid({ practiceId, taskId }));
    const gate = seenOn(requested.ok ? requested.value : expect.fail("the void was refused"));
    expect(await releaseGate(reviewer, { taskId, seen: gate })).toMatchObject({ value: { state: "void-held" } });
    expect(await releaseGate(lee, { taskId, seen: gate })).toMatchObject({ value: { state: "void-released" } });
  });
});

describe("where the practice asks who releases to prove again who they are", () => {
  const proved = (ago: number) => ({ provedAt: new Date(Date.now() - ago) });

  test.each([
    ["never", {}, false],
    ["ten minutes ago", proved(10 * 60_000), false],
    ["just now", proved(0), true],
  ])("a proof given %s: %o is enough: %s", async (_, proof, enough) => {
    const { reviewer, taskId, seen } = await aGate({ votes: 1, stepUp: true });
    const answer = await releaseGate({ ...reviewer, actor: { ...reviewer.actor, ...proof } }, { taskId, seen });
    expect(answer).toMatchObject(enough ? { ok: true } : { ok: false, refusal: { type: "proof-needed" } });
    expect(await store.prisma.vote.count({ where: { gateId: seen.gateId } })).toBe(enough ? 1 : 0);
  });

  test("a page that was overtaken says so rather than ask", async () => {
    const { reviewer, taskId, seen } = await aGate({ votes: 1, stepUp: true });
    const stale = await releaseGate(reviewer, { taskId, seen: { ...seen, digest: "another" } });
    expect(stale).toMatchObject({ refusal: { type: "changed" } });
  });
});
