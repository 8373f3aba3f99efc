import { afterAll, expect, test } from "vitest";
import { aChannel, aPractice, aStore, fullReview, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";
import { anArchive, noArchive } from "#test/support/servers/archives";
import { openWholeStore } from "#test/support/database/whole-store";
import { testDatabase } from "#test/support/database/fresh-database";
import type { Store } from "#lib/db/db";
import { archiveClosedCases } from "#lib/db/archive-closed";
import { pino } from "pino";

const bare = aStore();
const archive = await anArchive();
const keys = { sealingKey, receiptKey, keyPepper };
const [store, storeAway] = [archive.store, noArchive()].map((each) =>
  openWholeStore({ url: testDatabase.appUrl, ...keys, connectionsMax: 4, archive: each }),
) as [Store, Store];
afterAll(async () => {
  await Promise.all([bare, store, storeAway].map((each) => each.close()));
  await archive.stop();
});

test("while the archive is away, a call that needs an archived value is told to try again, and any other is served", async () => {
  const practiceId = await aPractice(bare);
  const { key } = await aChannel(bare, { practices: [practiceId] });
  const calling = (over: Store) => (method: string, params: unknown) =>
    callEdge(edgeDeps(over), rpc(method, params), { key });
  const [call, callAway] = [calling(store), calling(storeAway)];
  const opened = await call("message/send", intakeParams({ practiceId, review: fullReview }));
  const { id } = opened.json.result;
  expect((await call("tasks/cancel", { id })).status).toBe(200);
  const before = await call("tasks/get", { id, historyLength: 10 });
  await archiveClosedCases(store, { log: pino({ enabled: false }), afterDays: 0, bytesMin: 64 });
  expect(archive.objects().filter((name) => name.startsWith(`${practiceId}/`))).not.toEqual([]);
  expect((await callAway("tasks/get", { id })).status).toBe(200);
  expect(await callAway("tasks/get", { id, historyLength: 10 })).toMatchObject({
    status: 503,
    headers: { "retry-after": "2" },
    json: { error: { code: -32000, message: "The service is busy" } },
  });
  expect((await call("tasks/get", { id, historyLength: 10 })).json.result).toEqual(before.json.result);
});
