import { expect, test } from "vitest";
import type { ChannelRecord, ClientRecord, KeyRecord } from "#lib/channel/store/admin-channels";
import { keyWarnings } from "./key-warnings.ts";

const now = new Date("2026-11-22T12:00:00Z");
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);
const key: KeyRecord = {
  id: "k",
  lastFour: "abcd",
  createdAt: days(-60),
  expiresAt: days(30),
  lastUsedAt: days(-1),
  live: true,
};
const client: ClientRecord = { ...key, id: "c", generation: 0, kids: ["k"], rsaBits: 3_072 };
const signing = (over: Partial<ClientRecord>) => ({ keys: [], client: { ...client, ...over } });
const channel: ChannelRecord = {
  id: "c",
  name: "Agent",
  status: "active",
  environment: "live",
  atoms: ["tasks_get"],
  practices: [{ id: "elm", name: "Elm" }],
  awaited: [],
  networks: ["203.0.113.0/24"],
  callsPerSecond: 50,
  keys: [key],
  owner: { id: "p", name: "P", email: "p@example.org" },
  createdAt: days(-60),
};
const warningsOf = (over: Partial<ChannelRecord>) => keyWarnings({ ...channel, ...over }, { practices: 3, now });

test("a key or client that is used, bound to networks and expires in time has no warning", () => {
  expect(warningsOf({})).toEqual([]);
  expect(warningsOf(signing({}))).toEqual([]);
});

test.each<[string, Partial<ChannelRecord>, readonly object[]]>([
  [
    "a key that ends within a week, with none to take over",
    { keys: [{ ...key, expiresAt: days(6) }] },
    [{ type: "ends-soon", lastFour: "abcd" }],
  ],
  [
    "a key nobody used for a month",
    { keys: [{ ...key, lastUsedAt: days(-31) }] },
    [{ type: "idle", lastFour: "abcd" }],
  ],
  ["a key that was never used", { keys: [{ ...key, lastUsedAt: undefined }] }, [{ type: "idle", lastFour: "abcd" }]],
  ["a client's key that became too short", signing({ rsaBits: 2_048 }), [{ type: "client-weak" }]],
  ["a client whose keys end within a week", signing({ expiresAt: days(6) }), [{ type: "client-ends-soon" }]],
  ["a client nobody used for a month", signing({ lastUsedAt: days(-31) }), [{ type: "client-idle" }]],
  ["no owner of a client", { ...signing({}), owner: undefined }, [{ type: "no-owner" }]],
  [
    "every practice there is",
    { practices: ["a", "b", "c"].map((id) => ({ id, name: id })) },
    [{ type: "every-practice" }],
  ],
  [
    "half of all addresses",
    { networks: ["0.0.0.0/1", "2000::/3"] },
    [
      { type: "wide-network", network: "0.0.0.0/1" },
      { type: "wide-network", network: "2000::/3" },
    ],
  ],
  ["no rate", { callsPerSecond: undefined }, [{ type: "no-rate" }]],
  ["nobody who answers for it", { owner: undefined }, [{ type: "no-owner" }]],
])("%s is warned of", (_, over, warnings) => {
  expect(warningsOf(over)).toEqual(warnings);
});

test("a channel without a live credential has no warning, nor an expiring key with a successor", () => {
  expect(warningsOf({ keys: [{ ...key, live: false }], owner: undefined })).toEqual([]);
  expect(warningsOf({ ...signing({ live: false }), owner: undefined })).toEqual([]);
  expect(warningsOf({ keys: [{ ...key, expiresAt: days(1) }, key] })).toEqual([]);
});
