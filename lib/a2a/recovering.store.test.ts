import { afterAll, expect, test } from "vitest";
import { openWholeStore } from "#test/support/database/whole-store";
import { readRecordStops, writeRecordStops } from "#lib/submission/shared/record-stops";
import { releaseGate } from "#lib/gate/release-gate";
import { aHeldTask, aStore, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { dropClone, freshDatabase } from "#test/support/database/fresh-database";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";

const store = aStore();
const deps = edgeDeps(store);
afterAll(() => store.close());

const refused = {
  status: 503,
  json: { error: { code: -32000, message: "The service is being recovered" } },
};

test("while the audit log of a practice lacks an entry, agents can read its cases, and everything else is refused with when to try again", async () => {
  const { practiceId, taskId, channel, reviewer, seen } = await aHeldTask(store);
  const other = await aHeldTask(store);
  const call = (method: string, params: object, { key } = channel) => callEdge(deps, rpc(method, params), { key });
  await writeRecordStops(store, [{ chain: practiceId, seq: 99, hash: "of an entry that was seen" }]);
  try {
    const sent = await call("message/send", intakeParams({ practiceId }));
    expect(sent).toMatchObject(refused);
    expect(sent.headers["retry-after"]).toBe("60");
    expect(await call("tasks/cancel", { id: taskId })).toMatchObject(refused);
    expect(await call("tasks/get", { id: taskId })).toMatchObject({ status: 200, json: { result: { id: taskId } } });
    expect(await releaseGate(reviewer, { taskId, seen })).toEqual({ ok: false, refusal: { type: "record-stopped" } });
    const elsewhere = await call("message/send", intakeParams({ practiceId: other.practiceId }), other.channel);
    expect(elsewhere).toMatchObject({ status: 200, json: { result: { kind: "task" } } });
  } finally {
    await store.prisma.recordStop.deleteMany({ where: { chain: practiceId } });
  }
  expect(await call("tasks/cancel", { id: taskId })).toMatchObject({ status: 200, json: { result: { id: taskId } } });
});

test("a broken chain that practices share stops all of them", async () => {
  const database = await freshDatabase();
  const own = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 4 });
  const { practiceId, channel } = await aHeldTask(own);
  const send = () => callEdge(edgeDeps(own), rpc("message/send", intakeParams({ practiceId })), { key: channel.key });
  expect(await send()).toMatchObject({ status: 200 });
  await writeRecordStops(own, [{ chain: "people", seq: 3, hash: "of an entry that was seen" }]);
  expect(await readRecordStops(own)).toMatchObject([{ chain: "people", isShared: true }]);
  expect(await send()).toMatchObject(refused);
  await own.close();
  await dropClone(database);
});
