import { v7 as uuidv7 } from "uuid";
import { afterAll, expect, test } from "vitest";
import { openHints } from "#lib/db/hints";
import { unscoped } from "#lib/db/db";
import { createTaskWatch } from "#lib/task/task-watch";
import { aChannel, aPractice, aStore } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";

const store = aStore();
const hints = openHints({ url: testDatabase.appUrl, onLost: () => undefined });
const onError = (error: unknown) => {
  throw error;
};
const watch = createTaskWatch({ store: unscoped(store), hints, compareEveryMs: 3_600_000, onError });
const deps = { ...edgeDeps(store), watch };
afterAll(async () => {
  watch.close();
  await hints.close();
  await store.close();
});

const practiceId = await aPractice(store);
const { key } = await aChannel(store, { practices: [practiceId] });
const call = async (method: string, params: object) => (await callEdge(deps, rpc(method, params), { key })).json;
const send = async (over: object = {}) => {
  const { result, error } = await call("message/send", intakeParams({ practiceId, ...over }));
  return result ?? error;
};

test("an id in upper case names the same task and the same context, and replies have it in lower case", async () => {
  const contextId = uuidv7();
  const { id, ...opened } = await send({ message: { contextId: contextId.toUpperCase() } });
  expect(opened.contextId).toBe(contextId);
  const named = { taskId: id.toUpperCase(), contextId: contextId.toUpperCase() };
  expect(await send({ message: named })).toMatchObject({ id, contextId, revision: { number: 2 } });
  expect(await send({ message: { taskId: id }, data: { taskId: named.taskId } })).toMatchObject({ id });
  expect(await call("tasks/get", { id: named.taskId })).toMatchObject({ result: { id } });
  expect(await call("tasks/cancel", { id: named.taskId })).toMatchObject({ result: { id, state: "withdrawn" } });
});

test("a change that names its task in upper case is told to whoever waits for the task", async () => {
  const { id, version } = await send();
  const waiting = call("tasks/get", { id, metadata: { waitSeconds: 60, unlessVersion: version } });
  await expect.poll(() => watch.count()).toBe(1);
  const began = performance.now();
  await call("tasks/cancel", { id: id.toUpperCase() });
  expect((await waiting).result.state).toBe("withdrawn");
  // A wait that nothing ends reads the task too, once its time is over.
  expect(performance.now() - began).toBeLessThan(30_000);
});

test("a message in upper case that is sent again is the same message, and in lower case another", async () => {
  const { id } = await send();
  const message = { taskId: id.toUpperCase(), messageId: uuidv7() };
  const first = await send({ message });
  expect(await send({ message })).toEqual(first);
  expect(await send({ message: { ...message, taskId: id } })).toMatchObject({ code: -32602 });
});
