import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { openHints } from "#lib/db/hints";
import { unscoped } from "#lib/db/db";
import { cancelTask } from "#lib/task/cancel-task";
import { createTaskWatch } from "#lib/task/task-watch";
import { aChannel, aPractice, aStore, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { callEdge, edgeDeps, intakeParams, nameless, rpc } from "#test/support/agents/edge";
import { aFilePart } from "#test/support/agents/files";
import { openLongCallThread } from "./long-call-thread.ts";

const store = aStore();
const here = { ...edgeDeps(store), help: "https://pa.elm.example/developers/errors" };
const text = (key: Uint8Array) => Buffer.from(key).toString("base64");
const env = {
  APP_DATABASE_URL: testDatabase.appUrl,
  SEALING_KEY: text(sealingKey),
  RECEIPT_SIGNING_KEY: text(receiptKey),
  CHANNEL_KEY_PEPPER: text(keyPepper),
  NODE_ENV: "test",
  PUBLIC_URL: "https://pa.elm.example",
};
const lines: string[] = [];
const openThread = (given: object, onError = (error: unknown) => void errors.push(error)) =>
  openLongCallThread({ load: here.load, writeLine: (line) => void lines.push(line), onError, env: { ...given } });
const errors: unknown[] = [];
const longCallThread = openThread(env);
const there = { ...here, longCallThread };
afterAll(() => store.close());

const practiceId = await aPractice(store);
const { key, actor } = await aChannel(store, { practices: [practiceId] });
const channelId = actor.id;
const aFile = (bytes: number) => aFilePart(Buffer.from(`%PDF-1.7\n${randomBytes(bytes / 2).toString("hex")}`));
const intake = (parts: readonly object[], over: object = {}) =>
  Buffer.from(JSON.stringify(rpc("message/send", intakeParams({ practiceId, parts, ...over }))));

/** How many calls the other thread has answered. */
const answeredThere = () => lines.filter((line) => line.includes('"msg":"call"')).length;

test("a message with 6.7 MB of files is answered in the other thread, and a short one in the first", async () => {
  const before = answeredThere();
  expect((await callEdge(there, intake([]), { key })).json.result.kind).toBe("task");
  expect(answeredThere()).toBe(before);
  const body = intake([aFilePart(Buffer.alloc(5_000_000, "A letter. "))]);
  expect((await callEdge(there, body, { key })).json.result.kind).toBe("task");
  await expect.poll(answeredThere).toBe(before + 1);
});

test("a short message that amends 9 MB of files is answered in the other thread, with the same reply", async () => {
  const amended = async (files: readonly object[]) => {
    const { id: taskId } = (await callEdge(there, intake(files), { key })).json.result;
    const body = intake([], { message: { taskId, messageId: crypto.randomUUID() } });
    const before = answeredThere();
    const answer = await callEdge(there, body, { key });
    const isThere = answeredThere() > before;
    expect(answer.json.result.revision).toMatchObject({ number: 2, attachments: files.map(() => ({})) });
    // Sent again, the same message gets the same reply from either thread.
    expect(nameless(await callEdge(here, body, { key }))).toEqual(nameless(answer));
    return isThere;
  };
  expect(await amended([aFile(4_500_000), aFile(4_500_000)])).toBe(true);
  expect(await amended([aFile(10_000)])).toBe(false);
});

test("short messages that amend the same files at once are all accepted, one after the other", async () => {
  const { id: taskId } = (await callEdge(there, intake([aFile(400_000)]), { key })).json.result;
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => callEdge(there, intake([], { message: { taskId } }), { key })),
  );
  const revisions = answers.map(({ json }) => json.result.revision.number as number);
  expect(revisions.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6]);
});

test("the other thread gives the same replies byte for byte, and a message sent again is the same message", async () => {
  const message = { messageId: crypto.randomUUID() };
  const kept = intake([aFile(200_000)], { message });
  const [first, second] = [await callEdge(there, kept, { key }), await callEdge(here, kept, { key })];
  expect(first.json.result).toMatchObject({ kind: "task", status: { state: expect.any(String) } });
  expect(nameless(second)).toEqual(nameless(first));
  const wrong = [
    [intake([{ kind: "file", file: { bytes: "A".repeat(200_001) } }]), key],
    [Buffer.from("{".repeat(200_000)), key],
    [kept, "nobody"],
    [intake([aFile(200_000)], { data: { practiceId: "another" } }), key],
  ] as const;
  for (const [body, given] of wrong) {
    const reply = await callEdge(there, body, { key: given });
    expect(reply.json.error).toMatchObject({ code: expect.any(Number) });
    expect(nameless(reply)).toEqual(nameless(await callEdge(here, body, { key: given })));
  }
  const logged = lines.map((line) => JSON.parse(line) as { readonly msg: string; readonly channel?: string });
  expect(logged.filter(({ msg, channel }) => msg === "call" && channel === channelId).length).toBeGreaterThan(0);
});

test("a long call with blocking is held back by the thread that answers other calls, under the name of its reply", async () => {
  const hints = openHints({ url: testDatabase.appUrl, onLost: () => undefined });
  const watch = createTaskWatch({ store: unscoped(store), hints, onError: (error) => void errors.push(error) });
  const message = { messageId: crypto.randomUUID() };
  const body = intake([aFile(200_000)], { message, params: { configuration: { blocking: true } } });
  const waiting = callEdge({ ...there, watch }, body, { key });
  await expect.poll(() => watch.count()).toBe(1);
  const { taskId } = await store.prisma.message.findFirstOrThrow({ where: { channelId, ...message } });
  await cancelTask({ actor, store }, { taskId });
  const { json, headers } = await waiting;
  expect(json.result).toMatchObject({ id: taskId, state: "withdrawn", revision: { attachments: [{}] } });
  expect(lines.some((line) => line.includes(headers["x-request-id"] ?? "none"))).toBe(true);
  watch.close();
  await hints.close();
});

test("a channel's limits count its long calls and its short calls together", async () => {
  const { key: limited, actor: its } = await aChannel(store, { practices: [practiceId] });
  await store.prisma.channel.update({ where: { id: its.id }, data: { callsAtOnce: 1 } });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => callEdge(there, intake([aFile(400_000)]), { key: limited })),
  );
  const kinds = new Set(answers.map(({ status }) => status));
  expect(kinds).toEqual(new Set([200, 429]));
  expect((await callEdge(there, intake([aFile(400_000)]), { key: limited })).status).toBe(200);
});

test("a call that its thread answers for want of room uses nothing of its channel's bytes of a day", async () => {
  const body = intake([aFile(200_000)]);
  const deps = edgeDeps(store, { bytesPerDay: body.length });
  const broken = openLongCallThread({ load: deps.load, writeLine: () => undefined, onError: () => undefined, env: {} });
  expect((await callEdge({ ...deps, longCallThread: broken }, body, { key })).status).toBe(503);
  expect((await callEdge(deps, body, { key })).status).toBe(200);
  expect((await callEdge(deps, body, { key })).status).toBe(429);
});

test("a call whose thread ends is answered 503, and the next call starts the thread again", async () => {
  const reported: unknown[] = [];
  const broken = openThread({ NODE_ENV: "test" }, (error) => void reported.push(error));
  for (const tries of [1, 2]) {
    const answer = await callEdge({ ...here, longCallThread: broken }, intake([aFile(200_000)]), { key });
    expect(answer).toMatchObject({ status: 503, json: { error: { code: -32000 } } });
    expect(reported).toHaveLength(tries);
  }
});

test("the thread has written its counts when it is closed", async () => {
  await callEdge(there, intake([aFile(200_000)]), { key });
  await longCallThread.close();
  await here.book.write();
  const { _sum } = await store.prisma.channelMinute.aggregate({ where: { channelId }, _sum: { calls: true } });
  const calls = lines.filter((line) => line.includes(channelId) && line.includes('"msg":"call"')).length;
  expect(_sum.calls).toBeGreaterThanOrEqual(calls);
  expect(errors).toEqual([]);
});
