import { afterAll, describe, expect, test } from "vitest";
import { atoms } from "#lib/access/model/actor";
import { stateOf } from "#lib/task/model/task";
import {
  aChannel,
  actsOf,
  aHeldTask,
  anIntake,
  aPractice,
  aRoute,
  aStore,
  aVoid,
  fullReview,
  seenOn,
} from "#test/support/cases/cases";
import { cancelTask } from "./cancel-task.ts";
import { getTask } from "./get-task.ts";
import { releaseGate } from "#lib/gate/release-gate";
import { sendMessage } from "./send-message.ts";

const store = aStore();
afterAll(() => store.close());

describe("an intake", () => {
  test("of a payer and one procedure opens a task at the manual gate, with its audit entry", async () => {
    const { record, taskId } = await aHeldTask(store);
    expect(stateOf(record.task)).toBe("transmit-held");
    expect(record.gate?.documentDigests).toHaveLength(1);
    expect(await actsOf(store, taskId)).toEqual(["task.opened"]);
  });

  test("is answered with exactly what a poll then reads, and the advice on what it brought", async () => {
    const { channel, taskId, record } = await aHeldTask(store, { routed: true, review: fullReview });
    const polled = await getTask(channel, { taskId, historyLength: 0 });
    expect(polled.ok && { ...polled.value, gate: { ...record.gate, ...polled.value.gate } }).toEqual({
      ...record,
      advice: undefined,
    });
  });

  test("that its route needs more for lists what is missing and opens no gate", async () => {
    const practiceId = await aPractice(store);
    await aRoute(store, { practiceId });
    const channel = await aChannel(store, { practices: [practiceId] });
    const sent = await sendMessage(
      channel,
      anIntake({ practiceId, review: { payer: { id: "87042" }, procedures: [{ code: "72148" }] } }),
    );
    expect(sent).toMatchObject({ ok: true, value: { gate: undefined } });
    expect(sent.ok && sent.value.task.missing).toContain("/subscriber/memberId");
  });

  test("sent again with the same message id is the same task, under any concurrency", async () => {
    const practiceId = await aPractice(store);
    const channel = await aChannel(store, { practices: [practiceId] });
    const intake = anIntake({ practiceId, messageId: "m-1" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendMessage(channel, intake)));
    const ids = new Set(answers.map((answer) => (answer.ok ? answer.value.id : answer.refusal.type)));
    expect(ids.size).toBe(1);
    const [id] = ids;
    expect(await actsOf(store, id ?? "")).toEqual(["task.opened"]);
    expect(await store.prisma.task.count({ where: { practiceId } })).toBe(1);
  });

  test("with a used message id and other content is refused and changes nothing", async () => {
    const practiceId = await aPractice(store);
    const channel = await aChannel(store, { practices: [practiceId] });
    await sendMessage(channel, anIntake({ practiceId, messageId: "m-1" }));
    const other = await sendMessage(channel, anIntake({ practiceId, messageId: "m-1", note: "changed" }));
    expect(other).toMatchObject({ ok: false, refusal: { type: "invalid", issues: [{ path: "/message/messageId" }] } });
    expect(await store.prisma.task.count({ where: { practiceId } })).toBe(1);
  });

  test("that replaces a revision supersedes the gate and opens a new one", async () => {
    const { practiceId, channel, record, taskId } = await aHeldTask(store);
    const amended = await sendMessage(
      channel,
      anIntake({ practiceId, taskId, review: { payer: { id: "60054" }, procedures: [{ code: "72149" }] } }),
    );
    expect(amended).toMatchObject({ ok: true, value: { task: { revision: 2 } } });
    expect(amended.ok && amended.value.gate?.id).not.toBe(record.gate?.id);
    const gates = await store.prisma.gate.findMany({ where: { taskId }, orderBy: { openedAt: "asc" } });
    expect(gates.map(({ status }) => status)).toEqual(["superseded", "open"]);
  });

  test("naming another practice or context than the task's is refused with the field", async () => {
    const { channel, taskId, practiceId } = await aHeldTask(store);
    const elsewhere = await aPractice(store);
    const reaching = { ...channel, actor: { ...channel.actor, practices: [practiceId, elsewhere] } };
    const misnamed = await sendMessage(reaching, anIntake({ practiceId: elsewhere, taskId }));
    expect(misnamed).toMatchObject({
      ok: false,
      refusal: { type: "invalid", issues: [{ path: "/message/parts/0/data/practiceId" }] },
    });
    const context = await sendMessage(channel, anIntake({ practiceId, taskId, contextId: "another" }));
    expect(context).toMatchObject({
      ok: false,
      refusal: { type: "invalid", issues: [{ path: "/message/contextId" }] },
    });
  });

  test("for a suspended practice, or one out of reach, or without its atom is not authorised", async () => {
    const { channel, practiceId } = await aHeldTask(store);
    const elsewhere = await aPractice(store);
    const without = {
      ...channel,
      actor: { ...channel.actor, atoms: atoms.filter((atom) => atom !== "prior_auth_intake") },
    };
    for (const [ctx, id] of [
      [channel, elsewhere],
      [channel, "nowhere"],
      [without, practiceId],
    ] as const) {
      expect(await sendMessage(ctx, anIntake({ practiceId: id }))).toEqual({
        ok: false,
        refusal: { type: "not-authorised" },
      });
    }
    await store.prisma.practice.update({ where: { id: practiceId }, data: { status: "suspended" } });
    expect(await sendMessage(channel, anIntake({ practiceId }))).toEqual({
      ok: false,
      refusal: { type: "not-authorised" },
    });
  });
});

describe("another practice's task", () => {
  test("cannot be read, withdrawn, amended or voided, and looks like any other denial", async () => {
    const { taskId, practiceId } = await aHeldTask(store);
    const elsewhere = await aPractice(store);
    const stranger = await aChannel(store, { practices: [elsewhere] });
    const denied = { ok: false, refusal: { type: "not-authorised" } };
    expect(await getTask(stranger, { taskId, historyLength: 0 })).toEqual(denied);
    expect(await cancelTask(stranger, { taskId })).toEqual(denied);
    expect(await sendMessage(stranger, anIntake({ practiceId: elsewhere, taskId }))).toEqual(denied);
    expect(await sendMessage(stranger, aVoid({ practiceId, taskId }))).toEqual(denied);
    expect(await actsOf(store, taskId)).toEqual(["task.opened"]);
  });

  test("that does not exist is not found, whatever its id looks like", async () => {
    const { channel } = await aHeldTask(store);
    for (const taskId of ["00000000-0000-7000-8000-000000000000", "no-uuid", "' OR 1=1 --"]) {
      expect(await getTask(channel, { taskId, historyLength: 0 })).toEqual({
        ok: false,
        refusal: { type: "not-found" },
      });
      expect(await cancelTask(channel, { taskId })).toEqual({ ok: false, refusal: { type: "not-found" } });
    }
  });
});

describe("withdrawing", () => {
  test("ends a held task, and again returns it unchanged", async () => {
    const { channel, taskId } = await aHeldTask(store);
    const first = await cancelTask(channel, { taskId });
    const second = await cancelTask(channel, { taskId });
    expect(first.ok && stateOf(first.value.task)).toBe("withdrawn");
    expect(second).toEqual(first);
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "task.withdrawn"]);
  });

  test("against a release at the same moment has one winner, and a withdrawn task has no work", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { channel, reviewer, taskId, seen } = await aHeldTask(store);
      const [cancelled, released] = await Promise.all([
        cancelTask(channel, { taskId }),
        releaseGate(reviewer, { taskId, seen }),
      ]);
      const now = await getTask(channel, { taskId, historyLength: 0 });
      const state = now.ok && stateOf(now.value.task);
      expect(cancelled.ok).toBe(true);
      expect(state).toBe("withdrawn");
      const left = await store.prisma.transmission.count({ where: { taskId, phase: { not: "done" } } });
      expect(left).toBe(0);
      if (!released.ok) expect(released.refusal.type).toBe("changed");
    }
  });
});

test("history comes back only when asked for, oldest first and exactly as it was sent", async () => {
  const practiceId = await aPractice(store);
  const channel = await aChannel(store, { practices: [practiceId] });
  const first = anIntake({ practiceId, note: "first \u202e note", review: fullReview });
  const opened = await sendMessage(channel, first);
  const taskId = opened.ok ? opened.value.id : "";
  const second = anIntake({ practiceId, taskId, note: "second" });
  await sendMessage(channel, second);
  const read = await getTask(channel, { taskId, historyLength: 10 });
  const one = await getTask(channel, { taskId, historyLength: 1 });
  expect(opened.ok && opened.value.messages).toBeUndefined();
  expect(read.ok && read.value.messages?.map((bytes) => Buffer.from(bytes).toString())).toEqual(
    [first.body.toString(), second.body.toString()].map(() => expect.any(String)),
  );
  expect(read.ok && read.value.messages?.map((bytes) => Buffer.from(bytes))).toEqual([
    Buffer.from(first.body),
    Buffer.from(second.body),
  ]);
  expect(one.ok && one.value.messages?.map((bytes) => Buffer.from(bytes))).toEqual([Buffer.from(second.body)]);
  expect(read.ok && seenOn(read.value).revision).toBe(2);
});
