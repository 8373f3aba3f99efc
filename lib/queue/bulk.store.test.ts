import { afterAll, describe, expect, test } from "vitest";
import { entriesOf } from "#test/support/people/admin";
import {
  actsOf,
  aChannel,
  anIntake,
  aPerson,
  aPractice,
  aRoute,
  aStore,
  fullReview,
  seenOn,
} from "#test/support/cases/cases";
import { aPdf, aReceivedFile } from "#test/support/agents/files";
import { bulkAssign, bulkDecline, bulkRelease, bulkSnooze } from "./bulk.ts";
import { chosenCases } from "./chosen-cases.ts";
import { openCase } from "./open-case.ts";
import { sendMessage } from "#lib/task/send-message";

const store = aStore();
afterAll(() => store.close());

type Clean = { readonly clean?: boolean; readonly files?: number };

/** A practice with a reviewer and some held cases; a clean case has no warnings. */
async function aDesk(count: number, { clean = false, files = 1 }: Clean = {}) {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const items = [];
  for (let index = 0; index < count; index += 1)
    items.push(await aCase({ practiceId, channel }, { clean, files, index }));
  return { practiceId, channel, reviewer, items };
}

async function aCase(
  { practiceId, channel }: { practiceId: string; channel: Awaited<ReturnType<typeof aChannel>> },
  { clean, files: count, index }: { clean: boolean; files: number; index: number },
) {
  const review = clean ? cleanReview(index) : { payer: { id: "60054" }, procedures: [{ code: "72148" }] };
  const files = clean && count > 0 ? [aReceivedFile(aPdf("MRI"), "application/pdf")] : [];
  const sent = await sendMessage(channel, anIntake({ practiceId, review, files }));
  if (!sent.ok) throw new Error(JSON.stringify(sent.refusal));
  return { taskId: sent.value.id, seen: seenOn(sent.value) };
}

/** A whole request for somebody of its own, so that no other is like it. */
function cleanReview(index: number) {
  return { ...fullReview, subscriber: { ...fullReview.subscriber, memberId: `HM447${index}${Date.now()}` } };
}

const statusOf = async (gateId: string) =>
  (await store.prisma.gate.findUniqueOrThrow({ where: { id: gateId } })).status;

describe("a bulk decline", () => {
  test("declines each case with the same reason, and returns the outcome of each", async () => {
    const { reviewer, items } = await aDesk(3);
    const answer = await bulkDecline(reviewer, { items, reason: "Sent twice." });
    expect(answer).toMatchObject({
      ok: true,
      value: items.map(({ taskId }) => ({ taskId, result: { ok: true, value: { state: "declined" } } })),
    });
    for (const { taskId } of items) expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.declined"]);
  });

  test("continues after a case that was decided or changed meanwhile, and reports it", async () => {
    const { practiceId, channel, reviewer, items } = await aDesk(3);
    const [first, second] = items;
    if (!first || !second) throw new Error("There are three.");
    await bulkDecline(reviewer, { items: [first], reason: "First." });
    await sendMessage(channel, anIntake({ practiceId, taskId: second.taskId, review: cleanReview(0) }));
    const answer = await bulkDecline(reviewer, { items, reason: "All." });
    expect(answer.ok && answer.value.map(({ result }) => (result.ok ? "done" : result.refusal.type))).toEqual([
      "already-decided",
      "changed",
      "done",
    ]);
  });

  test("by ten reviewers at once declines each case once, and reports the others' decision to every loser", async () => {
    const { practiceId, items } = await aDesk(4);
    const people = await Promise.all(
      Array.from({ length: 10 }, (_, index) => aPerson(store, { practices: [practiceId], name: `Reviewer ${index}` })),
    );
    const answers = await Promise.all(people.map((person) => bulkDecline(person, { items, reason: "No." })));
    for (const [index, { taskId }] of items.entries()) {
      const results = answers.flatMap((answer) => (answer.ok ? [answer.value[index]?.result] : []));
      expect(results.filter((result) => result?.ok)).toHaveLength(1);
      for (const result of results) {
        if (result?.ok === false) expect(result.refusal).toMatchObject({ type: "already-decided", answer: "decline" });
      }
      expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.declined"]);
    }
  });
});

describe("a bulk release", () => {
  test("releases cases whose warnings are only noted, and none that requires an override reason", async () => {
    const { practiceId, reviewer, items } = await aDesk(1, { clean: true, files: 0 });
    for (const { taskId } of items) await openCase(reviewer, { taskId });
    const taskIds = items.map(({ taskId }) => taskId);
    await store.prisma.practice.update({ where: { id: practiceId }, data: { notedWarnings: [] } });
    expect(await bulkRelease(reviewer, { items })).toMatchObject({
      value: [{ result: { refusal: { type: "has-warnings" } } }],
    });
    await store.prisma.practice.update({ where: { id: practiceId }, data: { notedWarnings: ["no-attachment"] } });
    const page = await chosenCases(reviewer, { taskIds, act: "release" });
    expect(page).toMatchObject({ value: { cases: [{ exclusion: undefined }] } });
    expect(await bulkRelease(reviewer, { items })).toMatchObject({
      value: [{ result: { ok: true, value: { state: "transmit-released" } } }],
    });
  });

  test("releases only cases that this reviewer has opened in their current form", async () => {
    const { reviewer, items } = await aDesk(2, { clean: true });
    const [opened, unopened] = items;
    if (!opened || !unopened) throw new Error("There are two.");
    await openCase(reviewer, { taskId: opened.taskId });
    const answer = await bulkRelease(reviewer, { items });
    expect(answer.ok && answer.value.map(({ result }) => result)).toEqual([
      { ok: true, value: { state: "transmit-released", claimableAt: expect.any(Date) } },
      { ok: false, refusal: { type: "not-opened" } },
    ]);
    expect(await statusOf(unopened.seen.gateId)).toBe("open");
  });

  test("does not count an opening by another reviewer or of an earlier revision", async () => {
    const { practiceId, channel, reviewer, items } = await aDesk(1, { clean: true });
    const other = await aPerson(store, { practices: [practiceId], name: "Priya Raman" });
    const [item] = items;
    if (!item) throw new Error("There is one.");
    await openCase(other, { taskId: item.taskId });
    expect(await bulkRelease(reviewer, { items })).toMatchObject({
      value: [{ result: { refusal: { type: "not-opened" } } }],
    });
    await openCase(reviewer, { taskId: item.taskId });
    const review = { ...cleanReview(0), procedures: [{ ...fullReview.procedures[0], code: "72149" }] };
    const sent = await sendMessage(channel, anIntake({ practiceId, taskId: item.taskId, review }));
    if (!sent.ok) throw new Error(JSON.stringify(sent.refusal));
    const now = { taskId: item.taskId, seen: seenOn(sent.value) };
    expect(await bulkRelease(reviewer, { items: [now] })).toMatchObject({
      value: [{ result: { refusal: { type: "not-opened" } } }],
    });
    expect(await bulkRelease(reviewer, { items })).toMatchObject({
      value: [{ result: { refusal: { type: "changed" } } }],
    });
  });

  test("excludes a case that has a warning or needs more than one release", async () => {
    const warned = await aDesk(1);
    await store.prisma.practice.update({ where: { id: warned.practiceId }, data: { notedWarnings: [] } });
    const shared = await aDesk(1, { clean: true });
    await store.prisma.voteRule.createMany({
      data: ["ordinary", "high"].map((risk) => ({
        practiceId: shared.practiceId,
        action: "transmit",
        risk,
        votes: 2,
        stepUp: false,
      })),
    });
    for (const [{ reviewer, items }, type] of [
      [warned, "has-warnings"],
      [shared, "needs-more-people"],
    ] as const) {
      for (const { taskId } of items) await openCase(reviewer, { taskId });
      expect(await bulkRelease(reviewer, { items })).toMatchObject({ value: [{ result: { refusal: { type } } }] });
      const page = await chosenCases(reviewer, { taskIds: items.map(({ taskId }) => taskId), act: "release" });
      expect(page).toMatchObject({ value: { cases: [{ exclusion: { type } }] } });
    }
  });
});

test("a bulk assignment returns the outcome of each case", async () => {
  const { practiceId, reviewer, items } = await aDesk(2);
  const other = await aPerson(store, { practices: [practiceId], name: "Priya Raman" });
  const [first] = items;
  const to = other.actor.id;
  await bulkAssign(reviewer, { items: [{ taskId: first?.taskId ?? "", from: undefined }], to: reviewer.actor.id });
  const answer = await bulkAssign(reviewer, { items: items.map(({ taskId }) => ({ taskId, from: undefined })), to });
  expect(answer.ok && answer.value.map(({ result }) => result)).toEqual([
    { ok: false, refusal: { type: "assigned-meanwhile", to: "Dana Whitfield" } },
    { ok: true, value: "done" },
  ]);
});

test("a bulk snooze rests each case as it was shown, and says of each what became of it", async () => {
  const { reviewer, items } = await aDesk(3);
  const taskIds = items.map(({ taskId }) => taskId);
  const page = await chosenCases(reviewer, { taskIds, act: "snooze" });
  if (!page.ok) throw new Error("There are three.");
  const shown = page.value.cases.map(({ taskId, changedAt, exclusion }) => {
    expect(exclusion).toBeUndefined();
    return { taskId, changedAt: changedAt.toISOString() };
  });
  const [first, second] = items;
  if (!first || !second) throw new Error("There are three.");
  await bulkDecline(reviewer, { items: [first], reason: "No." });
  const input = { items: shown, choice: "24-hours", zone: "UTC" } as const;
  await bulkSnooze(reviewer, { ...input, items: shown.slice(1, 2) });
  const answer = await bulkSnooze(reviewer, input);
  expect(answer.ok && answer.value.map(({ result }) => (result.ok ? "done" : result.refusal.type))).toEqual([
    "changed-meanwhile",
    "snoozed-meanwhile",
    "done",
  ]);
  const after = await chosenCases(reviewer, { taskIds, act: "snooze" });
  expect(after.ok && after.value.cases.map(({ exclusion }) => exclusion?.type)).toEqual([
    "nothing-to-do",
    "snoozed-already",
    "snoozed-already",
  ]);
  const past = { items: shown, choice: "at", at: "2020-01-01T08:00", zone: "UTC" } as const;
  expect(await bulkSnooze(reviewer, past)).toEqual({ ok: false, refusal: { type: "no-such-time" } });
});

test("the page before a bulk action lists the cases as they are, and why one is excluded", async () => {
  const { practiceId, reviewer, items } = await aDesk(2, { clean: true });
  const [first, second] = items;
  if (!first || !second) throw new Error("There are two.");
  await openCase(reviewer, { taskId: first.taskId });
  const taskIds = [second.taskId, first.taskId, first.taskId, crypto.randomUUID(), "no-uuid"];
  const page = await chosenCases(reviewer, { taskIds, act: "release" });
  expect(page).toMatchObject({
    ok: true,
    value: {
      gone: 2,
      cases: [
        { taskId: second.taskId, gate: second.seen, exclusion: { type: "not-opened" } },
        { taskId: first.taskId, gate: first.seen, exclusion: undefined },
      ],
    },
  });
  const shown = (await entriesOf({ store }, practiceId)).filter(({ act }) => act === "case.listed");
  expect(shown).toHaveLength(2);
  await chosenCases(reviewer, { taskIds, act: "decline" });
  expect((await entriesOf({ store }, practiceId)).filter(({ act }) => act === "case.listed")).toEqual(shown);
  await bulkDecline(reviewer, { items: [first], reason: "No." });
  const after = await chosenCases(reviewer, { taskIds: [first.taskId], act: "decline" });
  expect(after).toMatchObject({ value: { cases: [{ exclusion: { type: "at-no-gate" } }] } });
});

test("a request for cases of another practice shows none of them, and each is in the audit log", async () => {
  const [{ items }, stranger] = [await aDesk(2), await aPerson(store, { practices: [await aPractice(store)] })];
  const taskIds = [...items.map(({ taskId }) => taskId), crypto.randomUUID()];
  expect(await chosenCases(stranger, { taskIds, act: "assign" })).toMatchObject({ value: { cases: [], gone: 3 } });
  const denied = (await entriesOf({ store }, "people")).filter(({ actor }) => actor === `person:${stranger.actor.id}`);
  expect(new Set(denied.map(({ detail }) => detail.case))).toEqual(new Set(items.map(({ taskId }) => taskId)));
});

test("a bulk action on more than fifty cases, or on none, is refused and changes nothing", async () => {
  const { reviewer, items } = await aDesk(1);
  const [item] = items;
  if (!item) throw new Error("There is one.");
  for (const many of [[], Array.from({ length: 51 }, () => item)]) {
    const refused = { ok: false, refusal: { type: "invalid", issues: [{ path: "items" }] } };
    expect(await bulkDecline(reviewer, { items: many, reason: "No." })).toMatchObject(refused);
    expect(await bulkRelease(reviewer, { items: many })).toMatchObject(refused);
    expect(
      await bulkAssign(reviewer, { items: many.map(({ taskId }) => ({ taskId, from: undefined })), to: undefined }),
    ).toMatchObject(refused);
  }
  const taskIds = Array.from({ length: 51 }, () => crypto.randomUUID());
  expect(await chosenCases(reviewer, { taskIds, act: "decline" })).toMatchObject({ ok: false });
  expect(await actsOf(store, item.taskId)).toEqual(["task.opened"]);
});

test.each([
  ["a reviewer of another practice", "reviewer", true],
  ["an admin who is no reviewer", "admin", false],
] as const)("%s finds none of the cases, and each is refused as if it were not there", async (_, role, elsewhere) => {
  const { practiceId, items } = await aDesk(2, { clean: true });
  const practices = [elsewhere ? await aPractice(store) : practiceId];
  const stranger = await aPerson(store, { practices, roles: [role] });
  const hidden = { value: items.map(() => ({ result: { ok: false, refusal: { type: "not-found" } } })) };
  const taskIds = items.map(({ taskId }) => taskId);
  expect(await chosenCases(stranger, { taskIds, act: "assign" })).toMatchObject({ value: { cases: [], gone: 2 } });
  expect(await bulkDecline(stranger, { items, reason: "No." })).toMatchObject(hidden);
  expect(await bulkRelease(stranger, { items })).toMatchObject(hidden);
  const changedAt = new Date().toISOString();
  expect(
    await bulkSnooze(stranger, {
      items: taskIds.map((taskId) => ({ taskId, changedAt })),
      choice: "4-hours",
      zone: "UTC",
    }),
  ).toMatchObject(hidden);
  expect(
    await bulkAssign(stranger, {
      items: taskIds.map((taskId) => ({ taskId, from: undefined })),
      to: stranger.actor.id,
    }),
  ).toMatchObject(hidden);
  for (const taskId of taskIds) expect(await actsOf(store, taskId)).toEqual(["task.opened"]);
});

test("the cases chosen for a release tell which of them a person submits, for they have no undo window", async () => {
  const { practiceId, channel, reviewer, items } = await aDesk(1, { clean: true });
  await aRoute(store, { practiceId, payerId: "60054", connector: "manual" });
  const byHand = await aCase({ practiceId, channel }, { clean: false, files: 0, index: 1 });
  const taskIds = [...items, byHand].map(({ taskId }) => taskId);
  const chosen = await chosenCases(reviewer, { taskIds, act: "release" });
  expect(chosen.ok && chosen.value.cases.map(({ taskId, gate }) => [taskId === byHand.taskId, gate?.isManual])).toEqual(
    [
      [false, false],
      [true, true],
    ],
  );
});
