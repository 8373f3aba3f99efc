import { v7 as uuidv7 } from "uuid";
import { afterAll, describe, expect, test } from "vitest";
import { createChannelKey } from "#lib/channel/channel-key";
import { atoms, type Atom } from "#lib/access/model/actor";
import { aChannel, aHeldTask, aPractice, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc, type Answer } from "#test/support/agents/edge";

const store = aStore();
afterAll(() => store.close());

const own = await aPractice(store);
const suspended = await aPractice(store);
const unreachable = await aPractice(store);
const { key } = await aChannel(store, { practices: [own, suspended] });
const { taskId: foreignTask, practiceId: foreignPractice } = await aHeldTask(store);
await store.prisma.practice.update({ where: { id: suspended }, data: { status: "suspended" } });

/** A task of a practice this channel could reach until the practice was suspended. */
const { taskId: suspendedTask, practiceId: lateSuspended } = await aHeldTask(store);
const both = await aChannel(store, { practices: [lateSuspended] });
await store.prisma.practice.update({ where: { id: lateSuspended }, data: { status: "suspended" } });

const without = async (atom: Atom) =>
  (await aChannel(store, { practices: [own, foreignPractice], atoms: atoms.filter((held) => held !== atom) })).key;
const intake = (practiceId: string, message = {}) => rpc("message/send", intakeParams({ practiceId, message }));
const voiding = (practiceId: string, taskId: string) =>
  rpc("message/send", intakeParams({ practiceId, data: { skill: "prior_auth_void", taskId, reason: "Cancelled." } }));
const get = (id: string) => rpc("tasks/get", { id });
const cancel = (id: string) => rpc("tasks/cancel", { id });

type Cause = readonly [cause: string, call: object, key: string | undefined, headers?: Record<string, string>];

const withCredential: readonly Cause[] = [
  ["an intake for a practice that does not exist", intake("no-such-practice"), key],
  ["an intake for a practice out of reach", intake(unreachable), key],
  ["an intake for a suspended practice", intake(suspended), key],
  ["an intake without its atom", intake(own), await without("prior_auth_intake")],
  ["an intake without its atom for no practice", intake("no-such-practice"), await without("prior_auth_intake")],
  ["an intake continuing a task of another practice", intake(own, { taskId: foreignTask }), key],
  ["an intake continuing a foreign task under its practice", intake(foreignPractice, { taskId: foreignTask }), key],
  ["a void without its atom", voiding(own, foreignTask), await without("prior_auth_void")],
  ["a void of a task of another practice", voiding(own, foreignTask), key],
  ["a void for a practice that does not exist", voiding("no-such-practice", uuidv7()), key],
  ["a get of a task of another practice", get(foreignTask), key],
  ["a get of a task of a suspended practice", get(suspendedTask), both.key],
  ["a get without its atom", get(foreignTask), await without("tasks_get")],
  ["a get without its atom of no task", get(uuidv7()), await without("tasks_get")],
  ["a get without its atom of an id that is none", get("x"), await without("tasks_get")],
  ["a cancel of a task of another practice", cancel(foreignTask), key],
  ["a cancel of a task of a suspended practice", cancel(suspendedTask), both.key],
  ["a cancel without its atom", cancel(foreignTask), await without("tasks_cancel")],
];

const { key: madeUp } = createChannelKey(store);
const revoked = (await aChannel(store, { practices: [own] })).key;
const expired = (await aChannel(store, { practices: [own] })).key;
const mistaken = (await aChannel(store, { practices: [own] })).key;
const idle = await aChannel(store, { practices: [own] });
const keyId = (text: string) => text.split("_")[1] ?? "";
await store.prisma.channelKey.update({ where: { id: keyId(revoked) }, data: { revokedAt: new Date(0) } });
await store.prisma.channelKey.update({ where: { id: keyId(expired) }, data: { expiresAt: new Date(0) } });
await store.prisma.channelKey.update({ where: { id: keyId(mistaken) }, data: { secretHash: new Uint8Array(32) } });
await store.prisma.channel.update({ where: { id: idle.actor.id }, data: { status: "suspended" } });
const authorization = (value: string) => ({ authorization: value });

const withoutCredential: readonly Cause[] = [
  ["no header", get(foreignTask), undefined],
  ["an empty header", get(foreignTask), undefined, authorization("")],
  ["another scheme", get(foreignTask), undefined, authorization(`Basic ${btoa(key)}`)],
  ["a bearer without a key", get(foreignTask), undefined, authorization("Bearer ")],
  ["a malformed key", get(foreignTask), "pa_short_key"],
  ["two keys", get(foreignTask), undefined, authorization(`Bearer ${key} ${key}`)],
  ["an unknown key", get(foreignTask), madeUp],
  ["a key whose checksum is another's", get(foreignTask), key.slice(0, -1) + (key.endsWith("A") ? "B" : "A")],
  ["a known key with another secret", get(foreignTask), mistaken],
  ["a revoked key", get(foreignTask), revoked],
  ["an expired key", get(foreignTask), expired],
  ["a suspended channel's key", get(foreignTask), idle.key],
  ["no key and an unknown method", rpc("tasks/list", {}), undefined],
  ["no key and no params", rpc("message/send"), undefined],
  ["no key and a task that does not exist", get(uuidv7()), undefined],
  ["no key and a practice that does not exist", intake("no-such-practice"), undefined],
  ["no key and an id that is none", get("x"), undefined],
];

const random = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Everything a client can see of an answer, but that its random name tells nothing. */
function seen({ status, headers: { "x-request-id": requestId, ...headers }, text }: Answer) {
  expect(requestId).toMatch(random);
  return { status, headers, text };
}

async function causesOf(causes: readonly Cause[]) {
  const deps = edgeDeps(store);
  const answers = [];
  for (const [cause, call, given, headers] of causes)
    answers.push([cause, seen(await callEdge(deps, call, { key: given, headers: headers ?? {} }))] as const);
  return answers;
}

async function everyRow(): Promise<unknown> {
  const tables = [
    "task",
    "revision",
    "message",
    "gate",
    "transmission",
    "vote",
    "audit_entry",
    "payer_event",
    "determination",
  ];
  const counts = tables.map(
    (table) =>
      `(SELECT count(*)::int FROM ${table} t WHERE ${table === "audit_entry" ? "t.chain" : "t.practice_id"} = ANY ($1)) AS ${table}`,
  );
  const { rows } = await store.pool.query(`SELECT ${counts.join(", ")}`, [
    [own, suspended, unreachable, foreignPractice, lateSuspended],
  ]);
  return rows[0];
}

describe("the uniform denial", () => {
  test("with a good credential is the same bytes and headers for every cause, and writes nothing", async () => {
    const before = await everyRow();
    const answers = await causesOf(withCredential);
    expect(answers).toHaveLength(18);
    for (const [cause, answer] of answers) {
      expect(answer, cause).toEqual({
        status: 200,
        headers: {
          "content-type": "application/json",
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
        },
        text: '{"jsonrpc":"2.0","id":"1","error":{"code":-32003,"message":"Not authorised"}}',
      });
    }
    expect(await everyRow()).toEqual(before);
  });

  test("without one is the same bytes and headers for every cause, and writes nothing", async () => {
    const before = await everyRow();
    const answers = await causesOf(withoutCredential);
    expect(answers).toHaveLength(17);
    for (const [cause, answer] of answers) {
      expect(answer, cause).toEqual({
        status: 401,
        headers: {
          "content-type": "application/json",
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          "www-authenticate": "Bearer",
        },
        text: '{"jsonrpc":"2.0","id":"1","error":{"code":-32003,"message":"Not authorised"}}',
      });
    }
    expect(await everyRow()).toEqual(before);
  });

  test("hides a replayed message once the practice is out of reach", async () => {
    const practiceId = await aPractice(store);
    const channel = await aChannel(store, { practices: [practiceId] });
    const call = intake(practiceId, { messageId: "m-1" });
    const deps = edgeDeps(store);
    expect((await callEdge(deps, call, channel)).json.result.kind).toBe("task");
    await store.prisma.channelPractice.deleteMany({ where: { channelId: channel.actor.id } });
    expect((await callEdge(deps, call, channel)).json.error).toEqual({ code: -32003, message: "Not authorised" });
  });
});
