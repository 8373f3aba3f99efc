import { v7 as uuidv7 } from "uuid";
import { afterAll, expect, test } from "vitest";
import { showChannelCalls } from "#lib/channel/channel-calls";
import { revokeKey } from "#lib/channel/revoke-key";
import { setChannelClient } from "#lib/channel/set-channel-client";
import { tryCall } from "#lib/channel/try-call";
import { issueToken } from "#lib/channel/access-token";
import { createChannelKey, readChannelKey } from "#lib/channel/channel-key";
import { openCallBook } from "./call-book.ts";
import { atoms } from "#lib/access/model/actor";
import { done, entriesOf, operator } from "#test/support/people/admin";
import { aChannel, aHeldTask, aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";
import { aSigner } from "#test/support/agents/signers";

const store = aStore();
afterAll(() => store.close());
const deps = edgeDeps(store);
const ctx = { actor: operator, store };

const keyIdOf = (key: string) => key.split("_")[1] ?? "";
const callsOf = async (channelId: string) => {
  await deps.book.write();
  const { hours, denials } = await done(showChannelCalls(ctx, { channelId }));
  const sum = (of: "calls" | "denied") => hours.reduce((total, hour) => total + hour[of], 0);
  return { calls: sum("calls"), denied: sum("denied"), denials };
};

test("calls and denials of a channel are counted, and each denial has the reason that its caller never learns", async () => {
  const [own, foreign, suspended] = [await aPractice(store), await aHeldTask(store), await aPractice(store)];
  const channel = await aChannel(store, { practices: [own, suspended], atoms: ["prior_auth_intake", "tasks_get"] });
  await store.prisma.practice.update({ where: { id: suspended }, data: { status: "suspended" } });
  const intake = (practiceId: string) => rpc("message/send", intakeParams({ practiceId }));
  const secret = "Jane Doe 1970-01-01";
  const calls = [
    intake(own),
    rpc("tasks/get", { id: uuidv7() }),
    intake(secret),
    intake(foreign.practiceId),
    intake(suspended),
    rpc("tasks/cancel", { id: foreign.taskId }),
    rpc("tasks/get", { id: foreign.taskId }),
  ];
  for (const call of calls) await callEdge(deps, call, channel);
  const { key: stranger } = createChannelKey(store);
  await callEdge(deps, intake(own), { key: stranger });
  const usedAt = async () =>
    (await store.prisma.channelKey.findUniqueOrThrow({ where: { id: keyIdOf(channel.key) } })).lastUsedAt;
  // The book writes when each key was last used, every few seconds; a call itself does not.
  expect(await usedAt()).toBeNull();
  const seen = await callsOf(channel.actor.id);
  expect([seen.calls, seen.denied]).toEqual([2, 5]);
  expect(seen.denials.map(({ rule, atom, practiceId, taskId }) => [rule, atom, practiceId, taskId])).toEqual(
    expect.arrayContaining([
      ["task-out-of-reach", "tasks_get", foreign.practiceId, foreign.taskId],
      ["atom", "tasks_cancel", foreign.practiceId, foreign.taskId],
      ["practice-suspended", "prior_auth_intake", suspended, undefined],
      ["practice-out-of-reach", "prior_auth_intake", foreign.practiceId, undefined],
      ["no-such-practice", "prior_auth_intake", undefined, undefined],
    ]),
  );
  const recorded = (await entriesOf(ctx, `channel:${channel.actor.id}`)).filter(({ act }) => act === "channel.denied");
  expect(recorded.map(({ detail }) => [detail.rule, detail.count])).toEqual(
    expect.arrayContaining([
      ["task-out-of-reach", 1],
      ["atom", 1],
      // Which of them exists or is suspended would tell admins of one practice of the others.
      ["practice-out-of-reach", 3],
    ]),
  );
  expect(recorded).toHaveLength(3);
  expect((await entriesOf(ctx, "service:all")).at(-1)).toMatchObject({ act: "channel.denied", actor: "nobody" });
  const { rows } = await store.pool.query("SELECT d::text AS text FROM channel_denial d");
  expect(JSON.stringify(rows)).not.toContain("Jane");
  expect(await usedAt()).toBeInstanceOf(Date);
});

test("a denied credential has the reason that it was denied for", async () => {
  const practiceId = await aPractice(store);
  const rules = async (key: string, channelId: string) => {
    await callEdge(deps, rpc("tasks/get", { id: uuidv7() }), { key });
    return (await callsOf(channelId)).denials.map(({ rule }) => rule);
  };
  const aNew = () => aChannel(store, { practices: [practiceId] });
  const [revoked, ended, bound, idle, limited, mistaken] = await Promise.all([
    aNew(),
    aNew(),
    aNew(),
    aNew(),
    aNew(),
    aNew(),
  ]);
  await store.prisma.channelKey.update({ where: { id: keyIdOf(revoked.key) }, data: { revokedAt: new Date() } });
  await store.prisma.channelKey.update({ where: { id: keyIdOf(ended.key) }, data: { expiresAt: new Date(0) } });
  await store.prisma.channel.update({ where: { id: bound.actor.id }, data: { networks: ["203.0.113.0/24"] } });
  await store.prisma.channel.update({ where: { id: idle.actor.id }, data: { status: "suspended" } });
  await store.prisma.channel.update({ where: { id: limited.actor.id }, data: { callsPerSecond: 1 } });
  await store.prisma.channelKey.update({
    where: { id: keyIdOf(mistaken.key) },
    data: { secretHash: new Uint8Array(32) },
  });
  expect(await rules(revoked.key, revoked.actor.id)).toEqual(["key-revoked"]);
  expect(await rules(ended.key, ended.actor.id)).toEqual(["key-ended"]);
  expect(await rules(bound.key, bound.actor.id)).toEqual(["network"]);
  expect(await rules(idle.key, idle.actor.id)).toEqual(["channel-suspended"]);
  expect(await rules(mistaken.key, mistaken.actor.id)).toEqual(["wrong-secret"]);
  await Promise.all([1, 2, 3, 4].map(() => callEdge(deps, rpc("none"), limited)));
  expect((await callsOf(limited.actor.id)).denials[0]?.rule).toBe("limit");
});

test("whoever is denied again and again hides neither another channel's reasons nor the tries of a revoked key", async () => {
  const practiceId = await aPractice(store);
  const aNew = () => aChannel(store, { practices: [practiceId] });
  const [busy, calm, revoked] = [await aNew(), await aNew(), await aNew()];
  await store.prisma.channelKey.update({ where: { id: keyIdOf(revoked.key) }, data: { revokedAt: new Date() } });
  const book = openCallBook(store, () => undefined);
  const [at, address] = [new Date(), "192.0.2.7"];
  const deny = (times: number, call: () => object) => {
    for (let n = 0; n < times; n += 1) book.countDenial({ at, requestId: uuidv7(), ...call() });
  };
  deny(600, () => ({ address }));
  deny(100, () => ({ keyId: createChannelKey(store).id, address }));
  deny(600, () => ({ channelId: busy.actor.id, overLimit: true }));
  deny(1, () => ({ channelId: busy.actor.id, practiceId: "elsewhere", atom: "prior_auth_intake" }));
  deny(1, () => ({ channelId: calm.actor.id, practiceId: "elsewhere", atom: "prior_auth_intake" }));
  const { id: keyId, secretHash } = readChannelKey(store, revoked.key) ?? {};
  deny(1, () => ({ keyId, secretHash, address: "198.51.100.7" }));
  await book.write();
  const rulesOf = async ({ actor }: typeof busy) =>
    (await callsOf(actor.id)).denials.map(({ rule }) => rule).filter((rule) => rule !== "limit");
  expect(await rulesOf(busy)).toEqual(["no-such-practice"]);
  expect(await rulesOf(calm)).toEqual(["no-such-practice"]);
  expect(await rulesOf(revoked)).toEqual(["key-revoked"]);
  expect((await callsOf(busy.actor.id)).denied).toBe(601);
});

/** A channel that has no key and signs for itself, with a token. */
async function aSigningChannel(practiceId: string) {
  const { actor } = await aChannel(store, { practices: [practiceId], atoms: ["tasks_get"] });
  await done(revokeKey(ctx, { channelId: actor.id }));
  const { jwks } = await aSigner();
  const { clientId } = await done(setChannelClient(ctx, { channelId: actor.id, jwks }));
  return { actor, key: issueToken(store, { id: clientId, generation: 0 }, new Date()) };
}

test("the trial of a call agrees with the endpoint for every permission, practice and state", async () => {
  const tasks = Object.fromEntries(
    (await Promise.all([1, 2, 3].map(() => aHeldTask(store)))).map(({ practiceId, taskId }) => [practiceId, taskId]),
  );
  const [own = "", foreign = "", suspended = ""] = Object.keys(tasks);
  await store.prisma.practice.update({ where: { id: suspended }, data: { status: "suspended" } });
  const all = await aChannel(store, { practices: [own, suspended] });
  const few = await aChannel(store, { practices: [own], atoms: ["prior_auth_void"] });
  const idle = await aChannel(store, { practices: [own] });
  await store.prisma.channel.update({ where: { id: idle.actor.id }, data: { status: "suspended" } });
  const keyless = await aChannel(store, { practices: [own] });
  await store.prisma.channelKey.update({ where: { id: keyIdOf(keyless.key) }, data: { revokedAt: new Date() } });
  const signing = await aSigningChannel(own);
  const call = (atom: string, practiceId: string) => {
    if (atom === "tasks_get") return rpc("tasks/get", { id: tasks[practiceId] });
    if (atom === "tasks_cancel") return rpc("tasks/cancel", { id: tasks[practiceId] });
    const data = { skill: atom, taskId: uuidv7(), reason: "Done." };
    return rpc("message/send", intakeParams({ practiceId, ...(atom === "prior_auth_void" ? { data } : {}) }));
  };
  let tried = 0;
  for (const channel of [all, few, idle, keyless, signing]) {
    const channelId = channel.actor.id;
    for (const practiceId of [own, foreign, suspended, "nowhere"]) {
      // A practice that does not exist has no case.
      for (const atom of atoms.filter((each) => practiceId !== "nowhere" || each.startsWith("prior_auth_"))) {
        const { deniedBy } = await done(tryCall(ctx, { channelId, atom, practiceId }));
        const { json } = await callEdge(deps, call(atom, practiceId), channel);
        const text = `${atom} ${practiceId} ${deniedBy}`;
        expect(json.error?.code === -32003, text).toBe(deniedBy !== undefined);
        tried += 1;
      }
    }
  }
  expect(tried).toBe(5 * (3 * 4 + 2));
});

test("the trial of a call checks the address like the endpoint", async () => {
  const practiceId = await aPractice(store);
  const channel = await aChannel(store, { practices: [practiceId] });
  await store.prisma.channel.update({ where: { id: channel.actor.id }, data: { networks: ["203.0.113.0/24"] } });
  const ruleFrom = async (address: string) =>
    (await done(tryCall(ctx, { channelId: channel.actor.id, atom: "tasks_get", practiceId, address }))).deniedBy;
  expect([await ruleFrom("203.0.113.8"), await ruleFrom("198.51.100.1"), await ruleFrom("")]).toEqual([
    undefined,
    "network",
    undefined,
  ]);
});

test("of a practice that an administrator does not administer, the denials of their channel and a try of it tell nothing", async () => {
  const [own, foreign, suspended] = [await aPractice(store), await aHeldTask(store), await aPractice(store)];
  await store.prisma.practice.update({ where: { id: suspended }, data: { status: "suspended" } });
  const channel = await aChannel(store, { practices: [own] });
  const local = await aPerson(store, { practices: [own], roles: ["admin"] });
  const intake = (practiceId: string) => rpc("message/send", intakeParams({ practiceId }));
  const named = ["no-such-practice", foreign.practiceId, suspended];
  for (const practiceId of named) await callEdge(deps, intake(practiceId), channel);
  await callEdge(deps, rpc("tasks/get", { id: foreign.taskId }), channel);
  await deps.book.write();
  const channelId = channel.actor.id;
  const { denials } = await done(showChannelCalls(local, { channelId }));
  expect(denials.map(({ rule, practiceId, taskId }) => `${rule} ${practiceId} ${taskId}`)).toEqual([
    "task-out-of-reach undefined undefined",
    ...named.map(() => "no-such-practice undefined undefined"),
  ]);
  for (const practiceId of named)
    expect(await done(tryCall(local, { channelId, atom: "prior_auth_intake", practiceId }))).toEqual({
      deniedBy: "no-such-practice",
    });
});
