import { afterAll, expect, test } from "vitest";
import { openCallBook } from "#lib/a2a/admit/call-book";
import { setChannelOwner } from "#lib/channel/set-channel-owner";
import { inTransaction } from "#lib/db/db";
import { newId } from "#lib/db/new-id";
import type { Role } from "#lib/access/model/actor";
import { powersOf } from "#lib/access/model/grant";
import { storeForPerson } from "#lib/db/for-practices";
import { done, entriesOf, operator } from "#test/support/people/admin";
import { aChannel, aPerson, aPractice, aRoute, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";
import { insertDelivery } from "./webhook/store/deliveries.ts";
import { saveTaskWebhook } from "./webhook/store/task-webhooks.ts";
import { listOwnChannels, showChannelOfKey, showOwnedChannel } from "./own-channel.ts";

const store = aStore();
afterAll(() => store.close());

const noBook = { countDenial: () => undefined };

async function aUsedChannel() {
  const practiceId = await aPractice(store);
  const elsewhere = await aPractice(store);
  await aRoute(store, { practiceId });
  const channel = await aChannel(store, { practices: [practiceId] });
  const deps = { ...edgeDeps(store), book: openCallBook(store, () => undefined) };
  await callEdge(deps, rpc("message/send", intakeParams({ practiceId })), channel);
  const denied = await callEdge(deps, rpc("message/send", intakeParams({ practiceId: elsewhere })), channel);
  await deps.book.write();
  return { practiceId, elsewhere, channel, channelId: channel.actor.id, requestId: denied.headers["x-request-id"] };
}

test("who has a channel's key sees its calls and payers, and its denials as the caller saw them, by the id of the reply, without the reason or the practice", async () => {
  const { practiceId, elsewhere, channel, requestId } = await aUsedChannel();
  const shown = await showChannelOfKey(store, { key: channel.key, address: undefined, book: noBook });
  expect(shown).toMatchObject({
    practices: [practiceId],
    denials: [{ id: requestId, atom: "prior_auth_intake", code: -32_003, http: 200 }],
    payers: [{ practiceId, id: "87042", connection: "pas-fhir" }],
  });
  const today = shown?.hours.at(-1);
  expect([today?.calls, today?.denied]).toEqual([1, 1]);
  expect(JSON.stringify(shown)).not.toContain(elsewhere);
  expect(JSON.stringify(shown?.denials)).not.toContain("rule");
});

test("the calls that were let in are listed with what each was answered with, but for polls that were answered, and say nothing of what they held", async () => {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId });
  const channel = await aChannel(store, { practices: [practiceId] });
  const deps = { ...edgeDeps(store), book: openCallBook(store, () => undefined) };
  const secret = "Jane-Doe-1970";
  const sent = await callEdge(deps, rpc("message/send", intakeParams({ practiceId })), channel);
  const taskId = sent.json.result.id as string;
  const calls = [
    sent,
    await callEdge(deps, rpc("message/send", { message: { [secret]: secret } }), channel),
    await callEdge(deps, rpc(secret), channel),
    await callEdge(deps, rpc("tasks/get", { id: newId(), [secret]: secret }), channel),
    await callEdge(deps, rpc("tasks/cancel", { id: taskId }), channel),
  ];
  await callEdge(deps, rpc("tasks/get", { id: taskId }), channel);
  await deps.book.write();
  const shown = await showChannelOfKey(store, { key: channel.key, address: undefined, book: noBook });
  const listed = [
    { method: "message/send", atom: "prior_auth_intake", taskId, code: undefined, http: 200 },
    { method: "message/send", taskId: undefined, code: -32_602, http: 200 },
    { method: undefined, taskId: undefined, code: -32_601 },
    { method: "tasks/get", taskId: undefined, code: -32_001 },
    { method: "tasks/cancel", taskId, code: undefined },
  ].map((call, index) => ({ ...call, id: calls[index]?.headers["x-request-id"], ms: expect.any(Number) }));
  expect(shown?.calls).toHaveLength(listed.length);
  expect(shown?.calls).toEqual(expect.arrayContaining(listed.map((call) => expect.objectContaining(call))));
  expect(JSON.stringify(shown)).not.toContain(secret);
});

test("of a flood of calls the newest 25 are listed, and no other channel's list is touched", async () => {
  const practiceId = await aPractice(store);
  const [busy, calm] = [
    await aChannel(store, { practices: [practiceId] }),
    await aChannel(store, { practices: [practiceId] }),
  ];
  const book = openCallBook(store, () => undefined);
  const from = Date.now();
  const list = (channelId: string, after: number) =>
    book.listCall({
      ...{ id: newId(), channelId, at: new Date(from + after), method: "message/send", atom: undefined },
      ...{ taskId: undefined, code: -32_602, http: 200, ms: after },
    });
  list(calm.actor.id, 1);
  for (let after = 0; after < 70; after += 1) list(busy.actor.id, after);
  await book.write();
  for (let after = 70; after < 80; after += 1) list(busy.actor.id, after);
  await book.write();
  const listed = async ({ key }: typeof busy) =>
    (await showChannelOfKey(store, { key, address: undefined, book: noBook }))?.calls.map(({ ms }) => ms);
  expect(await listed(busy)).toEqual(Array.from({ length: 25 }, (_, index) => 79 - index));
  expect(await listed(calm)).toEqual([1]);
});

test("a channel that may not read cases, or not those of the practice any more, is shown no delivery, which would tell their states", async () => {
  const { practiceId, channel, channelId } = await aUsedChannel();
  const { id: taskId } = await store.prisma.task.findFirstOrThrow({ where: { practiceId } });
  const change = { taskId, practiceId, version: 2, state: "determined", changedAt: new Date() } as const;
  await inTransaction(store, async (tx) => {
    await saveTaskWebhook(tx, { taskId, practiceId, channelId, url: "https://agents.example.org/" });
    await insertDelivery(tx, change);
  });
  const shown = async () =>
    (await showChannelOfKey(store, { key: channel.key, address: undefined, book: noBook }))?.deliveries;
  expect(await shown()).toMatchObject([{ taskId, state: "determined" }]);
  await store.prisma.channel.update({ where: { id: channelId }, data: { atoms: ["prior_auth_intake"] } });
  expect(await shown()).toEqual([]);
  await store.prisma.channel.update({ where: { id: channelId }, data: { atoms: ["tasks_get"] } });
  await store.prisma.channelPractice.deleteMany({ where: { channelId } });
  expect(await shown()).toEqual([]);
});

test("a wrong key, a revoked one and one without the form of a key show nothing", async () => {
  const { channel, channelId } = await aUsedChannel();
  const look = (key: string) => showChannelOfKey(store, { key, address: undefined, book: noBook });
  expect(await look("pa_none")).toBeUndefined();
  expect(await look(channel.key.replace(/_(.)/, (_, first) => `_${first === "a" ? "b" : "a"}`))).toBeUndefined();
  await store.prisma.channelKey.updateMany({ where: { channelId }, data: { revokedAt: new Date() } });
  expect(await look(channel.key)).toBeUndefined();
});

test("a key that is wrong, revoked or used from another network is a denial of its channel, as at the endpoint", async () => {
  const { channel, channelId } = await aUsedChannel();
  const book = openCallBook(store, () => undefined);
  const lookFrom = async (address: string) => {
    expect(await showChannelOfKey(store, { key: channel.key, address, book })).toBeUndefined();
    await book.write();
    const denials = await store.prisma.channelDenial.findMany({ where: { channelId } });
    return denials.filter((denial) => denial.address === address).map(({ rule }) => rule);
  };
  await store.prisma.channel.update({ where: { id: channelId }, data: { networks: ["10.0.0.0/8"] } });
  expect(await lookFrom("192.0.2.8")).toEqual(["network"]);
  await store.prisma.channelKey.updateMany({ where: { channelId }, data: { revokedAt: new Date() } });
  expect(await lookFrom("10.0.0.1")).toEqual(["key-revoked"]);
  await store.prisma.channelKey.updateMany({ where: { channelId }, data: { secretHash: new Uint8Array(32) } });
  expect(await lookFrom("10.0.0.2")).toEqual(["wrong-secret"]);
});

test("a channel's owner sees it, and nobody else does", async () => {
  const { channelId, practiceId } = await aUsedChannel();
  const [owner, other] = [
    await aPerson(store, { practices: [practiceId] }),
    await aPerson(store, { practices: [practiceId] }),
  ];
  const { email } = await store.prisma.person.findUniqueOrThrow({ where: { id: owner.actor.id } });
  await done(setChannelOwner({ actor: operator, store }, { channelId, email }));
  expect((await listOwnChannels(owner)).map(({ id }) => id)).toEqual([channelId]);
  expect(await showOwnedChannel(owner, channelId)).toMatchObject({ id: channelId, denials: [{ code: -32_003 }] });
  expect(await listOwnChannels(other)).toEqual([]);
  expect(await showOwnedChannel(other, channelId)).toBeUndefined();
});

/** A channel over two practices with a call in each, and its owner, who has a role in the first. */
async function anOwnedChannel(roles: readonly Role[] = ["reviewer"]) {
  const practices = [await aPractice(store), await aPractice(store)];
  for (const practiceId of practices) await aRoute(store, { practiceId });
  const channel = await aChannel(store, { practices });
  const deps = { ...edgeDeps(store), book: openCallBook(store, () => undefined) };
  const tasks: string[] = [];
  for (const practiceId of practices)
    tasks.push((await callEdge(deps, rpc("message/send", intakeParams({ practiceId })), channel)).json.result.id);
  await deps.book.write();
  const [first = "", second = ""] = practices;
  const owner = await aPerson(store, { practices: [first], roles });
  const channelId = channel.actor.id;
  await store.prisma.channel.update({ where: { id: channelId }, data: { ownerId: owner.actor.id } });
  return { owner, channelId, first, second, tasks };
}

test.each([[["reviewer"]], [["auditor"]], [["admin"]]] as const)(
  "an owner who is %s in one practice of the channel sees nothing of its other practice",
  async (roles) => {
    const { owner, channelId, first, second, tasks } = await anOwnedChannel(roles);
    expect((await listOwnChannels(owner)).map(({ rights }) => rights.practices)).toEqual([[first]]);
    const shown = await showOwnedChannel(owner, channelId);
    expect(shown).toMatchObject({ practices: [first], payers: [{ practiceId: first }] });
    expect(shown?.calls.map(({ taskId }) => taskId)).toEqual([undefined, tasks[0]]);
    for (const hidden of [second, tasks[1]]) expect(JSON.stringify(shown)).not.toContain(hidden);
  },
);

test("an owner who lost every role, or has to show a second factor first, sees nothing of the channel, and the denial is on record", async () => {
  const { owner, channelId, first, second } = await anOwnedChannel();
  const without = { ...owner.actor, ...powersOf([]) };
  const session = { actor: without, store: storeForPerson(store, without) };
  expect(await listOwnChannels(session)).toEqual([]);
  expect(await showOwnedChannel(session, channelId)).toBeUndefined();
  expect(await showOwnedChannel(session, newId())).toBeUndefined();
  const entries = await entriesOf({ store }, "people");
  const denied = entries.filter(({ act, actor }) => act === "person.denied" && actor === `person:${owner.actor.id}`);
  const practices = [first, second].toSorted();
  expect(denied.map(({ detail }) => detail)).toEqual([{ requested: "channel", channel: channelId, practices }]);
});
