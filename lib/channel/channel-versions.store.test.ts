import { afterAll, expect, test } from "vitest";
import type { PersonActor } from "#lib/access/model/actor";
import { grantsOf, powersOf } from "#lib/access/model/grant";
import { done, operator, others } from "#test/support/people/admin";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { changeChannelAccess } from "./change-channel-access.ts";
import { createChannel } from "./create-channel.ts";
import { rotateKey } from "./rotate-key.ts";
import { setChannelOwner } from "./set-channel-owner.ts";
import { showChannelVersions } from "./show-channel-versions.ts";
import { suspendChannel } from "./suspend-channel.ts";

const store = aStore();
const ctx = { actor: operator, store };
afterAll(() => store.close());

async function aChannel() {
  const [here, there] = [await aPractice(store), await aPractice(store)];
  const made = createChannel(ctx, { name: "Night agent", practices: [here, there], atoms: ["tasks_get"] });
  return { here, there, channelId: (await done(made)).id };
}

const adminOf = (practiceId: string): PersonActor => ({
  kind: "person",
  id: crypto.randomUUID(),
  name: "Noor Haddad",
  ...powersOf(grantsOf(["admin"], [practiceId])),
});

test("every change of a channel is a version with what it changed; a change of nothing makes none", async () => {
  const { here, there, channelId } = await aChannel();
  const owner = (await aPerson(store, { practices: [here], name: "Lee Park" })).actor.id;
  await aPerson(store, { practices: [here] });
  await done(changeChannelAccess(ctx, { channelId, practices: [here, there], atoms: ["tasks_cancel"] }));
  await done(changeChannelAccess(ctx, { channelId, callsPerSecond: 5, callsAtOnce: "none" }));
  await done(changeChannelAccess(ctx, { channelId, callsPerSecond: 5, callsAtOnce: "none" }));
  await done(changeChannelAccess(ctx, { channelId, networks: ["10.0.0.0/8"] }));
  await done(setChannelOwner(ctx, { channelId, email: `${owner}@example.org` }));
  await done(rotateKey(ctx, { channelId }));
  await done(suspendChannel(ctx, { channelId }));
  const { list, more, names } = await done(showChannelVersions(ctx, { channelId }));
  expect(more).toBeUndefined();
  expect(list.map(({ version, act, changes }) => [version, act, changes])).toEqual([
    [6, "channel.suspended", [{ path: "/status", before: '"active"', after: '"suspended"' }]],
    [5, "channel.changed", [{ path: "/owner", before: "null", after: JSON.stringify(owner) }]],
    [
      4,
      "channel.changed",
      [
        { path: "/networks/10.0.0.0~18", before: undefined, after: "true" },
        { path: "/networks", before: "{}" },
      ],
    ],
    [3, "channel.changed", [{ path: "/callsPerSecond", before: "50", after: "5" }]],
    [
      2,
      "channel.changed",
      [
        { path: "/atoms/tasks_cancel", before: undefined, after: "true" },
        { path: "/atoms/tasks_get", before: "true" },
      ],
    ],
    [1, "channel.created", []],
  ]);
  expect([names.get(owner), names.get(here)]).toEqual(["Lee Park", "Elm Street Spine"]);
});

test("an administrator of a channel's practices sees its versions, without the names of practices it reached before", async () => {
  const { here, there, channelId } = await aChannel();
  expect(await showChannelVersions({ actor: adminOf(here), store }, { channelId })).toMatchObject({ ok: false });
  await done(changeChannelAccess(ctx, { channelId, practices: [here], atoms: ["tasks_get"] }));
  const seen = await done(showChannelVersions({ actor: adminOf(here), store }, { channelId }));
  expect(seen.list[0]?.changes).toEqual([{ path: "/otherPractices", before: "1" }]);
  expect(JSON.stringify([seen.list, ...seen.names])).not.toContain(there);
  expect(await showChannelVersions({ actor: adminOf(there), store }, { channelId })).toMatchObject({ ok: false });
});

test.each(others)("%s sees no version of a channel", async (_, actor) => {
  const { channelId } = await aChannel();
  expect(await showChannelVersions({ actor, store }, { channelId })).toEqual({
    ok: false,
    refusal: { type: "not-authorised" },
  });
});
