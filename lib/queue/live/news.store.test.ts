import { afterAll, expect, test } from "vitest";
import { newId } from "#lib/db/new-id";
import { assignTask } from "#lib/queue/assign-task";
import { declineGate } from "#lib/gate/decline-gate";
import { listQueue, type QueueQuestion } from "#lib/queue/list-queue";
import { openCase } from "#lib/queue/open-case";
import { sendMessage } from "#lib/task/send-message";
import { writeNote } from "#lib/queue/write-note";
import { done } from "#test/support/people/admin";
import { aChannel, aHeldTask, anIntake, aPerson, aStore } from "#test/support/cases/cases";
import { caseNews } from "./case-news.ts";
import { snoozeCase } from "#lib/queue/snooze-case";
import { liveHeads } from "./live-heads.ts";
import { snoozeEnds } from "./snooze-ends.ts";
import { queueNews } from "./queue-news.ts";
import { waitingNews } from "./waiting-news.ts";

const store = aStore();
afterAll(() => store.close());

const all: QueueQuestion = { view: "all", sort: "due", filters: {} };

test("news of a view name the cases that changed since, on any page, and none of another practice", async () => {
  const { practiceId, reviewer, taskId } = await aHeldTask(store);
  const stranger = await aHeldTask(store);
  const since = await liveHeads(reviewer);
  expect(await queueNews(reviewer, { since, question: all })).toEqual({ changed: [], inView: [] });
  const agent = await aChannel(store, { practices: [practiceId] });
  const sent = await done(sendMessage(agent, anIntake({ practiceId })));
  await done(sendMessage(agent, anIntake({ practiceId, taskId: sent.id })));
  await done(sendMessage(stranger.channel, anIntake({ practiceId: stranger.practiceId })));
  const [first] = (await listQueue(reviewer, all, 1)).rows;
  expect(first?.taskId).toBe(taskId);
  const everywhere = { ...since, ...(await liveHeads(stranger.reviewer)), [stranger.practiceId]: 0 };
  expect(await queueNews(reviewer, { since: everywhere, question: all })).toEqual({
    changed: [sent.id],
    inView: [sent.id],
  });
  const decided = await queueNews(reviewer, { since, question: { ...all, view: "decided" } });
  expect(decided).toEqual({ changed: [sent.id], inView: [] });
});

test("news of a view name a case whose snooze ended by the clock alone, and none that is of another practice", async () => {
  const { practiceId, reviewer, taskId } = await aHeldTask(store);
  const stranger = await aHeldTask(store);
  const { changedAt } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
  const input = { taskId, choice: "4-hours", zone: "UTC", changedAt: changedAt.toISOString() } as const;
  await done(snoozeCase(reviewer, input));
  const { endsMs } = await snoozeEnds(reviewer);
  const { until } = await store.prisma.snooze.findUniqueOrThrow({ where: { taskId } });
  expect(endsMs).toEqual([until.getTime()]);
  expect(await snoozeEnds(stranger.reviewer)).toMatchObject({ endsMs: [] });
  const since = await liveHeads(reviewer);
  const drawn = new Date(Date.now() - 60_000);
  const question: QueueQuestion = { ...all, view: "release" };
  expect(await queueNews(reviewer, { since, question, drawn })).toEqual({ changed: [], inView: [] });
  await store.prisma.snooze.update({ where: { taskId }, data: { until: new Date(Date.now() - 1000) } });
  expect(await queueNews(reviewer, { since, question, drawn })).toEqual({ changed: [taskId], inView: [taskId] });
  expect(await queueNews(reviewer, { since, question })).toEqual({ changed: [], inView: [] });
  const theirs = { since: { [practiceId]: 0 }, question, drawn };
  expect(await queueNews(stranger.reviewer, theirs)).toEqual({ changed: [], inView: [] });
});

test("news of a case name the last act of another actor, never one's own, and nothing to another practice", async () => {
  const { practiceId, reviewer, taskId, seen } = await aHeldTask(store);
  const since = (await liveHeads(reviewer))[practiceId] ?? -1;
  const colleague = await aPerson(store, { practices: [practiceId], name: "Priya Raman" });
  const stranger = await aHeldTask(store);
  await done(declineGate(colleague, { taskId, seen, reason: "Twice." }));
  expect(await caseNews(reviewer, { taskId, since })).toEqual({
    act: "gate.declined",
    by: "person",
    name: "Priya Raman",
  });
  expect(await caseNews(colleague, { taskId, since })).toBeUndefined();
  expect(await caseNews(stranger.reviewer, { taskId, since: 0 })).toBeUndefined();
  expect(await caseNews(reviewer, { taskId: "no-task", since })).toBeUndefined();
});

test("a notification counts the cases that began to wait by the acts of others", async () => {
  const { practiceId, reviewer, channel, taskId, seen } = await aHeldTask(store);
  const since = await liveHeads(reviewer);
  expect(await waitingNews(reviewer, { since })).toEqual([]);
  await done(sendMessage(channel, anIntake({ practiceId })));
  await done(sendMessage(channel, anIntake({ practiceId })));
  await done(declineGate(reviewer, { taskId, seen, reason: "Twice." }));
  expect(await waitingNews(reviewer, { since })).toEqual([{ practice: "Elm Street Spine", cases: 2 }]);
  const stranger = await aHeldTask(store);
  expect(await waitingNews(stranger.reviewer, { since })).toEqual([]);
});

test("a notification counts nothing that waited before and is only read, assigned or noted, and no gate for who may not release", async () => {
  const { practiceId, reviewer, channel, taskId } = await aHeldTask(store);
  const colleague = await aPerson(store, { practices: [practiceId] });
  const before = await liveHeads(reviewer);
  await done(openCase(colleague, { taskId }));
  await done(assignTask(colleague, { taskId, from: undefined, to: colleague.actor.id }));
  await done(writeNote(colleague, { taskId, noteId: newId(), text: "The MRI is of October." }));
  expect((await liveHeads(reviewer))[practiceId]).toBeGreaterThan(before[practiceId] ?? 0);
  expect(await waitingNews(reviewer, { since: before })).toEqual([]);

  await store.prisma.channel.update({ where: { id: channel.actor.id }, data: { ownerId: reviewer.actor.id } });
  const since = await liveHeads(reviewer);
  await done(sendMessage(channel, anIntake({ practiceId })));
  expect(await waitingNews(reviewer, { since })).toEqual([]);
  expect(await waitingNews(colleague, { since })).toEqual([{ practice: "Elm Street Spine", cases: 1 }]);
});
