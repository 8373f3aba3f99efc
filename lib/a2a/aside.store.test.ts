import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { aChannel, aPractice, aStore, keyPepper, receiptKey, sealingKey } from "#test/support/cases";
import { testDatabase } from "#test/support/database";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/edge";
import { aFilePart } from "#test/support/files";
import { openAside } from "./aside.ts";

const store = aStore();
const here = edgeDeps(store);
const text = (key: Uint8Array) => Buffer.from(key).toString("base64");
const env = {
  APP_DATABASE_URL: testDatabase.appUrl,
  SEALING_KEY: text(sealingKey),
  RECEIPT_SIGNING_KEY: text(receiptKey),
  CHANNEL_KEY_PEPPER: text(keyPepper),
  NODE_ENV: "test",
};
const lines: string[] = [];
const openThread = (given: object, onError = (error: unknown) => void errors.push(error)) =>
  openAside({ load: here.load, writeLine: (line) => void lines.push(line), onError, env: { ...given } });
const errors: unknown[] = [];
const aside = openThread(env);
const there = { ...here, aside };
afterAll(() => store.close());

const practiceId = await aPractice(store);
const { key, actor } = await aChannel(store, { practices: [practiceId] });
const channelId = actor.id;
const aFile = (bytes: number) => aFilePart(Buffer.from(`%PDF-1.7\n${randomBytes(bytes / 2).toString("hex")}`));
const intake = (parts: readonly object[], over: object = {}) =>
  Buffer.from(JSON.stringify(rpc("message/send", intakeParams({ practiceId, parts, ...over }))));

test("a message with 6.7 MB of files takes at most half the time of the thread that answers others", async () => {
  // Plain text is looked at character by character, so that the bound is far from what is measured.
  const body = intake([aFilePart(Buffer.alloc(5_000_000, "A letter. "))]);
  const busyMs = async (deps: typeof there | typeof here) => {
    const before = process.threadCpuUsage();
    expect((await callEdge(deps, body, { key })).json.result.kind).toBe("task");
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  const [own, given]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round += 1) {
    own.push(await busyMs(here));
    given.push(await busyMs(there));
  }
  // The least of each is without what V8 collects in between.
  expect(Math.min(...given)).toBeLessThan(Math.min(...own) / 2);
});

test("what is answered in the other thread is answered in the same words, and sent again is the same message", async () => {
  const message = { messageId: crypto.randomUUID() };
  const kept = intake([aFile(200_000)], { message });
  const [first, second] = [await callEdge(there, kept, { key }), await callEdge(here, kept, { key })];
  expect(first.json.result).toMatchObject({ kind: "task", status: { state: expect.any(String) } });
  expect(second).toEqual(first);
  const wrong = [
    [intake([{ kind: "file", file: { bytes: "A".repeat(200_001) } }]), key],
    [Buffer.from("{".repeat(200_000)), key],
    [kept, "nobody"],
    [intake([aFile(200_000)], { data: { practiceId: "another" } }), key],
  ] as const;
  for (const [body, given] of wrong) {
    const told = await callEdge(there, body, { key: given });
    expect(told.json.error).toMatchObject({ code: expect.any(Number) });
    expect(told).toEqual(await callEdge(here, body, { key: given }));
  }
  const logged = lines.map((line) => JSON.parse(line) as { readonly msg: string; readonly channel?: string });
  expect(logged.filter(({ msg, channel }) => msg === "call" && channel === channelId).length).toBeGreaterThan(0);
});

test("a channel's limits count its long calls and its short ones together", async () => {
  const { key: limited, actor: its } = await aChannel(store, { practices: [practiceId] });
  await store.prisma.channel.update({ where: { id: its.id }, data: { callsAtOnce: 1 } });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => callEdge(there, intake([aFile(400_000)]), { key: limited })),
  );
  const kinds = new Set(answers.map(({ status }) => status));
  expect(kinds).toEqual(new Set([200, 429]));
  expect((await callEdge(there, intake([aFile(400_000)]), { key: limited })).status).toBe(200);
});

test("where the thread ends the call is told to come again, nothing waits for ever, and the next starts it anew", async () => {
  const told: unknown[] = [];
  const broken = openThread({ NODE_ENV: "test" }, (error) => void told.push(error));
  for (const tries of [1, 2]) {
    const answer = await callEdge({ ...here, aside: broken }, intake([aFile(200_000)]), { key });
    expect(answer).toMatchObject({ status: 503, json: { error: { code: -32000 } } });
    expect(told).toHaveLength(tries);
  }
});

test("closed, it has written what it counted", async () => {
  await callEdge(there, intake([aFile(200_000)]), { key });
  await aside.close();
  await here.book.write();
  const { _sum } = await store.prisma.channelMinute.aggregate({ where: { channelId }, _sum: { calls: true } });
  const calls = lines.filter((line) => line.includes(channelId) && line.includes('"msg":"call"')).length;
  expect(_sum.calls).toBeGreaterThanOrEqual(calls);
  expect(errors).toEqual([]);
});
