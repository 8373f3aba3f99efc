import { afterAll, describe, expect, test } from "vitest";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { releaseGate } from "#lib/gate/release-gate";
import type { QueueView } from "#lib/queue/model/queue";
import { sendMessage } from "#lib/task/send-message";
import { done, entriesOf } from "#test/support/people/admin";
import { actsOf, aHeldTask, anIntake, aPerson, aPractice, aStore, smallReview } from "#test/support/cases/cases";
import { listedCases } from "#test/support/cases/listed-cases";
import { at, whole } from "#test/support/cases/queue-desk";
import { countQueue, listQueue } from "./list-queue.ts";
import { openCase } from "./open-case.ts";
import { snoozeCase, wakeCase, type CaseSnooze } from "./snooze-case.ts";

const store = aStore();
afterAll(() => store.close());

const hidden = { ok: false, refusal: { type: "not-found" } };

async function idsOf(reviewer: Context<PersonActor>, view: QueueView) {
  const { rows } = await listQueue(reviewer, { ...whole, view }, 2000);
  expect((await countQueue(reviewer))[view as "release"]).toBe(rows.length);
  return rows.map(({ taskId }) => taskId);
}

async function changedAtOf(taskId: string): Promise<string> {
  return (await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } })).changedAt.toISOString();
}

async function snoozeOf(taskId: string, more: Partial<CaseSnooze> = {}): Promise<CaseSnooze> {
  return { taskId, choice: "4-hours", zone: "UTC", changedAt: await changedAtOf(taskId), ...more };
}

describe("a snoozed case", () => {
  test("leaves To release for everybody of its practice, stands in Snoozed, and in every other list as before", async () => {
    const { practiceId, reviewer, taskId } = await aHeldTask(store);
    const other = await aPerson(store, { practices: [practiceId], name: "Priya Raman" });
    const before = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
    expect(await snoozeCase(reviewer, await snoozeOf(taskId))).toEqual({ ok: true, value: "done" });
    for (const person of [reviewer, other]) {
      expect(await idsOf(person, "release")).toEqual([]);
      expect(await idsOf(person, "snoozed")).toEqual([taskId]);
      for (const view of ["all", "unassigned"] as const) expect(await idsOf(person, view)).toEqual([taskId]);
    }
    expect(await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } })).toEqual(before);
    const page = await openCase(other, { taskId });
    expect(page.ok && page.value.desk.snooze).toMatchObject({ by: "Dana Whitfield", waitsFor: "time" });
    const [entry] = (await entriesOf({ store }, practiceId)).filter(({ act }) => act === "case.snoozed");
    expect(entry?.detail).toEqual({ until: page.ok && page.value.desk.snooze?.until.toISOString(), waitsFor: "time" });
  });

  test("leaves Action required as well, and is woken by anybody who may review it, on record", async () => {
    const practiceId = await aPractice(store);
    const reviewer = await aPerson(store, { practices: [practiceId] });
    const other = await aPerson(store, { practices: [practiceId], name: "Priya Raman" });
    const [raised, late] = await listedCases(store, [
      { practiceId, state: "transmitted", needsPerson: "contact-payer", dueAt: at(20) },
      { practiceId, state: "transmitted", payerDueAt: at(-30) },
    ]);
    const both = [raised?.id ?? "", late?.id ?? ""];
    for (const taskId of both) await done(snoozeCase(reviewer, await snoozeOf(taskId, { choice: "payer" })));
    expect(await idsOf(reviewer, "person")).toEqual([]);
    expect(new Set(await idsOf(reviewer, "snoozed"))).toEqual(new Set(both));
    for (const taskId of both) {
      expect(await wakeCase(other, { taskId })).toEqual({ ok: true, value: "done" });
      expect(await wakeCase(other, { taskId })).toEqual({ ok: true, value: "nothing" });
      expect(await actsOf(store, taskId)).toEqual(["case.snoozed", "case.woken"]);
    }
    expect(new Set(await idsOf(reviewer, "person"))).toEqual(new Set(both));
    expect(await idsOf(reviewer, "snoozed")).toEqual([]);
    expect(await snoozeCase(other, await snoozeOf(both[0] ?? ""))).toMatchObject({ ok: true });
  });

  test("wakes when the agent changes it, and when it is released", async () => {
    const { channel, practiceId, reviewer, taskId } = await aHeldTask(store);
    await done(snoozeCase(reviewer, await snoozeOf(taskId, { choice: "agent" })));
    const review = { ...smallReview, payer: { id: "60054" } };
    await done(sendMessage(channel, anIntake({ practiceId, taskId, review })));
    expect(await idsOf(reviewer, "release")).toEqual([taskId]);
    expect(await idsOf(reviewer, "snoozed")).toEqual([]);
    const held = await aHeldTask(store);
    await done(snoozeCase(held.reviewer, await snoozeOf(held.taskId)));
    await done(releaseGate(held.reviewer, { taskId: held.taskId, seen: held.seen }));
    expect(await idsOf(held.reviewer, "snoozed")).toEqual([]);
  });

  test("wakes when its time has come, or a deadline set since then is near", async () => {
    const { reviewer, taskId } = await aHeldTask(store);
    await done(snoozeCase(reviewer, await snoozeOf(taskId)));
    await store.prisma.task.update({ where: { id: taskId }, data: { payerDueAt: at(3) } });
    expect(await idsOf(reviewer, "release")).toEqual([taskId]);
    await store.prisma.task.update({ where: { id: taskId }, data: { payerDueAt: at(5) } });
    expect(await idsOf(reviewer, "release")).toEqual([]);
    await store.prisma.snooze.update({ where: { taskId }, data: { until: at(-0.01) } });
    expect(await idsOf(reviewer, "release")).toEqual([taskId]);
    expect(await idsOf(reviewer, "snoozed")).toEqual([]);
  });
});

describe("a case is not snoozed", () => {
  test("by whoever does not review for its practice, nor woken", async () => {
    const { practiceId, reviewer, taskId } = await aHeldTask(store);
    const strangers = [
      await aPerson(store, { practices: [await aPractice(store)] }),
      await aPerson(store, { practices: [practiceId], roles: ["admin"] }),
    ];
    for (const stranger of strangers) expect(await snoozeCase(stranger, await snoozeOf(taskId))).toEqual(hidden);
    await done(snoozeCase(reviewer, await snoozeOf(taskId)));
    for (const stranger of strangers) expect(await wakeCase(stranger, { taskId })).toEqual(hidden);
    expect(await idsOf(reviewer, "snoozed")).toEqual([taskId]);
  });

  test("if it is due within four hours, if it asks nobody for anything, or at a time that is none", async () => {
    const practiceId = await aPractice(store);
    const reviewer = await aPerson(store, { practices: [practiceId] });
    const [near, idle, held] = await listedCases(store, [
      { practiceId, state: "transmit-held", dueAt: at(3) },
      { practiceId, state: "transmitted", payerDueAt: at(50) },
      { practiceId, state: "transmit-held", dueAt: at(50) },
    ]);
    const refusal = async (taskId = "", more: Partial<CaseSnooze> = {}) =>
      snoozeCase(reviewer, await snoozeOf(taskId, more));
    expect(await refusal(near?.id)).toEqual({ ok: false, refusal: { type: "near" } });
    expect(await refusal(idle?.id)).toEqual({ ok: false, refusal: { type: "nothing-to-do" } });
    expect(await refusal(held?.id, { choice: "at" })).toEqual({ ok: false, refusal: { type: "invalid" } });
    expect(await idsOf(reviewer, "snoozed")).toEqual([]);
  });

  test("if it has changed since it was shown", async () => {
    const { reviewer, taskId } = await aHeldTask(store);
    const refused = await snoozeCase(reviewer, await snoozeOf(taskId, { changedAt: "2026-01-01T00:00:00.000Z" }));
    expect(refused).toEqual({ ok: false, refusal: { type: "changed-meanwhile" } });
  });

  test("twice: of ten at once one succeeds, and the others learn who it was", async () => {
    const { practiceId, taskId } = await aHeldTask(store);
    const people = await Promise.all(
      Array.from({ length: 10 }, (_, index) => aPerson(store, { practices: [practiceId], name: `Reviewer ${index}` })),
    );
    const request = await snoozeOf(taskId);
    const answers = await Promise.all(people.map((person) => snoozeCase(person, request)));
    const [first, ...others] = answers.toSorted((a, b) => Number(b.ok) - Number(a.ok));
    expect(first).toEqual({ ok: true, value: "done" });
    for (const answer of others)
      expect(answer).toEqual({
        ok: false,
        refusal: { type: "snoozed-meanwhile", by: expect.stringMatching(/^Reviewer \d$/) as string },
      });
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "case.snoozed"]);
  });
});
