import { afterAll, beforeEach, expect, test } from "vitest";
import { healthOf } from "./health.ts";
import { openWholeStore } from "#test/support/database/whole-store";
import { aChannel, aPractice, aStore, fullReview, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";
import { silentProxy } from "#test/support/database/silent-proxy";
import { unscoped } from "#lib/db/db";

const direct = aStore();
const proxy = await silentProxy(testDatabase.appUrl);
const keys = { sealingKey, receiptKey, keyPepper };
const store = openWholeStore({ url: proxy.url, ...keys, connectionsMax: 12, silentMs: 1_500 });
const deps = edgeDeps(store);
const health = healthOf(store, { mail: false });
beforeEach(() => proxy.speak());
afterAll(async () => {
  proxy.speak();
  await Promise.all([store.close(), direct.close()]);
  await proxy.close();
});

const practiceId = await aPractice(direct);
const { key } = await aChannel(direct, { practices: [practiceId] });
const call = (method: string, params: unknown) => callEdge(deps, rpc(method, params), { key });
const intake = (messageId: string, message: object = {}) =>
  intakeParams({ practiceId, review: fullReview, message: { messageId, ...message } });
const isReady = async () => (await health.readiness()).status;

const tryAgain = {
  status: 503,
  headers: { "retry-after": "2", "content-type": "application/json" },
  json: {
    jsonrpc: "2.0",
    id: "1",
    error: { code: -32000, message: "The service is busy", data: { requestId: expect.any(String) } },
  },
};

test("while the database does not answer, every call is answered within seconds that it should try again, and is served once the database is back", async () => {
  const opened = await call("message/send", intake(crypto.randomUUID()));
  const { id } = opened.json.result;
  const calls = [
    () => call("tasks/get", { id }),
    () => call("tasks/get", { id, historyLength: 10 }),
    () => call("tasks/cancel", { id }),
    () => call("message/send", intake(crypto.randomUUID())),
    () => call("message/send", intake(crypto.randomUUID(), { taskId: id })),
  ];
  expect(await isReady()).toBe("ready");
  proxy.fallSilent();
  const began = performance.now();
  const many = await Promise.all([...calls, ...calls, ...calls].map((ask) => ask()));
  expect(performance.now() - began).toBeLessThan(20_000);
  for (const answer of many) expect(answer).toMatchObject(tryAgain);
  // No bug of ours, by which the log would wake somebody.
  expect(deps.lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  expect(deps.lines).toContainEqual(expect.objectContaining({ level: 40, msg: "a call failed" }));
  expect(await isReady()).toBe("not-ready");
  proxy.speak();
  await expect.poll(isReady, { timeout: 5_000 }).toBe("ready");
  for (const ask of [calls[0], calls[4], calls[3], calls[2]]) expect((await ask?.())?.status).toBe(200);
}, 60_000);

test("an intake that took effect although its answer was lost is answered by its message id and opens no second task", async () => {
  const messageId = crypto.randomUUID();
  expect((await call("message/send", intake(crypto.randomUUID()))).status).toBe(200);
  const count = () => direct.prisma.message.count({ where: { messageId } });
  proxy.fallSilentAfter(messageId);
  expect(await call("message/send", intake(messageId))).toMatchObject(tryAgain);
  expect(await count()).toBe(1);
  proxy.speak();
  const again = await call("message/send", intake(messageId));
  expect(again.json.result.id).toEqual(expect.any(String));
  expect((await call("message/send", intake(messageId))).json.result.id).toBe(again.json.result.id);
  expect(await count()).toBe(1);
}, 30_000);

test("a process is ready only while the database accepts writes", async () => {
  await expect.poll(isReady, { timeout: 5_000 }).toBe("ready");
  const holder = await unscoped(direct).pool.connect();
  await holder.query("BEGIN; SELECT FROM readiness FOR UPDATE");
  await expect.poll(() => health.readiness(), { timeout: 5_000 }).toEqual({ status: "not-ready", because: "database" });
  await holder.query("ROLLBACK");
  holder.release();
  await expect.poll(isReady, { timeout: 5_000 }).toBe("ready");
});
