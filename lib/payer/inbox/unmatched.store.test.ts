import { afterAll, describe, expect, test } from "vitest";
import { edgeDeps } from "#test/support/agents/edge";
import { aStore } from "#test/support/cases/cases";
import { notification, replyAs } from "#test/support/payer/pas/push";
import { responseIn, type Json } from "#test/support/payer/pas/reply";
import { aPayersDoor } from "#test/support/payer/payers-door";
import { aPushFront } from "#test/support/payer/push-front";
import { anAnsweredTask, stateNow } from "#test/support/cases/sent-cases";
import { attentionOf } from "#lib/task/model/task";
import { getTask } from "#lib/task/get-task";

const store = aStore();
const base = aPushFront({ store, log: edgeDeps().log });
const { aDoor, sentCall, push, aPendedTask, hearAll, unmatchedOf, eventsOf } = aPayersDoor(store, base);
afterAll(() => store.close());

type UnmatchedPush = Awaited<ReturnType<typeof unmatchedOf>>[number];

/** A reply that has lost every name of the case but those a test leaves it. */
const nameless = (reply: Json) => {
  const response = responseIn(reply);
  delete response["identifier"];
  delete response["request"];
  delete response["preAuthRef"];
  delete reply["identifier"];
  return response;
};

describe("a push that names its case otherwise", () => {
  test("by the request alone decides the case", async () => {
    const { say, taskId, channel, practiceId } = await aPendedTask();
    const pushed = await say("A1", "2026-12-02T10:00:00Z", (reply) => {
      const { request } = responseIn(reply) as { request: { reference: string } };
      nameless(reply)["request"] = { reference: request.reference };
    });
    expect(pushed.status).toBe(204);
    expect(await hearAll(taskId)).toEqual(["match"]);
    expect(await stateNow(taskId, { channel })).toBe("determined");
    expect(await unmatchedOf(practiceId)).toEqual([]);
  });

  test("by the payer's reference alone decides the case", async () => {
    const { say, taskId, channel, practiceId } = await aPendedTask();
    await say("A1", new Date().toISOString(), (reply) => void (nameless(reply)["preAuthRef"] = "REF-1"));
    expect(await hearAll(taskId)).toEqual(["match"]);
    expect(await stateNow(taskId, { channel })).toBe("determined");
    expect(await unmatchedOf(practiceId)).toEqual([]);
  });

  test("by the payer's reference alone and for somebody else is a person's", async () => {
    const { say, taskId, channel } = await aPendedTask();
    await say("A1", "2026-12-02T10:00:00Z", (reply) => {
      nameless(reply)["preAuthRef"] = "REF-1";
      responseIn(reply)["patient"] = { identifier: { value: "ANOTHER-MEMBER" } };
    });
    expect(await hearAll(taskId)).toEqual(["unknown"]);
    expect(await stateNow(taskId, { channel })).toBe("transmitted");
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read.ok && attentionOf(read.value.task)).toBe("unreadable-answer");
    expect(await eventsOf(taskId)).toContainEqual(expect.objectContaining({ kind: "push", unread: true }));
  });

  test("by a reference that two cases have, or that only another payer's or practice's case has, is kept for a reviewer", async () => {
    const [mine, theirs] = [await aPendedTask(), await aPendedTask()];
    const referred = (reference: string) => (reply: Json) => void (nameless(reply)["preAuthRef"] = reference);
    await store.prisma.task.update({ where: { id: theirs.taskId }, data: { reference: "THEIRS" } });
    await mine.say("A1", "2026-12-02T10:00:00Z", referred("THEIRS"));
    const { id: _, ...row } = await store.prisma.task.findUniqueOrThrow({ where: { id: mine.taskId } });
    await store.prisma.task.update({ where: { id: mine.taskId }, data: { payerId: "another" } });
    await mine.say("A1", "2026-12-02T10:00:00Z", referred("REF-1"));
    await store.prisma.task.update({ where: { id: mine.taskId }, data: { payerId: row.payerId } });
    const second = (await aPendedTask()).taskId;
    const moved = { practiceId: mine.practiceId };
    await store.prisma.task.update({ where: { id: second }, data: moved });
    await store.prisma.gate.updateMany({ where: { taskId: second }, data: moved });
    await store.prisma.transmission.updateMany({ where: { taskId: second }, data: moved });
    await mine.say("A3", "2026-12-02T10:00:00Z", referred("REF-1"));
    for (const taskId of [mine.taskId, theirs.taskId, second])
      expect((await eventsOf(taskId)).filter(({ kind }) => kind === "push")).toEqual([]);
    expect(await unmatchedOf(mine.practiceId)).toHaveLength(3);
    expect(await unmatchedOf(theirs.practiceId)).toEqual([]);
  });

  test("while an update is in doubt, the payer's reference alone settles nothing", async () => {
    const task = await anAnsweredTask(store, { type: "unknown", reason: "no reply" });
    const routeId = await aDoor(task.practiceId);
    await store.prisma.task.update({ where: { id: task.taskId }, data: { reference: "REF-1" } });
    const reply = replyAs(await sentCall(task.taskId), "A1", "2026-12-02T10:00:00Z");
    nameless(reply)["preAuthRef"] = "REF-1";
    await push({ routeId, body: notification(reply) });
    expect(await hearAll(task.taskId)).toEqual(["unknown"]);
    expect(await stateNow(task.taskId, task)).toBe("transmit-unconfirmed");
  });
});

describe("what no case is found for", () => {
  test("is kept sealed once for a reviewer, and the payer is asked about its open cases", async () => {
    const { routeId, practiceId, taskId, call } = await aPendedTask();
    await store.prisma.nextInquiry.update({ where: { taskId }, data: { dueAt: new Date(Date.now() + 3_600_000) } });
    const reply = replyAs(call, "A1", "2026-12-02T10:00:00Z");
    nameless(reply)["preAuthRef"] = "NOBODY-KNOWS";
    const body = notification(reply);
    for (const again of [body, body]) expect((await push({ routeId, body: again })).status).toBe(204);
    const [kept, ...others] = await unmatchedOf(practiceId);
    expect(others).toEqual([]);
    expect(kept).toMatchObject({ payerId: "87042", size: body.length, handledAt: null });
    expect(Buffer.from(kept?.payload ?? []).toString("latin1")).not.toContain("ClaimResponse");
    const { dueAt } = await store.prisma.nextInquiry.findUniqueOrThrow({ where: { taskId } });
    expect(dueAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test("beside an answer that is about a case is kept with both", async () => {
    const { routeId, practiceId, taskId, call } = await aPendedTask();
    const [known, unknown] = [1, 2].map((day) => replyAs(call, "A1", `2026-12-0${day}T10:00:00Z`)) as [Json, Json];
    nameless(unknown)["preAuthRef"] = "NOBODY-KNOWS";
    expect((await push({ routeId, body: notification(known, unknown) })).status).toBe(204);
    expect(await unmatchedOf(practiceId)).toHaveLength(1);
    expect((await eventsOf(taskId)).filter(({ kind }) => kind === "push")).toHaveLength(1);
  });

  test("past two hundred that wait is told to come back, and still kept where it is about a case", async () => {
    const { routeId, practiceId, say, taskId } = await aPendedTask();
    const unknown = { resourceType: "Bundle", type: "collection", entry: [{}] };
    const first = await push({ routeId, body: notification(unknown) });
    expect(first.status).toBe(204);
    const [{ id: _, ...kept }] = (await unmatchedOf(practiceId)) as [UnmatchedPush];
    await store.prisma.unmatchedPush.createMany({
      data: Array.from({ length: 199 }, (__, index) => ({ ...kept, id: crypto.randomUUID(), digest: `${index}` })),
    });
    const full = await push({ routeId, body: notification({ ...unknown, id: "again" }) });
    expect([full.status, full.headers.get("retry-after")]).toEqual([503, "3600"]);
    expect((await push({ routeId, body: notification(unknown) })).status).toBe(204);
    expect((await say("A1", "2026-12-02T10:00:00Z")).status).toBe(204);
    expect((await eventsOf(taskId)).filter(({ kind }) => kind === "push")).toHaveLength(1);
    expect(await unmatchedOf(practiceId)).toHaveLength(200);
  });
});
