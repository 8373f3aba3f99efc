import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authenticateChannel } from "./authenticate-channel.ts";
import { done, entriesOf, fresh, operator } from "#test/support/people/admin";
import { aStore } from "#test/support/cases/cases";
import { createChannel } from "./create-channel.ts";
import { createPractice } from "#lib/practice/create-practice";
import { showChannel } from "./list-channels.ts";
import { revokeKey } from "./revoke-key.ts";
import { rotateKey } from "./rotate-key.ts";

const store = aStore();
const ctx = { actor: operator, store };
const practice = fresh("practice");
const other = fresh("practice");

beforeAll(async () => {
  for (const id of [practice, other]) await done(createPractice(ctx, { id, name: id }));
});
afterAll(() => store.close());

const aChannel = () =>
  done(createChannel(ctx, { name: "Front desk agent", practices: [practice], atoms: ["tasks_get"] }));
const speaksFor = async (key: string) => (await authenticateChannel(store, key))?.actor;
const daysUntil = (at: Date | undefined) => ((at?.getTime() ?? Infinity) - Date.now()) / 86_400_000;
const liveKeys = async (channelId: string) =>
  (await done(showChannel(ctx, { channelId }))).keys.filter(({ live }) => live);

test("after a rotation both keys work until the old one is revoked", async () => {
  const { id, key } = await aChannel();
  const next = await done(rotateKey(ctx, { channelId: id, overlap: "7d" }));
  expect(next.revoked).toEqual([]);
  expect([await speaksFor(key), await speaksFor(next.key)]).toEqual([
    expect.objectContaining({ id }),
    expect.objectContaining({ id }),
  ]);
  await done(revokeKey(ctx, { channelId: id, keyId: key.split("_")[1] ?? "" }));
  expect([await speaksFor(key), await speaksFor(next.key)]).toEqual([undefined, expect.objectContaining({ id })]);
});

test("a key expires after 90 days by default, and is denied from then on", async () => {
  const { id, key } = await aChannel();
  const daysLeft = async () => (await liveKeys(id)).map(({ expiresAt }) => Math.round(daysUntil(expiresAt)));
  expect(await daysLeft()).toEqual([90]);
  await done(rotateKey(ctx, { channelId: id, keyDays: "7", overlap: "24h" }));
  expect(await daysLeft()).toEqual([1, 7]);
  for (const keyDays of ["0", "366", "1.5", "never", 0]) {
    const invalid = { refusal: { type: "invalid", issues: [{ field: "keyDays" }] } };
    expect(await rotateKey(ctx, { channelId: id, keyDays, revokeOld: true })).toMatchObject(invalid);
    expect(await createChannel(ctx, { name: "A", practices: [], atoms: ["tasks_get"], keyDays })).toMatchObject(
      invalid,
    );
  }
  await store.pool.query("UPDATE channel_key SET expires_at = now() WHERE channel_id = $1", [id]);
  expect(await speaksFor(key)).toBeUndefined();
  await expect(
    store.pool.query("UPDATE channel_key SET expires_at = NULL WHERE channel_id = $1", [id]),
  ).rejects.toThrow("expires_at");
});

test.each([
  ["0", 0],
  ["1h", 1 / 24],
  ["24h", 1],
  ["7d", 7],
])("after a rotation with an overlap of %s the key in use works on for just that long", async (overlap, days) => {
  const { id, key } = await aChannel();
  const next = await done(rotateKey(ctx, { channelId: id, overlap }));
  const old = (await liveKeys(id)).find((each) => each.id === key.split("_")[1]);
  if (days === 0) expect([old, await speaksFor(key)]).toEqual([undefined, undefined]);
  else expect(daysUntil(old?.expiresAt)).toBeCloseTo(days, 2);
  expect(await speaksFor(next.key)).toMatchObject({ id });
});

test("an overlap never extends a key's life", async () => {
  const { id } = await done(
    createChannel(ctx, { name: "A", practices: [], atoms: ["tasks_get"], keyDays: 1, withoutPractices: true }),
  );
  await done(rotateKey(ctx, { channelId: id, overlap: "7d" }));
  expect(daysUntil((await liveKeys(id))[0]?.expiresAt)).toBeLessThanOrEqual(1);
});

test("an overlap other than the four is refused, and nothing is created", async () => {
  const { id } = await aChannel();
  expect(await rotateKey(ctx, { channelId: id, overlap: "2h" })).toMatchObject({
    refusal: { type: "invalid", issues: [{ field: "overlap" }] },
  });
  expect(await liveKeys(id)).toHaveLength(1);
});

test("a key's row written without the pepper makes no working key", async () => {
  const { id, key } = await aChannel();
  const [, keyId = "", secret = ""] = key.split("_");
  expect(await speaksFor(key)).toMatchObject({ id });
  for (const text of [secret, `key ${keyId} ${secret}`, key]) {
    const plain = createHash("sha256").update(text).digest();
    await store.pool.query("UPDATE channel_key SET secret_hash = $2 WHERE id = $1", [keyId, plain]);
    expect(await speaksFor(key)).toBeUndefined();
    expect(await speaksFor(key.slice(0, key.lastIndexOf("_")))).toBeUndefined();
  }
});

test("a third live key is refused; revoking the oldest makes room", async () => {
  const { id, key } = await aChannel();
  const second = await done(rotateKey(ctx, { channelId: id }));
  expect(await rotateKey(ctx, { channelId: id })).toEqual({ ok: false, refusal: { type: "two-live-keys" } });
  const third = await done(rotateKey(ctx, { channelId: id, revokeOld: true }));
  expect(third.revoked).toEqual([key.split("_")[1]]);
  expect((await liveKeys(id)).map((each) => each.id)).toEqual([second.keyId, third.keyId]);
  expect((await entriesOf(ctx, `channel:${id}`)).slice(2).map(({ act }) => act)).toEqual([
    "channel.key-created",
    "channel.key-revoked",
    "channel.key-created",
  ]);
});

test("concurrent rotations never leave more than two live keys", async () => {
  const { id } = await aChannel();
  const results = await Promise.all(Array.from({ length: 8 }, () => rotateKey(ctx, { channelId: id })));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await liveKeys(id)).toHaveLength(2);
});

test("a repeated rotation with the same keys seen makes one key", async () => {
  const { id, key } = await aChannel();
  const seen = [key.split("_")[1] ?? ""];
  const results = [];
  for (const _ of [1, 2]) results.push(await rotateKey(ctx, { channelId: id, seen }));
  expect(results).toEqual([
    { ok: true, value: expect.anything() },
    { ok: false, refusal: { type: "keys-changed" } },
  ]);
  expect(await liveKeys(id)).toHaveLength(2);
});

test("a key that expired makes room", async () => {
  const { id } = await aChannel();
  await done(rotateKey(ctx, { channelId: id }));
  await store.pool.query("UPDATE channel_key SET expires_at = now() - interval '1 s' WHERE channel_id = $1", [id]);
  await done(rotateKey(ctx, { channelId: id }));
  expect(await liveKeys(id)).toHaveLength(1);
});

test("revoking twice changes nothing, and another channel's key is not found", async () => {
  const [mine, theirs] = [await aChannel(), await aChannel()];
  const keyId = mine.key.split("_")[1] ?? "";
  expect(await revokeKey(ctx, { channelId: theirs.id, keyId })).toEqual({
    ok: false,
    refusal: { type: "not-found", what: "key" },
  });
  expect(await speaksFor(mine.key)).toBeDefined();
  await Promise.all([1, 2, 3].map(() => done(revokeKey(ctx, { channelId: mine.id, keyId }))));
  expect((await entriesOf(ctx, `channel:${mine.id}`)).filter(({ act }) => act === "channel.key-revoked")).toHaveLength(
    1,
  );
});
