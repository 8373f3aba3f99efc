import { afterAll, beforeAll, expect, test } from "vitest";
import { authenticateChannel } from "./authenticate-channel.ts";
import { channelKeyPattern } from "./channel-key.ts";
import { done, entriesOf, everything, fresh, operator, others } from "#test/support/people/admin";
import { aStore } from "#test/support/cases/cases";
import { accessText, changeChannelAccess, previewChannelAccess } from "./change-channel-access.ts";
import { createChannel } from "./create-channel.ts";
import { createPractice } from "#lib/practice/create-practice";
import { listChannels, showChannel } from "./list-channels.ts";
import { renameChannel } from "./rename-channel.ts";
import { revokeKey } from "./revoke-key.ts";
import { rotateKey } from "./rotate-key.ts";
import { resumeChannel, suspendChannel } from "./suspend-channel.ts";

const store = aStore();
const ctx = { actor: operator, store };
const practice = fresh("practice");
const other = fresh("practice");
const nowhere = crypto.randomUUID();

beforeAll(async () => {
  for (const id of [practice, other]) await done(createPractice(ctx, { id, name: id }));
});
afterAll(() => store.close());

const aChannel = () =>
  done(createChannel(ctx, { name: "Front desk agent", practices: [practice], atoms: ["tasks_get"] }));
const speaksFor = async (key: string) => (await authenticateChannel(store, key))?.actor;
const liveKeys = async (channelId: string) =>
  (await done(showChannel(ctx, { channelId }))).keys.filter(({ live }) => live);

test("a channel is created with one working key, and only the key's hash is stored", async () => {
  const { id, key } = await aChannel();
  const keyId = key.split("_")[1];
  expect(await speaksFor(key)).toEqual({ kind: "channel", id, keyId, practices: [practice], atoms: ["tasks_get"] });
  const secret = key.split("_")[2] ?? "";
  expect(channelKeyPattern.test(key)).toBe(true);
  const { rows } = await store.pool.query(
    "SELECT channel_key::text || encode(secret_hash, 'escape') AS text FROM channel_key WHERE channel_id = $1",
    [id],
  );
  expect(JSON.stringify([rows, await entriesOf(ctx, `channel:${id}`), await done(listChannels(ctx))])).not.toContain(
    secret,
  );
});

test("creating a channel is recorded with its permissions and its key's public id", async () => {
  const { id, key } = await aChannel();
  expect(await entriesOf(ctx, `channel:${id}`)).toEqual([
    {
      actor: "operator",
      act: "channel.created",
      detail: { name: "Front desk agent", practices: [practice], atoms: ["tasks_get"], callsPerSecond: 50 },
    },
    {
      actor: "operator",
      act: "channel.key-created",
      detail: { key: key.split("_")[1], expiresAt: expect.any(String) },
    },
  ]);
});

test("a channel cannot reach a practice that does not exist, nor hold an unknown permission", async () => {
  const before = await everything(store);
  const unknown = fresh("nobody");
  expect(await createChannel(ctx, { name: "A", practices: [practice, unknown], atoms: ["tasks_get"] })).toEqual({
    ok: false,
    refusal: { type: "invalid", issues: [{ field: "practices", problem: `doesn't exist: ${unknown}` }] },
  });
  expect(await createChannel(ctx, { name: "A", practices: [], atoms: ["release"] })).toMatchObject({
    refusal: { issues: [{ field: "atoms" }] },
  });
  expect(await createChannel(ctx, { name: "", practices: [], atoms: [] })).toMatchObject({
    refusal: { issues: [{ field: "name" }, { field: "atoms" }] },
  });
  expect(await everything(store)).toEqual(before);
});

test("permissions apply from the next call on, and the audit entry has what was added and removed", async () => {
  const { id, key } = await aChannel();
  await done(changeChannelAccess(ctx, { channelId: id, practices: [other], atoms: ["tasks_get", "tasks_cancel"] }));
  expect(await speaksFor(key)).toMatchObject({ practices: [other], atoms: ["tasks_get", "tasks_cancel"] });
  await done(
    changeChannelAccess(ctx, { channelId: id, practices: [other, other], atoms: ["tasks_cancel", "tasks_get"] }),
  );
  expect((await entriesOf(ctx, `channel:${id}`)).slice(2)).toEqual([
    {
      actor: "operator",
      act: "channel.changed",
      detail: { practices: { added: [other], removed: [practice] }, atoms: { added: ["tasks_cancel"], removed: [] } },
    },
  ]);
});

test("a suspended channel's keys are denied until it resumes", async () => {
  const { id, key } = await aChannel();
  await done(suspendChannel(ctx, { channelId: id }));
  await done(suspendChannel(ctx, { channelId: id }));
  expect(await speaksFor(key)).toBeUndefined();
  await done(resumeChannel(ctx, { channelId: id }));
  expect(await speaksFor(key)).toMatchObject({ id });
  expect((await entriesOf(ctx, `channel:${id}`)).slice(2).map(({ act }) => act)).toEqual([
    "channel.suspended",
    "channel.resumed",
  ]);
});

test("a channel is renamed, and its key stays", async () => {
  const { id, key } = await aChannel();
  await done(renameChannel(ctx, { channelId: id, name: "Back office agent" }));
  expect(await done(showChannel(ctx, { channelId: id }))).toMatchObject({ name: "Back office agent" });
  expect(await speaksFor(key)).toMatchObject({ id });
});

test("a channel calls from its networks alone, which are recorded; none means anywhere", async () => {
  const { id, key } = await aChannel();
  const speaksFrom = async (address?: string) => (await authenticateChannel(store, key, { address })) !== undefined;
  expect(await speaksFrom("198.51.100.1")).toBe(true);
  await done(changeChannelAccess(ctx, { channelId: id, networks: ["203.0.113.7/24", "2001:db8::1"] }));
  expect((await done(showChannel(ctx, { channelId: id }))).networks).toEqual(["203.0.113.0/24", "2001:db8::1"]);
  expect([await speaksFrom("203.0.113.200"), await speaksFrom("198.51.100.1"), await speaksFrom()]).toEqual([
    true,
    false,
    false,
  ]);
  await done(changeChannelAccess(ctx, { channelId: id, networks: [] }));
  expect(await speaksFrom("198.51.100.1")).toBe(true);
  const networks = ["203.0.113.0/24", "2001:db8::1"];
  expect((await entriesOf(ctx, `channel:${id}`)).slice(2).map(({ detail }) => detail)).toEqual([
    { networks: { added: networks, removed: [] } },
    { networks: { added: [], removed: networks } },
  ]);
  for (const wrong of ["203.0.113.0/33", "example.org", "203.0.113"]) {
    expect(await changeChannelAccess(ctx, { channelId: id, networks: [wrong] })).toMatchObject({
      refusal: { type: "invalid", issues: [{ field: "networks" }] },
    });
  }
});

test("a new channel may make 50 calls a second by default, and its limits apply from its next call on", async () => {
  const { id, key } = await aChannel();
  const limits = async () => (await authenticateChannel(store, key))?.limits;
  expect(await limits()).toEqual({ callsPerSecond: 50, callsAtOnce: undefined });
  await done(changeChannelAccess(ctx, { channelId: id, callsPerSecond: "7", callsAtOnce: "2" }));
  expect(await limits()).toEqual({ callsPerSecond: 7, callsAtOnce: 2 });
  await done(changeChannelAccess(ctx, { channelId: id, callsPerSecond: "", callsAtOnce: "none" }));
  expect(await limits()).toEqual({});
  for (const wrong of ["0", "x", "1.5", "10001"]) {
    expect(await changeChannelAccess(ctx, { channelId: id, callsPerSecond: wrong, callsAtOnce: "" })).toMatchObject({
      refusal: { type: "invalid", issues: [{ field: "callsPerSecond" }] },
    });
  }
  expect((await entriesOf(ctx, `channel:${id}`)).slice(2).map(({ detail }) => detail)).toEqual([
    { callsPerSecond: { from: 50, to: 7 }, callsAtOnce: { from: null, to: 2 } },
    { callsPerSecond: { from: 7, to: null }, callsAtOnce: { from: 2, to: null } },
  ]);
});

test("a channel's chosen id is used once, also by concurrent requests", async () => {
  const id = crypto.randomUUID();
  const wanted = { id, name: "Twice", practices: [practice], atoms: ["tasks_get"] };
  const results = await Promise.all([1, 2, 3].map(() => createChannel(ctx, wanted)));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(results.filter(({ ok }) => !ok)).toEqual(
    Array(2).fill({ ok: false, refusal: { type: "taken", what: "channel" } }),
  );
  expect(await liveKeys(id)).toHaveLength(1);
});

test.each([nowhere, "not-a-uuid", ""])(
  "a channel nobody made (%j) can be neither shown nor changed",
  async (channelId) => {
    const nothing = { ok: false, refusal: { type: "not-found", what: "channel" } };
    expect(await showChannel(ctx, { channelId })).toEqual(nothing);
    expect(await renameChannel(ctx, { channelId, name: "A" })).toEqual(nothing);
    expect(await suspendChannel(ctx, { channelId })).toEqual(nothing);
    expect(await rotateKey(ctx, { channelId })).toEqual(nothing);
    expect(await changeChannelAccess(ctx, { channelId, networks: [] })).toEqual(nothing);
    expect(await revokeKey(ctx, { channelId, keyId: "x" })).toEqual(nothing);
    expect(await changeChannelAccess(ctx, { channelId, practices: [], atoms: ["tasks_get"] })).toEqual(nothing);
  },
);

test.each(others)("%s can do none of it, and nothing is written", async (_, actor) => {
  const { id: channelId, key } = await aChannel();
  const before = await everything(store);
  const as = { actor, store };
  const results = await Promise.all([
    createChannel(as, { name: "A", practices: [practice], atoms: ["tasks_get"] }),
    renameChannel(as, { channelId, name: "A" }),
    changeChannelAccess(as, { channelId, practices: [other], atoms: ["tasks_get"] }),
    suspendChannel(as, { channelId }),
    resumeChannel(as, { channelId }),
    rotateKey(as, { channelId, revokeOld: true }),
    changeChannelAccess(as, { channelId, networks: [] }),
    changeChannelAccess(as, { channelId, callsPerSecond: 1, callsAtOnce: 1 }),
    revokeKey(as, { channelId, keyId: key.split("_")[1] ?? "" }),
    listChannels(as),
    showChannel(as, { channelId }),
  ]);
  for (const result of results) expect(result).toEqual({ ok: false, refusal: { type: "not-authorised" } });
  expect(await everything(store)).toEqual(before);
  expect(await speaksFor(key)).toMatchObject({ practices: [practice] });
});

test("a change made from access that is another by now comes to nothing, so that what was taken away is not given back", async () => {
  const { id: channelId } = await aChannel();
  const shown = accessText(await done(showChannel(ctx, { channelId })));
  const wanted = { channelId, practices: [practice], atoms: ["tasks_get"], callsPerSecond: 20, networks: [] };
  expect(await previewChannelAccess(ctx, { ...wanted, shown })).toMatchObject({ ok: true });
  await done(changeChannelAccess(ctx, { channelId, networks: ["10.1.2.3"] }));
  expect(await previewChannelAccess(ctx, { ...wanted, shown })).toMatchObject({ refusal: { type: "changed-since" } });
});
