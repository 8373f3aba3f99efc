import { createServer, request } from "node:http";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { releaseGate } from "#lib/gate/release-gate";
import { cancelTask } from "#lib/task/cancel-task";
import { openHints } from "#lib/db/hints";
import { unscoped } from "#lib/db/db";
import { createTaskWatch } from "#lib/task/task-watch";
import { aChannel, aHeldTask, aPractice, aRoute, aStore } from "#test/support/cases/cases";
import { superuserUrl, testDatabase } from "#test/support/database/fresh-database";
import { callEdge, edgeDeps, intakeParams, nameless, rpc, type Answer } from "#test/support/agents/edge";
import { listening } from "#test/support/servers/served";
import pg from "pg";
import { a2aListener } from "./listener.ts";
import { waits } from "./admit/limits.ts";

const store = aStore();
// Another process on the same database, as far as a store can be one.
const elsewhere = aStore();
const hints = openHints({ url: testDatabase.appUrl, onLost: () => undefined });
const aWatch = (compareEveryMs = 3_600_000) =>
  createTaskWatch({
    store: unscoped(store),
    hints,
    compareEveryMs,
    onError: (error) => {
      throw error;
    },
  });
const watch = aWatch();
const deps = { ...edgeDeps(store), watch };
afterAll(async () => {
  watch.close();
  await hints.close();
  await Promise.all([store.close(), elsewhere.close()]);
});

/** Longer than any of these tests: an answer that comes sooner did not come for its time. */
const waitSeconds = 60;

async function held() {
  const { taskId, channel, reviewer, seen, practiceId } = await aHeldTask(store);
  const get = (metadata: object, key = channel.key) =>
    callEdge(deps, rpc("tasks/get", { id: taskId, metadata }), { key });
  const release = () => releaseGate({ ...reviewer, store: elsewhere }, { taskId, seen });
  return { taskId, channel, practiceId, get, release };
}

const untilWaiting = (count: number, of = watch) => expect.poll(() => of.count()).toBe(count);

describe("tasks/get with unlessVersion", () => {
  test("gives the task at once where it has another version, and else only that it has not", async () => {
    const { get, taskId } = await held();
    expect((await get({ unlessVersion: 0, waitSeconds })).json.result).toMatchObject({
      state: "transmit-held",
      gate: {},
    });
    expect((await get({ unlessVersion: 1 })).json.result).toEqual({
      kind: "task",
      id: taskId,
      contextId: expect.any(String),
      state: "transmit-held",
      version: 1,
      unchanged: true,
      pollAfterSeconds: 10,
      status: { state: "working", timestamp: expect.any(String) },
      metadata: { state: "transmit-held", version: 1, unchanged: true },
    });
  });

  test("waits no longer than it says, and then says that nothing changed", async () => {
    const { get } = await held();
    const began = performance.now();
    expect((await get({ unlessVersion: 1, waitSeconds: 2 })).json.result).toMatchObject({ unchanged: true });
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test("is answered as soon as another process changes the task, and waits on after that for the next change", async () => {
    const { get, release, taskId, channel } = await held();
    const first = get({ unlessVersion: 1, waitSeconds });
    await untilWaiting(1);
    await release();
    const { state, version } = (await first).json.result;
    expect(state).toBe("transmit-released");
    const second = get({ unlessVersion: version, waitSeconds });
    await untilWaiting(1);
    await cancelTask({ ...channel, store: elsewhere }, { taskId });
    expect((await second).json.result.state).toBe("withdrawn");
    expect(watch.count()).toBe(0);
  });

  test("is refused with what is wrong where the wait is none", async () => {
    const { get } = await held();
    const issuesOf = async (metadata: object) => (await get(metadata)).json.error.data.issues;
    const cases = [
      [{ waitSeconds: 61, unlessVersion: 1 }, "waitSeconds", "must be at most 60"],
      [{ waitSeconds: -1, unlessVersion: 1 }, "waitSeconds", "must not be negative"],
      [{ waitSeconds: "60", unlessVersion: 1 }, "waitSeconds", "must be a number"],
      [{ waitSeconds: 60 }, "unlessVersion", "is required beside waitSeconds: name the version that you have"],
      [{ unlessVersion: 1.5 }, "unlessVersion", "must be a whole number"],
    ] as const;
    for (const [metadata, name, problem] of cases) {
      expect(await issuesOf(metadata)).toEqual([{ path: `/metadata/${name}`, problem }]);
    }
  });
});

describe("while an answer is held back", () => {
  const keyId = (key: string) => key.split("_")[1] ?? "";
  const same = (one: Answer, other: Answer) => expect(nameless(one)).toEqual(nameless(other));

  test("a key that was revoked gets the denial of any other call", async () => {
    const { get, release, channel } = await held();
    const waiting = get({ unlessVersion: 1, waitSeconds });
    await untilWaiting(1);
    await store.prisma.channelKey.update({ where: { id: keyId(channel.key) }, data: { revokedAt: new Date() } });
    await release();
    const answer = await waiting;
    expect(answer.status).toBe(401);
    same(answer, await get({}));
  });

  test("a channel that lost its practice gets the uniform denial", async () => {
    const { get, release, channel } = await held();
    const waiting = get({ unlessVersion: 1, waitSeconds });
    await untilWaiting(1);
    await store.prisma.channelPractice.deleteMany({ where: { channelId: channel.actor.id } });
    await release();
    const answer = await waiting;
    expect(answer.json.error).toEqual({ code: -32003, message: "Not authorised" });
    same(answer, await get({}));
    const { rule } = await deniedOf(channel.actor.id);
    expect(rule).toBe("task-out-of-reach");
  });

  async function deniedOf(channelId: string) {
    await deps.book.write();
    return store.prisma.channelDenial.findFirstOrThrow({ where: { channelId }, orderBy: { at: "asc" } });
  }

  test("a caller that leaves is forgotten", async () => {
    const { taskId, channel } = await held();
    const listener = a2aListener(deps);
    const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
    const url = await listening(server);
    onTestFinished(() => void server.close());
    const headers = { "content-type": "application/json", authorization: `Bearer ${channel.key}` };
    const call = request(url, { method: "POST", headers });
    call.on("error", () => undefined);
    call.end(JSON.stringify(rpc("tasks/get", { id: taskId, metadata: { unlessVersion: 1, waitSeconds } })));
    await untilWaiting(1);
    call.destroy();
    await expect.poll(() => watch.count()).toBe(0);
  });

  test("calls that do not wait find every place free", async () => {
    const few = { ...edgeDeps(store, { inFlightMax: 1 }), watch };
    const { taskId, channel, release } = await held();
    const ask = (metadata: object) => callEdge(few, rpc("tasks/get", { id: taskId, metadata }), channel);
    const first = ask({ unlessVersion: 1, waitSeconds });
    await untilWaiting(1);
    const waiting = [first, ask({ unlessVersion: 1, waitSeconds })];
    await untilWaiting(2);
    expect((await ask({})).status).toBe(200);
    await release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test("a channel may hold back so many and no more", async () => {
    const { load } = edgeDeps(store);
    const entered = Array.from({ length: waits.each }, () => load.enterWait("one"));
    expect(load.enterWait("one")).toEqual({ full: "rate-exceeded", retryAfterS: 5 });
    const [first] = entered;
    if (first && "leave" in first) first.leave();
    expect(load.enterWait("one")).toHaveProperty("leave");
    expect(load.enterWait("another")).toHaveProperty("leave");
  });
});

describe("a change that was not heard of", () => {
  test("is found by the next comparison", async () => {
    const { taskId, channel } = await held();
    const comparing = aWatch(50);
    const call = rpc("tasks/get", { id: taskId, metadata: { unlessVersion: 1, waitSeconds } });
    const waiting = callEdge({ ...deps, watch: comparing }, call, channel);
    await untilWaiting(1, comparing);
    await store.prisma.task.update({ where: { id: taskId }, data: { version: 2 } });
    expect((await waiting).json.result).toMatchObject({ version: 2, revision: {} });
    comparing.close();
  });

  test("is found when the connection that was lost stands again", async () => {
    const { get, taskId } = await held();
    const waiting = get({ unlessVersion: 1, waitSeconds });
    await untilWaiting(1);
    const admin = new pg.Client({ connectionString: superuserUrl(testDatabase) });
    await admin.connect();
    await store.prisma.task.update({ where: { id: taskId }, data: { version: 2 } });
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'live'");
    await admin.end();
    expect((await waiting).json.result.version).toBe(2);
  });
});

test("a process that is stopping answers every call that waits, and holds no other back", async () => {
  const stopping = aWatch();
  const { taskId, channel } = await held();
  const ask = () => {
    const call = rpc("tasks/get", { id: taskId, metadata: { unlessVersion: 1, waitSeconds } });
    return callEdge({ ...deps, watch: stopping }, call, channel);
  };
  const waiting = [ask(), ask()];
  await untilWaiting(2, stopping);
  stopping.close();
  for (const answer of [...waiting, ask()]) expect((await answer).json.result.unchanged).toBe(true);
});

describe("message/send with blocking", () => {
  async function aCaller() {
    const practiceId = await aPractice(store);
    const channel = await aChannel(store, { practices: [practiceId] });
    const send = (over: object = {}) => {
      const params = intakeParams({ practiceId, params: { configuration: { blocking: true } }, ...over });
      return callEdge(deps, rpc("message/send", params), channel);
    };
    const sentTask = () => store.prisma.task.findFirstOrThrow({ where: { practiceId } });
    return { practiceId, channel, send, sentTask };
  }

  test("is answered at once where the agent moves next", async () => {
    const { practiceId, send } = await aCaller();
    await aRoute(store, { practiceId, payerId: "60054" });
    expect((await send()).json.result).toMatchObject({
      state: "needs-information",
      status: { state: "input-required" },
    });
  });

  test("is answered when the task has ended, with what the reply to a message tells", async () => {
    const { send, sentTask, channel } = await aCaller();
    const waiting = send();
    await untilWaiting(1);
    const { id: taskId } = await sentTask();
    await cancelTask({ ...channel, store: elsewhere }, { taskId });
    expect((await waiting).json.result).toMatchObject({
      id: taskId,
      state: "withdrawn",
      warnings: [{ code: "no-patient" }],
    });
  });

  test("is answered at once with the task where no place to wait is left", async () => {
    const practiceId = await aPractice(store);
    const channel = await aChannel(store, { practices: [practiceId] });
    const params = intakeParams({ practiceId, params: { configuration: { blocking: true } } });
    const enterWait = () => ({ full: "rate-exceeded", retryAfterS: 5 }) as const;
    const full = { ...deps, load: { ...deps.load, enterWait } };
    const { status, json } = await callEdge(full, rpc("message/send", params), channel);
    expect([status, json.result.state]).toEqual([200, "transmit-held"]);
    const { status: polled } = await callEdge(
      full,
      rpc("tasks/get", { id: json.result.id, metadata: { unlessVersion: json.result.version, waitSeconds } }),
      channel,
    );
    expect(polled).toBe(429);
  });

  test("waits on while the task is under way", async () => {
    const { send, sentTask, channel } = await aCaller();
    const untilChanged = vi.spyOn(watch, "untilChanged");
    onTestFinished(() => untilChanged.mockRestore());
    const waiting = send();
    await untilWaiting(1);
    const { id: taskId } = await sentTask();
    await store.prisma.task.update({ where: { id: taskId }, data: { version: 2 } });
    await store.pool.query("SELECT pg_notify('prior_authorization', $1)", [
      JSON.stringify({ topic: "tasks", ids: [taskId] }),
    ]);
    await expect.poll(() => untilChanged.mock.calls.length).toBe(2);
    await cancelTask(channel, { taskId });
    expect((await waiting).json.result.state).toBe("withdrawn");
  });

  test("needs no right to read tasks", async () => {
    const { send, sentTask, channel } = await aCaller();
    await store.prisma.channel.update({ where: { id: channel.actor.id }, data: { atoms: ["prior_auth_intake"] } });
    const waiting = send();
    await untilWaiting(1);
    await cancelTask(channel, { taskId: (await sentTask()).id });
    expect((await waiting).json.result.state).toBe("withdrawn");
  });
});
