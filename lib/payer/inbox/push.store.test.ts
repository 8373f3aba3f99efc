import { afterAll, describe, expect, test } from "vitest";
import { edgeDeps } from "#test/support/agents/edge";
import { actsOf, anIntake, aStore, fullReview, seenOn, theWorker } from "#test/support/cases/cases";
import { notification, replyAs } from "#test/support/payer/pas/push";
import { responseIn, type Json } from "#test/support/payer/pas/reply";
import { aPushFront } from "#test/support/payer/push-front";
import { aPayersDoor, type Push } from "#test/support/payer/payers-door";
import { anAnsweredTask, aTransmittingTask, bytes, stateNow } from "#test/support/cases/sent-cases";
import { done } from "#test/support/people/admin";
import { exchange } from "#test/support/servers/served";
import { attentionOf } from "#lib/task/model/task";
import type { PayerAnswer } from "#lib/payer/connector";
import { readPush } from "#lib/payer/pas-fhir/push";
import { dueWork } from "#lib/submission/shared/work";
import { releaseGate } from "#lib/gate/release-gate";
import { claimTransmission, startTransmission } from "#lib/submission/transmission";
import { sendMessage } from "#lib/task/send-message";
import { getTask } from "#lib/task/get-task";
import { recordAnswer } from "#lib/submission/record-answer";
import { recordInquiry } from "#lib/submission/record-inquiry";
import { resolveUnconfirmed } from "#lib/submission/resolve-unconfirmed";
import { recordPush } from "./record-push.ts";

const store = aStore();
const worker = theWorker(store);
const { log } = edgeDeps();
const base = aPushFront({ store, log });
afterAll(() => store.close());

const { secret, aDoor, sentCall, push, aPendedTask, pended, hearAll, unmatchedOf, eventsOf } = aPayersDoor(store, base);

/** A notification of nothing but how the subscription is. */
function heartbeat(status: string): Buffer {
  const parameter = [
    { name: "type", valueCode: "heartbeat" },
    { name: "status", valueCode: status },
  ];
  const entry = [{ resource: { resourceType: "Parameters", parameter } }];
  return Buffer.from(JSON.stringify({ resourceType: "Bundle", type: "history", entry }));
}

describe("the door", () => {
  test("tells whoever does not show the secret the same of every address, and reads and keeps nothing", async () => {
    const { routeId, taskId, call } = await aPendedTask();
    const body = notification(replyAs(call, "A1", "2026-12-02T10:00:00Z"));
    const known = await eventsOf(taskId);
    const attempts = [
      push({ routeId: "019335d2-7a1c-7c3d-8a4b-1c2d3e4f5a6b", body }),
      push({ routeId, body, headers: { authorization: "Bearer wrong" } }),
      push({ routeId, body, headers: { authorization: `Basic ${secret}` } }),
      push({ routeId, body, headers: { authorization: "" } }),
      push({ routeId, body, headers: { authorization: "Bearer no door has this secret" } }),
      push({ routeId: "nonsense", body }),
      push({ routeId: "../../etc", body: Buffer.from("{"), headers: { "content-type": "text/plain" } }),
    ];
    const answers = await Promise.all(
      attempts.map(async (attempt) => {
        const response = await attempt;
        const { date: _, ...headers } = Object.fromEntries(response.headers);
        return JSON.stringify([response.status, headers, await response.text()]);
      }),
    );
    expect(new Set(answers.slice(0, 6)).size).toBe(1);
    expect(answers[0]).toContain("[401,");
    expect(await eventsOf(taskId)).toEqual(known);
  });

  test.each<[string, Partial<Push>, number]>([
    ["another verb", { method: "GET" }, 405],
    ["another type", { headers: { "content-type": "text/plain" } }, 415],
    ["an encoding", { headers: { "content-encoding": "gzip" } }, 415],
    ["a body too large", { body: Buffer.alloc(5_000_001, " ") }, 413],
  ])("refuses %s", async (_, more, status) => {
    const { routeId } = await aPendedTask();
    expect((await push({ routeId, ...more })).status).toBe(status);
  });

  test("refuses a body too large that does not say so beforehand", async () => {
    const { routeId } = await aPendedTask();
    const head = `POST /api/payers/${routeId}/notifications HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/fhir+json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = Buffer.alloc(5_000_001, " ");
    const answer = await exchange(base(), `${head}${chunk.length.toString(16)}\r\n${chunk.toString()}\r\n0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  test("takes a handshake and keeps nothing, and knows from then on that the payer comes", async () => {
    const { routeId, taskId, practiceId } = await aPendedTask();
    const known = await eventsOf(taskId);
    const answer = await push({ routeId });
    expect(answer.status).toBe(204);
    // A payer's server may read any content as a FHIR resource, and this as one that it cannot read.
    expect([await answer.text(), answer.headers.get("content-type"), answer.headers.get("content-length")]).toEqual([
      "",
      null,
      null,
    ]);
    expect(await eventsOf(taskId)).toEqual(known);
    expect(await unmatchedOf(practiceId)).toEqual([]);
    expect(await store.prisma.subscription.findUnique({ where: { routeId } })).toMatchObject({
      confirmedAt: expect.any(Date),
    });
  });

  test.each(["off", "error"])(
    "has the payer subscribed to again once it says that the subscription is %s",
    async (status) => {
      const { routeId } = await aPendedTask();
      await store.prisma.subscription.update({ where: { routeId }, data: { subscribedAt: new Date() } });
      expect((await push({ routeId, body: heartbeat("active") })).status).toBe(204);
      const subscribed = { subscribedAt: expect.any(Date), confirmedAt: expect.any(Date) };
      expect(await store.prisma.subscription.findUnique({ where: { routeId } })).toMatchObject(subscribed);
      expect((await push({ routeId, body: heartbeat(status) })).status).toBe(204);
      const ended = {
        subscribedAt: null,
        confirmedAt: null,
        problem: expect.stringContaining("ended the subscription"),
      };
      expect(await store.prisma.subscription.findUnique({ where: { routeId } })).toMatchObject(ended);
    },
  );

  test("tells the payer what is wrong with junk, and with a ClaimResponse outside of a Bundle, and keeps nothing", async () => {
    const { routeId, practiceId, call, taskId } = await aPendedTask();
    const known = await eventsOf(taskId);
    const response = responseIn(replyAs(call, "A1", "2026-12-02T10:00:00Z"));
    const bodies = [
      Buffer.from("{"),
      Buffer.from("[".repeat(100_000)),
      Buffer.from('{"resourceType":"Patient"}'),
      Buffer.from(JSON.stringify(response)),
      notification(response),
    ];
    for (const body of bodies) {
      const answer = await push({ routeId, body });
      expect(answer.status).toBe(400);
      expect(answer.headers.get("content-type")).toBe("application/fhir+json");
      const outcome = (await answer.json()) as { resourceType: string; issue: { details: { text: string } }[] };
      expect(outcome).toMatchObject({
        resourceType: "OperationOutcome",
        issue: [{ severity: "error", code: "structure" }],
      });
      expect(outcome.issue[0]?.details.text).toMatch(/Nothing was kept/);
    }
    expect(await eventsOf(taskId)).toEqual(known);
    expect(await unmatchedOf(practiceId)).toEqual([]);
  });

  test("keeps what is about another practice's case, or one of which nothing was sent, for a reviewer and with no case", async () => {
    const mine = await aPendedTask();
    const theirs = await aPendedTask();
    const body = notification(replyAs(theirs.call, "A1", "2026-12-02T10:00:00Z"));
    const known = await eventsOf(theirs.taskId);
    expect((await push({ routeId: mine.routeId, body })).status).toBe(204);
    expect(await eventsOf(theirs.taskId)).toEqual(known);
    expect(await unmatchedOf(theirs.practiceId)).toEqual([]);
    await store.prisma.transmission.updateMany({
      where: { taskId: mine.taskId },
      data: { startedAt: null, sentAt: null },
    });
    expect((await mine.say("A1", "2026-12-02T10:00:00Z")).status).toBe(204);
    expect((await eventsOf(mine.taskId)).filter(({ kind }) => kind === "push")).toEqual([]);
    expect(await unmatchedOf(mine.practiceId)).toHaveLength(2);
  });
});

describe("what a payer pushes", () => {
  test("is kept sealed before it is told so, and then decides the case", async () => {
    const { say, taskId, channel } = await aPendedTask();
    expect((await say("A1", "2026-12-02T10:00:00Z")).status).toBe(204);
    expect(await stateNow(taskId, { channel })).toBe("transmitted");
    expect((await dueWork(store)).pushed.map((due) => due.taskId)).toContain(taskId);
    const { payload } = await store.prisma.payerEvent.findFirstOrThrow({ where: { taskId, kind: "push" } });
    expect(Buffer.from(payload ?? []).toString()).not.toContain("ClaimResponse");
    expect(await hearAll(taskId)).toEqual(["match"]);
    expect(await stateNow(taskId, { channel })).toBe("determined");
    expect((await dueWork(store)).pushed.map((due) => due.taskId)).not.toContain(taskId);
    expect(await store.prisma.nextInquiry.findUnique({ where: { taskId } })).toBe(null);
  });

  test("twice, in other bytes, or found by asking as well, is recorded once", async () => {
    const { say, taskId, routeId, call } = await aPendedTask();
    const body = notification(replyAs(call, "A1", "2026-12-02T10:00:00Z"));
    await Promise.all([push({ routeId, body }), push({ routeId, body })]);
    await say("A1", "2026-12-02T10:00:00Z", (reply) => (reply["timestamp"] = "2026-12-02T11:00:00Z"));
    expect((await eventsOf(taskId)).filter(({ kind }) => kind === "push")).toHaveLength(2);
    await Promise.all([hearAll(taskId), hearAll(taskId)]);
    expect(await store.prisma.determination.count({ where: { taskId } })).toBe(1);
    expect((await actsOf(store, taskId)).filter((act) => act === "payer.decided")).toHaveLength(1);
  });

  test("and what asking finds at the same time change the case once", async () => {
    const { say, taskId, channel, call } = await aPendedTask();
    await say("A1", "2026-12-02T10:00:00Z");
    const pushed = readPush(notification(replyAs(call, "A1", "2026-12-02T10:00:00Z")));
    const reading = pushed.ok ? pushed.value.match([call], false) : undefined;
    if (reading?.type !== "match") throw new Error("The notification is about the case.");
    await Promise.all([
      hearAll(taskId),
      recordInquiry(worker, { taskId, response: { answer: reading, bytes } }),
      recordInquiry(worker, { taskId, response: { answer: reading, bytes } }),
    ]);
    expect(await store.prisma.determination.count({ where: { taskId } })).toBe(1);
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read.ok && attentionOf(read.value.task)).toBe(undefined);
  });

  test("out of order leaves the newest decision in force", async () => {
    const { say, taskId, channel } = await aPendedTask();
    await say("A3", "2026-01-03T10:00:00Z");
    await say("A1", "2026-01-02T10:00:00Z");
    await say("A4", "2026-01-01T10:00:00Z");
    await hearAll(taskId);
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read).toMatchObject({ ok: true, value: { determination: { outcome: "denied" } } });
    const kept = await store.prisma.determination.findMany({ where: { taskId }, orderBy: { receivedAt: "asc" } });
    expect(kept.map(({ outcome, supersedes }) => [outcome, supersedes])).toEqual([
      ["denied", null],
      ["approved", null],
    ]);
    expect(read.ok && attentionOf(read.value.task)).toBe(undefined);
  });

  test("while an attempt is under way waits for its end, and never decides twice", async () => {
    const task = await aTransmittingTask(store);
    const { taskId, channel, claim } = task;
    const routeId = await aDoor(task.practiceId);
    const body = notification(replyAs(await sentCall(taskId), "A1", "2026-12-02T10:00:00Z"));
    expect((await push({ routeId, body })).status).toBe(204);
    expect(await recordPush(worker, { taskId })).toEqual({ ok: true, value: "later" });
    expect((await dueWork(store)).pushed.map((due) => due.taskId)).not.toContain(taskId);
    expect(await stateNow(taskId, { channel })).toBe("transmitting");
    await recordAnswer(worker, { taskId, attempt: claim.attempt, response: { answer: pended, bytes } });
    expect((await dueWork(store)).pushed.map((due) => due.taskId)).toContain(taskId);
    await hearAll(taskId);
    expect(await stateNow(taskId, { channel })).toBe("determined");
  });

  test.each<[string, string]>([
    ["decides", "A1"],
    ["has pended", "A4"],
  ])("of what a person was told that it lacks is for a person, where it %s it after all", async (_, action) => {
    const task = await anAnsweredTask(store, { type: "unknown", reason: "no reply" });
    const { taskId, channel, reviewer, claim } = task;
    const routeId = await aDoor(task.practiceId);
    const inquiry = { whom: "Lee", by: "phone", at: new Date() } as const;
    await resolveUnconfirmed(reviewer, { taskId, gateId: claim.gateId, payerHas: false, inquiry });
    await push({ routeId, body: notification(replyAs(await sentCall(taskId), action, "2026-11-02T10:00:00Z")) });
    expect(await hearAll(taskId)).toEqual(["match"]);
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read.ok && attentionOf(read.value.task)).toBe("late-answer");
    expect((await eventsOf(taskId)).some(({ unread }) => unread)).toBe(true);
    expect(await stateNow(taskId, { channel })).toBe("transmit-held");
  });

  test("about a request in doubt settles the doubt", async () => {
    const task = await anAnsweredTask(store, { type: "unknown", reason: "no reply" });
    const routeId = await aDoor(task.practiceId);
    const reply = replyAs(await sentCall(task.taskId), "A4", "2026-12-02T10:00:00Z");
    await push({ routeId, body: notification(reply) });
    await hearAll(task.taskId);
    expect(await stateNow(task.taskId, task)).toBe("transmitted");
  });

  test("about a request in doubt, and is not clear, settles that the payer has it; a person reads the rest", async () => {
    const task = await anAnsweredTask(store, { type: "unknown", reason: "no reply" });
    const routeId = await aDoor(task.practiceId);
    const say = async (created: string) =>
      push({ routeId, body: notification(replyAs(await sentCall(task.taskId), "ZZ", created)) });
    await say("2026-12-02T10:00:00Z");
    expect(await hearAll(task.taskId)).toEqual(["unclear"]);
    const read = async () => {
      const record = await getTask(task.channel, { taskId: task.taskId, historyLength: 0 });
      return record.ok ? record.value : undefined;
    };
    expect(await read()).toMatchObject({
      task: {
        stage: { kind: "idle" },
        payer: { payerReceipt: "yes", reference: expect.any(String), determination: undefined },
        attention: "unreadable-answer",
      },
    });
    expect(await stateNow(task.taskId, task)).toBe("transmitted");
    const settlings = () =>
      store.prisma.auditEntry.findMany({ where: { taskId: task.taskId, act: "payer.unreadable" } });
    const [settling] = await settlings();
    expect(JSON.parse(settling?.detail ?? "")).toMatchObject({
      ...{ via: "push", settled: true, from: "transmit-unconfirmed", to: "transmitted" },
    });
    const { dueAt } = await store.prisma.nextInquiry.findUniqueOrThrow({ where: { taskId: task.taskId } });
    expect(dueAt.getTime()).toBeGreaterThan(Date.now());
    // Said again, it is kept for the person beside the first, and settles nothing a second time.
    const once = await read();
    await say("2026-12-02T11:00:00Z");
    expect(await hearAll(task.taskId)).toEqual(["unclear"]);
    expect((await read())?.task).toEqual(once?.task);
    expect(await settlings()).toHaveLength(1);
    const unread = await eventsOf(task.taskId);
    expect(unread.filter(({ kind, unread: isUnread }) => kind === "push" && isUnread)).toHaveLength(2);
  });

  test("asks for a person when it cannot be understood, once", async () => {
    const { say, taskId, channel } = await aPendedTask();
    await say("ZZ", "2026-12-02T10:00:00Z");
    await say("ZZ", "2026-12-02T11:00:00Z");
    await hearAll(taskId);
    expect((await actsOf(store, taskId)).filter((act) => act === "payer.unreadable")).toHaveLength(1);
    expect(await stateNow(taskId, { channel })).toBe("transmitted");
  });

  test("under another case's number is kept for a person, also beside an answer that waits for one already", async () => {
    const numbered = (reply: Json) => {
      const of = responseIn(reply);
      const text = JSON.stringify(of["item"]).replaceAll(
        /"url":"number","valueString":"[^"]*"/g,
        `"url":"number","valueString":"PA-774410"`,
      );
      Object.assign(of, { preAuthRef: "PA-774410", item: JSON.parse(text) as Json[] });
    };
    const first = await aPendedTask();
    await first.say("A1", "2026-12-02T10:00:00Z", numbered);
    await hearAll(first.taskId);
    expect(await stateNow(first.taskId, first)).toBe("determined");
    const { practiceId, channel, reviewer, routeId } = first;
    const patient = { ...fullReview.patient, firstName: "Chidi", genderCode: "M" };
    const review = { ...fullReview, patient, subscriber: { ...fullReview.subscriber, memberId: "HM42" } };
    const sent = await done(sendMessage(channel, anIntake({ practiceId, review })));
    const taskId = sent.id;
    await done(releaseGate(reviewer, { taskId, seen: seenOn(sent) }));
    const claim = await done(claimTransmission(worker, { taskId }));
    const attempt = claim === "held-again" ? 0 : claim.attempt;
    await startTransmission(worker, { taskId, attempt });
    await recordAnswer(worker, { taskId, attempt, response: { answer: pended, bytes } });
    const call = await sentCall(taskId);
    for (const [action, at] of [
      ["ZZ", "2026-12-02T10:00:00Z"],
      ["A1", "2026-12-02T11:00:00Z"],
    ] as const) {
      const reply = replyAs(call, action, at);
      numbered(reply);
      await push({ routeId, body: notification(reply) });
      await hearAll(taskId);
    }
    expect(await stateNow(taskId, first)).toBe("transmitted");
    const unread = (await eventsOf(taskId)).filter(({ kind, unread: isUnread }) => kind === "push" && isUnread);
    expect(unread).toHaveLength(2);
  });

  test("that decides what the payer had refused moves nothing, and a person is told once", async () => {
    const refusal: PayerAnswer = { type: "rejected", correction: "correctable", reason: "The member is not known." };
    const { say, taskId, channel } = await aPendedTask(refusal);
    await say("A4", "2026-12-02T10:00:00Z");
    await say("A1", "2026-12-03T10:00:00Z");
    await say("A1", "2026-12-03T10:00:00Z", (reply) => void (reply["id"] = "again"));
    await hearAll(taskId);
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read.ok && [attentionOf(read.value.task), read.value.task.payer]).toEqual([
      "late-answer",
      { payerReceipt: "no" },
    ]);
    expect(await stateNow(taskId, { channel })).toBe("needs-information");
    expect((await actsOf(store, taskId)).filter((act) => act.startsWith("payer."))).toEqual(["payer.answered-late"]);
  });

  test("that names no case has the payer asked about its open cases now, and about nobody else's", async () => {
    const [mine, theirs] = [await aPendedTask(), await aPendedTask()];
    const dueAt = new Date(Date.now() + 3_600_000);
    const both = { taskId: { in: [mine.taskId, theirs.taskId] } };
    await store.prisma.nextInquiry.updateMany({ where: both, data: { dueAt } });
    expect((await push({ routeId: mine.routeId, body: notification() })).status).toBe(204);
    const dueIn = async (taskId: string) =>
      (await store.prisma.nextInquiry.findUniqueOrThrow({ where: { taskId } })).dueAt.getTime();
    expect(await dueIn(mine.taskId)).toBeLessThanOrEqual(Date.now());
    expect(await dueIn(theirs.taskId)).toBe(dueAt.getTime());
  });

  test("after the end is kept as a late answer", async () => {
    const { say, taskId, channel } = await aPendedTask();
    await say("C", "2026-12-02T10:00:00Z");
    await hearAll(taskId);
    expect(await stateNow(taskId, { channel })).toBe("voided");
    await say("A1", "2026-12-03T10:00:00Z");
    await hearAll(taskId);
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read.ok && attentionOf(read.value.task)).toBe("late-answer");
  });
});
