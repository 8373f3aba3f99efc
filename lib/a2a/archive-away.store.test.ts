import { afterAll, expect, test } from "vitest";
import { anAnsweredTask, approved } from "#test/support/cases/sent-cases";
import { aFilePart, aPdf } from "#test/support/agents/files";
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

const objectsOf = (practiceId: string) => archive.objects().filter((name) => name.startsWith(`${practiceId}/`));

test("where the archive lost messages and files, the rest of the task is answered with how many are missing, until they are brought back", async () => {
  const practiceId = await aPractice(bare);
  const { key } = await aChannel(bare, { practices: [practiceId] });
  const deps = edgeDeps(store);
  const call = (method: string, params: unknown) => callEdge(deps, rpc(method, params), { key });
  const parts = [aFilePart(aPdf("Six weeks of therapy"), { name: "report.pdf" })];
  const { id } = (await call("message/send", intakeParams({ practiceId, review: fullReview, parts }))).json.result;
  const next = intakeParams({ practiceId, review: fullReview, data: { taskId: id }, message: { taskId: id } });
  expect((await call("message/send", next)).json).toHaveProperty("result");
  await call("tasks/cancel", { id });
  const before = (await call("tasks/get", { id, historyLength: 10 })).json.result;
  await archiveClosedCases(store, { log: pino({ enabled: false }), afterDays: 0, bytesMin: 64 });
  const objects = objectsOf(practiceId);
  const answers = [];
  for (const name of objects) {
    archive.damage(name, "change");
    const { status, json } = await callEdge(edgeDeps(store), rpc("tasks/get", { id, historyLength: 10 }), { key });
    const { history, metadata, ...task } = json.result;
    expect(status).toBe(200);
    const { history: all, metadata: known, ...same } = before;
    expect(task).toEqual(same);
    answers.push({ messages: history.length, lost: metadata.historyLost ?? 0 });
    expect(metadata).toEqual(metadata.historyLost ? { ...known, historyLost: metadata.historyLost } : known);
    expect(all).toHaveLength(2);
    archive.damage(name, "change");
  }
  // Each of two messages and the file; what was frozen for the payer is not part of an answer.
  expect(
    answers
      .filter(({ lost }) => lost === 1)
      .map(({ messages }) => messages)
      .toSorted((one, other) => one - other),
  ).toEqual([1, 1, 2]);
  for (const name of objects) archive.damage(name, "change");
  // A server that did not answer it before, when it had all of it.
  const later = edgeDeps(store);
  const read = async () => (await callEdge(later, rpc("tasks/get", { id, historyLength: 10 }), { key })).json.result;
  const lost = await read();
  expect([lost.history, lost.metadata.historyLost]).toEqual([[], 2]);
  expect(later.lines).toContainEqual(
    expect.objectContaining({
      level: 50,
      task: id,
      practice: practiceId,
      msg: expect.stringContaining("archive lost"),
    }),
  );
  for (const name of objects) archive.damage(name, "change");
  expect(await read()).toEqual(before);
});

test("a message that needs what the archive lost is refused as what cannot be done, and nothing of it is stored", async () => {
  const { taskId, practiceId, channel } = await anAnsweredTask(store, { type: "decided", determination: approved });
  await archiveClosedCases(store, { log: pino({ enabled: false }), afterDays: 0, bytesMin: 64 });
  const deps = edgeDeps(store);
  const data = { skill: "prior_auth_void", practiceId, taskId, reason: "Cancelled." };
  const message = { role: "user", messageId: crypto.randomUUID(), parts: [{ kind: "data", data }] };
  const send = () => callEdge(deps, rpc("message/send", { message }), { key: channel.key });
  for (const name of objectsOf(practiceId)) archive.damage(name, "change");
  for (const answer of [await send(), await send()])
    expect(answer).toMatchObject({
      status: 200,
      json: {
        error: {
          code: -32004,
          data: { problem: expect.stringContaining("archive lost"), requestId: expect.any(String) },
        },
      },
    });
  expect(deps.lines).toContainEqual(expect.objectContaining({ level: 50, msg: "a call failed" }));
  for (const name of objectsOf(practiceId)) archive.damage(name, "change");
  expect((await send()).json.result).toMatchObject({ id: taskId, state: "void-held" });
});
