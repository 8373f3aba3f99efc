import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { edgeDeps } from "#test/edge";
import { actsOf, aStore, theWorker } from "#test/cases";
import { notification, replyAs } from "#test/pas/push";
import { responseIn, type Json } from "#test/pas/reply";
import { aPushFront } from "#test/push-front";
import { anAnsweredTask, aSendingTask, bytes, stateNow } from "#test/sent-cases";
import { exchange } from "#test/served";
import { attentionOf } from "#lib/domain/task";
import type { Answer, Call } from "#lib/payer/connector";
import { readPush } from "#lib/payer/pas-fhir/push";
import { openCalls } from "#lib/store/gates";
import { secretPlace } from "#lib/store/subscriptions";
import { sealText } from "#lib/store/seal";
import { dueWork } from "#lib/store/work";
import { getTask } from "#lib/tasks/get-task";
import { recordAnswer } from "#lib/tasks/record-answer";
import { recordInquiry } from "#lib/tasks/record-inquiry";
import { recordPush } from "#lib/tasks/record-push";

const store = aStore();
const worker = theWorker(store);
const { log } = edgeDeps();
const base = aPushFront({ store, log });
afterAll(() => store.close());

const secret = randomBytes(32).toString("base64url");
const pended: Answer = { type: "accepted", reference: "REF-1", receivedAt: new Date("2026-12-01T10:00:00Z") };

/** Lets the payer of this practice come by a door of its own; its route's id comes back. */
async function aDoor(practiceId: string): Promise<string> {
  const route = await store.prisma.route.findFirstOrThrow({ where: { practiceId }, orderBy: { version: "desc" } });
  const sealed = sealText(store.sealer, secret, secretPlace(route.id, practiceId));
  await store.prisma.subscription.create({
    data: { routeId: route.id, practiceId, secret: sealed, nextTryAt: new Date() },
  });
  return route.id;
}

/** The request that left for a task. */
async function sentCall(taskId: string): Promise<Call> {
  const gate = await store.prisma.gate.findFirstOrThrow({
    where: { taskId, transmission: { startedAt: { not: null } } },
  });
  const [call] = openCalls(store.sealer, gate);
  if (!call) throw new Error("Something was sent.");
  return call;
}

type Push = {
  readonly routeId: string;
  readonly body?: Uint8Array;
  readonly headers?: Record<string, string>;
  readonly method?: string;
};

const push = ({ routeId, body = notification(), headers = {}, method = "POST" }: Push) =>
  fetch(`${base()}/api/payers/${routeId}/notifications`, {
    method,
    body: method === "GET" ? null : new Uint8Array(body),
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/fhir+json", ...headers },
  });

async function aPendedTask(answer: Answer = pended) {
  const task = await anAnsweredTask(store, answer);
  const routeId = await aDoor(task.practiceId);
  const call = await sentCall(task.taskId);
  const say = async (action: string, created: string, change: (reply: Json) => void = () => undefined) => {
    const reply = replyAs(call, action, created);
    change(reply);
    return push({ routeId, body: notification(reply) });
  };
  return { ...task, routeId, call, say };
}

const hearAll = async (taskId: string) => {
  const heard = [];
  for (
    let one = await recordPush(worker, { taskId });
    one.ok && one.value !== "none-waits";
    one = await recordPush(worker, { taskId })
  )
    heard.push(one.value);
  return heard;
};
type Kept = Awaited<ReturnType<typeof unmatchedOf>>[number];
const unmatchedOf = (practiceId: string) => store.prisma.unmatchedPush.findMany({ where: { practiceId } });
const eventsOf = (taskId: string) => store.prisma.payerEvent.findMany({ where: { taskId }, orderBy: { id: "asc" } });

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
    expect((await push({ routeId })).status).toBe(200);
    expect(await eventsOf(taskId)).toEqual(known);
    expect(await unmatchedOf(practiceId)).toEqual([]);
    expect(await store.prisma.subscription.findUnique({ where: { routeId } })).toMatchObject({
      confirmedAt: expect.any(Date),
    });
  });

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
      const told = await push({ routeId, body });
      expect(told.status).toBe(400);
      expect(told.headers.get("content-type")).toBe("application/fhir+json");
      const outcome = (await told.json()) as { resourceType: string; issue: { details: { text: string } }[] };
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
    expect((await push({ routeId: mine.routeId, body })).status).toBe(200);
    expect(await eventsOf(theirs.taskId)).toEqual(known);
    expect(await unmatchedOf(theirs.practiceId)).toEqual([]);
    await store.prisma.transmission.updateMany({
      where: { taskId: mine.taskId },
      data: { startedAt: null, sentAt: null },
    });
    expect((await mine.say("A1", "2026-12-02T10:00:00Z")).status).toBe(200);
    expect((await eventsOf(mine.taskId)).filter(({ kind }) => kind === "push")).toEqual([]);
    expect(await unmatchedOf(mine.practiceId)).toHaveLength(2);
  });
});

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
    const said = await say("A1", "2026-12-02T10:00:00Z", (reply) => {
      const { request } = responseIn(reply) as { request: { reference: string } };
      nameless(reply)["request"] = { reference: request.reference };
    });
    expect(said.status).toBe(200);
    expect(await hearAll(taskId)).toEqual(["match"]);
    expect(await stateNow(taskId, { channel })).toBe("determined");
    expect(await unmatchedOf(practiceId)).toEqual([]);
  });

  test("by the payer's reference alone decides the case", async () => {
    const { say, taskId, channel, practiceId } = await aPendedTask();
    await say("A1", "2026-12-02T10:00:00Z", (reply) => void (nameless(reply)["preAuthRef"] = "REF-1"));
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
    await store.prisma.task.update({ where: { id: second }, data: { practiceId: mine.practiceId } });
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
    await store.prisma.task.update({ where: { id: taskId }, data: { pollAt: new Date(Date.now() + 3_600_000) } });
    const reply = replyAs(call, "A1", "2026-12-02T10:00:00Z");
    nameless(reply)["preAuthRef"] = "NOBODY-KNOWS";
    const body = notification(reply);
    for (const again of [body, body]) expect((await push({ routeId, body: again })).status).toBe(200);
    const [kept, ...others] = await unmatchedOf(practiceId);
    expect(others).toEqual([]);
    expect(kept).toMatchObject({ payerId: "87042", size: body.length, handledAt: null });
    expect(Buffer.from(kept?.payload ?? []).toString("latin1")).not.toContain("ClaimResponse");
    const { pollAt } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
    expect(pollAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test("beside an answer that is about a case is kept with both", async () => {
    const { routeId, practiceId, taskId, call } = await aPendedTask();
    const [known, unknown] = [1, 2].map((day) => replyAs(call, "A1", `2026-12-0${day}T10:00:00Z`)) as [Json, Json];
    nameless(unknown)["preAuthRef"] = "NOBODY-KNOWS";
    expect((await push({ routeId, body: notification(known, unknown) })).status).toBe(200);
    expect(await unmatchedOf(practiceId)).toHaveLength(1);
    expect((await eventsOf(taskId)).filter(({ kind }) => kind === "push")).toHaveLength(1);
  });

  test("past two hundred that wait is told to come back, and still kept where it is about a case", async () => {
    const { routeId, practiceId, say, taskId } = await aPendedTask();
    const unknown = { resourceType: "Bundle", type: "collection", entry: [{}] };
    const first = await push({ routeId, body: notification(unknown) });
    expect(first.status).toBe(200);
    const [{ id: _, ...kept }] = (await unmatchedOf(practiceId)) as [Kept];
    await store.prisma.unmatchedPush.createMany({
      data: Array.from({ length: 199 }, (__, index) => ({ ...kept, id: crypto.randomUUID(), digest: `${index}` })),
    });
    const full = await push({ routeId, body: notification({ ...unknown, id: "again" }) });
    expect([full.status, full.headers.get("retry-after")]).toEqual([503, "3600"]);
    expect((await push({ routeId, body: notification(unknown) })).status).toBe(200);
    expect((await say("A1", "2026-12-02T10:00:00Z")).status).toBe(200);
    expect((await eventsOf(taskId)).filter(({ kind }) => kind === "push")).toHaveLength(1);
    expect(await unmatchedOf(practiceId)).toHaveLength(200);
  });
});

describe("what a payer pushes", () => {
  test("is kept sealed before it is told so, and then decides the case", async () => {
    const { say, taskId, channel } = await aPendedTask();
    expect((await say("A1", "2026-12-02T10:00:00Z")).status).toBe(200);
    expect(await stateNow(taskId, { channel })).toBe("transmitted");
    expect((await dueWork(store)).pushed).toContain(taskId);
    const { payload } = await store.prisma.payerEvent.findFirstOrThrow({ where: { taskId, kind: "push" } });
    expect(Buffer.from(payload ?? []).toString()).not.toContain("ClaimResponse");
    expect(await hearAll(taskId)).toEqual(["match"]);
    expect(await stateNow(taskId, { channel })).toBe("determined");
    expect((await dueWork(store)).pushed).not.toContain(taskId);
    expect(await store.prisma.task.findUnique({ where: { id: taskId } })).toMatchObject({ pollAt: null });
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
      recordInquiry(worker, { taskId, heard: { answer: reading, bytes } }),
      recordInquiry(worker, { taskId, heard: { answer: reading, bytes } }),
    ]);
    expect(await store.prisma.determination.count({ where: { taskId } })).toBe(1);
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read.ok && attentionOf(read.value.task)).toBe(undefined);
  });

  test("out of order leaves the newest decision in force", async () => {
    const { say, taskId, channel } = await aPendedTask();
    await say("A3", "2026-12-03T10:00:00Z");
    await say("A1", "2026-12-02T10:00:00Z");
    await say("A4", "2026-12-01T10:00:00Z");
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
    const task = await aSendingTask(store);
    const { taskId, channel, claim } = task;
    const routeId = await aDoor(task.practiceId);
    const body = notification(replyAs(await sentCall(taskId), "A1", "2026-12-02T10:00:00Z"));
    expect((await push({ routeId, body })).status).toBe(200);
    expect(await recordPush(worker, { taskId })).toEqual({ ok: true, value: "later" });
    expect((await dueWork(store)).pushed).not.toContain(taskId);
    expect(await stateNow(taskId, { channel })).toBe("transmitting");
    await recordAnswer(worker, { taskId, attempt: claim.attempt, heard: { answer: pended, bytes } });
    expect((await dueWork(store)).pushed).toContain(taskId);
    await hearAll(taskId);
    expect(await stateNow(taskId, { channel })).toBe("determined");
  });

  test("about a request in doubt settles the doubt", async () => {
    const task = await anAnsweredTask(store, { type: "unknown", reason: "no reply" });
    const routeId = await aDoor(task.practiceId);
    const reply = replyAs(await sentCall(task.taskId), "A4", "2026-12-02T10:00:00Z");
    await push({ routeId, body: notification(reply) });
    await hearAll(task.taskId);
    expect(await stateNow(task.taskId, task)).toBe("transmitted");
  });

  test("asks for a person when it cannot be understood, once", async () => {
    const { say, taskId, channel } = await aPendedTask();
    await say("ZZ", "2026-12-02T10:00:00Z");
    await say("ZZ", "2026-12-02T11:00:00Z");
    await hearAll(taskId);
    expect((await actsOf(store, taskId)).filter((act) => act === "payer.unreadable")).toHaveLength(1);
    expect(await stateNow(taskId, { channel })).toBe("transmitted");
  });

  test("that decides what the payer had refused moves nothing, and a person is told once", async () => {
    const refusal: Answer = { type: "rejected", correction: "correctable", reason: "The member is not known." };
    const { say, taskId, channel } = await aPendedTask(refusal);
    await say("A4", "2026-12-02T10:00:00Z");
    await say("A1", "2026-12-03T10:00:00Z");
    await say("A1", "2026-12-03T10:00:00Z", (reply) => void (reply["id"] = "again"));
    await hearAll(taskId);
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read.ok && [attentionOf(read.value.task), read.value.task.payer]).toEqual(["late-answer", { holds: "no" }]);
    expect(await stateNow(taskId, { channel })).toBe("needs-information");
    expect((await actsOf(store, taskId)).filter((act) => act.startsWith("payer."))).toEqual(["payer.answered-late"]);
  });

  test("that names no case has the payer asked about its open cases now, and about nobody else's", async () => {
    const [mine, theirs] = [await aPendedTask(), await aPendedTask()];
    const pollAt = new Date(Date.now() + 3_600_000);
    const both = { id: { in: [mine.taskId, theirs.taskId] } };
    await store.prisma.task.updateMany({ where: both, data: { pollAt } });
    expect((await push({ routeId: mine.routeId, body: notification() })).status).toBe(200);
    const dueIn = async (taskId: string) =>
      (await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } })).pollAt?.getTime() ?? Infinity;
    expect(await dueIn(mine.taskId)).toBeLessThanOrEqual(Date.now());
    expect(await dueIn(theirs.taskId)).toBe(pollAt.getTime());
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
