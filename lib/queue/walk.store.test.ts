import { afterAll, describe, expect, test } from "vitest";
import { declineGate } from "#lib/gate/decline-gate";
import { releaseGate } from "#lib/gate/release-gate";
import { risks } from "#lib/task/model/vote-rule";
import { sendMessage } from "#lib/task/send-message";
import { aHeldTask, anIntake, aPerson, aStore, seenOn } from "#test/support/cases/cases";
import { assignTask } from "./assign-task.ts";
import { markPresence } from "./mark-presence.ts";
import { nextToDecide, walkFrom } from "./walk.ts";

const store = aStore();
afterAll(() => store.close());

const all = { view: "all", sort: "due", filters: {} } as const;

/** A practice with three cases at their gates, the earliest due first, and two reviewers. */
async function threeCases() {
  const held = await aHeldTask(store);
  const { practiceId, channel, taskId, seen } = held;
  const cases = [{ taskId, seen }];
  for (const code of ["72149", "72158"]) {
    const review = { payer: { id: "60054" }, procedures: [{ code }] };
    const sent = await sendMessage(channel, anIntake({ practiceId, review }));
    if (!sent.ok) throw new Error("The intake is taken.");
    cases.push({ taskId: sent.value.id, seen: seenOn(sent.value) });
  }
  const lee = await aPerson(store, { practices: [practiceId], name: "Lee Park" });
  const [first, second, third] = cases;
  if (!first || !second || !third) throw new Error("There are three.");
  return { ...held, lee, first, second, third };
}

describe("the cases to decide of a list", () => {
  test("are counted and walked from where a case stands", async () => {
    const { reviewer, first, second, third } = await threeCases();
    const walk = await walkFrom(reviewer, all, second.taskId);
    expect(walk).toMatchObject({ position: 2, total: 3, more: false, previous: first.taskId, next: third.taskId });
    const { reviewer: stranger } = await threeCases();
    const theirs = await walkFrom(stranger, all, second.taskId);
    expect(theirs.position).toBeUndefined();
    expect([theirs.next, theirs.previous, theirs.place]).not.toContain(second.taskId);
    expect(await walkFrom(reviewer, { ...all, view: "at-payer" }, second.taskId)).toMatchObject({ total: 0 });
  });

  test("go on after the place of what was decided, and from the top at the end", async () => {
    const { reviewer, first, second, third } = await threeCases();
    const { place: after } = await walkFrom(reviewer, all, second.taskId);
    await declineGate(reviewer, { ...second, reason: "No." });
    expect(await nextToDecide(reviewer, all, { after, but: second.taskId })).toEqual({ taskId: third.taskId });
    const { place: atEnd } = await walkFrom(reviewer, all, third.taskId);
    await declineGate(reviewer, { ...third, reason: "No." });
    expect(await nextToDecide(reviewer, all, { after: atEnd, but: third.taskId })).toEqual({ taskId: first.taskId });
    await declineGate(reviewer, { ...first, reason: "No." });
    expect(await nextToDecide(reviewer, all, { but: first.taskId })).toEqual({ heldByOthers: 0 });
  });

  test("pass over what somebody else is assigned to or has open, and say how many of these are left", async () => {
    const { reviewer, lee, first, second, third } = await threeCases();
    await assignTask(lee, { taskId: second.taskId, from: undefined, to: lee.actor.id });
    const { place: after } = await walkFrom(reviewer, all, first.taskId);
    expect(await nextToDecide(reviewer, all, { after, but: first.taskId })).toEqual({ taskId: third.taskId });
    await markPresence(lee, { taskId: third.taskId, left: false });
    expect(await nextToDecide(reviewer, all, { after, but: first.taskId })).toEqual({ heldByOthers: 2 });
    expect(await nextToDecide(lee, all, { after, but: first.taskId })).toEqual({ taskId: second.taskId });
  });

  test("leave out what this person released and others must release too", async () => {
    const { reviewer, lee, practiceId, first, second } = await threeCases();
    const rule = { practiceId, action: "transmit", votes: 2, stepUp: false };
    await store.prisma.voteRule.createMany({ data: risks.map((risk) => ({ ...rule, risk })) });
    const { place: after } = await walkFrom(reviewer, all, first.taskId);
    await releaseGate(reviewer, first);
    expect(await nextToDecide(reviewer, all, { after, but: first.taskId })).toEqual({ taskId: second.taskId });
    expect((await walkFrom(reviewer, all, second.taskId)).total).toBe(2);
    expect(await nextToDecide(lee, all)).toEqual({ taskId: first.taskId });
  });
});
