import { v7 as uuidv7 } from "uuid";
import { afterAll, expect, test } from "vitest";
import { readChannelKey } from "#lib/channel/channel-key";
import { admit, type Credential, type Prefetch } from "./admission.ts";
import { lastMessages, openMessages } from "#lib/task/store/messages";
import { getTask } from "#lib/task/get-task";
import { sendMessage } from "#lib/task/send-message";
import { aChannel, aHeldTask, anIntake, aPractice, aStore } from "#test/support/cases/cases";

const store = aStore();
afterAll(() => store.close());

const keyIdOf = ({ key }: { key: string }) => key.split("_")[1] ?? "";
const credentialOf = ({ key }: { key: string }): Credential => {
  const { id, secretHash } = readChannelKey(store, key) ?? { id: "unknown", secretHash: Buffer.alloc(32) };
  return { keyId: id, secretHash, address: "192.0.2.7" };
};

/** Channels with all and with no reach, a revoked key, an unknown key. */
async function someKeys() {
  const { practiceId, channel, taskId } = await aHeldTask(store);
  const elsewhere = await aChannel(store, { practices: [await aPractice(store)], atoms: ["tasks_get"] });
  const revoked = await aChannel(store, { practices: [practiceId] });
  await store.prisma.channelKey.updateMany({ where: { id: keyIdOf(revoked) }, data: { revokedAt: new Date() } });
  return { practiceId, taskId, channel, elsewhere, keys: [channel, elsewhere, revoked, { key: "pa_unknown" }] };
}

test("calls admitted together are each told what they would be told alone, and nothing of each other's", async () => {
  const { practiceId, taskId, channel, elsewhere, keys } = await someKeys();
  const wanted: readonly Prefetch[] = [
    { taskId },
    { taskId: uuidv7() },
    { practiceId, payerId: "60054" },
    { practiceId: "nowhere", payerId: "60054" },
    { taskId, historyLength: 2 },
  ];
  const asks = keys.flatMap((key) => wanted.map((one) => [credentialOf(key), one] as const));
  const together = await Promise.all([...asks, ...asks].map(([by, one]) => admit(store, by, one)));
  for (const [index, [by, one]] of asks.entries()) {
    const alone = await admit(store, by, one);
    expect(apart(together[index])).toEqual(apart(alone));
    expect(apart(together[index + asks.length])).toEqual(apart(alone));
  }
  expect(together[0]).toMatchObject({
    actor: { id: channel.actor.id },
    prefetched: { exists: true, row: { id: taskId } },
  });
  const of = (key: number) => together.slice(key * wanted.length, (key + 1) * wanted.length);
  for (const index of [0, 4]) {
    expect(of(1)[index]).toMatchObject({
      actor: { id: elsewhere.actor.id, practices: [] },
      prefetched: { exists: true },
    });
    expect(of(1)[index]?.prefetched).toMatchObject({ row: undefined, history: undefined });
  }
  expect(of(0)[4]?.prefetched).toMatchObject({ row: { id: taskId }, history: [{}] });
  expect([...of(2), ...of(3)]).toEqual(Array.from({ length: 2 * wanted.length }));
});

test("the messages read along with a task are its last ones in their order, or none where they are long", async () => {
  const { practiceId, taskId, channel } = await someKeys();
  const amend = (note: string) => sendMessage(channel, anIntake({ practiceId, taskId, note }));
  for (const note of ["one", "two", "three"]) expect(await amend(note)).toMatchObject({ ok: true });
  const place = { taskId, practiceId };
  const along = async (historyLength: number) => {
    const admission = await admit(store, credentialOf(channel), { taskId, historyLength });
    const history = admission?.prefetched && "history" in admission.prefetched && admission.prefetched.history;
    return history && (await openMessages(store, history, practiceId)).bodies;
  };
  for (const limit of [1, 3, 9]) {
    const { bodies } = await lastMessages(store, { ...place, limit, bytesMax: 1_000_000 });
    expect(await along(limit)).toEqual(bodies);
  }

  expect(await amend("x".repeat(100_000))).toMatchObject({ ok: true });
  expect(await along(3)).toBeUndefined();
  expect(await getTask(channel, { taskId, historyLength: 3 })).toMatchObject({
    ok: true,
    value: { messages: [{}, {}, {}] },
  });
});

test("a key revoked admits no call asked after, however many calls are under way", async () => {
  const { practiceId, taskId, channel } = await someKeys();
  const many = (wanted: Prefetch) => Array.from({ length: 100 }, () => admit(store, credentialOf(channel), wanted));
  const before = [...many({ taskId }), ...many({ practiceId, payerId: "60054" })];
  await store.prisma.channelKey.update({ where: { id: keyIdOf(channel) }, data: { revokedAt: new Date() } });
  const after = [...many({ taskId }), ...many({ practiceId, payerId: "60054" })];
  expect(new Set(await Promise.all(after))).toEqual(new Set([undefined]));
  await Promise.all(before);
});

test("a channel bound to networks is admitted from these alone, however many calls are admitted together", async () => {
  const { practiceId, taskId, channel } = await someKeys();
  await store.prisma.channel.update({
    where: { id: channel.actor.id },
    data: { networks: ["203.0.113.0/24", "2001:db8::/32"] },
  });
  const from = (address: string | undefined, wanted?: Prefetch) =>
    admit(store, { ...credentialOf(channel), address }, wanted).then((admitted) => admitted !== undefined);
  const wanted: readonly (Prefetch | undefined)[] = [undefined, { taskId }, { practiceId, payerId: "60054" }];
  const addresses = ["203.0.113.9", "2001:db8::1", "203.0.114.9", "2001:db9::1", "::1", undefined];
  const admitted = await Promise.all(wanted.map((one) => Promise.all(addresses.map((address) => from(address, one)))));
  for (const row of admitted) expect(row).toEqual([true, true, false, false, false, false]);
});

/** Apart from when it was read, and its number among those read together. */
function apart(admission: Awaited<ReturnType<typeof admit>>): unknown {
  if (!admission?.prefetched || !("row" in admission.prefetched) || !admission.prefetched.row) return admission;
  const { row } = admission.prefetched;
  return { ...admission, prefetched: { ...admission.prefetched, row: { ...row, now: 0, n: 0 } } };
}
