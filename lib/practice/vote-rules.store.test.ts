import { afterAll, expect, test } from "vitest";
import type { VoteRule } from "#lib/task/model/vote-rule";
import { done, entriesOf, operator, others } from "#test/support/people/admin";
import { aChannel, aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { disablePerson } from "#lib/person/disable-person";
import { showChannel } from "#lib/channel/list-channels";
import { showPractice } from "./list-practices.ts";
import { setChannelOwner } from "#lib/channel/set-channel-owner";
import { setVoteRules, voteRulesText } from "./set-vote-rules.ts";

const store = aStore();
const ctx = { actor: operator, store };
afterAll(() => store.close());

const rule = (change: Partial<VoteRule> = {}): VoteRule => ({
  ...{ action: "transmit", risk: "high", votes: 2, stepUp: false },
  ...change,
});

async function aStaffed(reviewers: number) {
  const practiceId = await aPractice(store);
  const people = [];
  for (let count = 0; count < reviewers; count += 1) people.push(await aPerson(store, { practices: [practiceId] }));
  return { practiceId, people };
}

const emailOf = async (id: string) => (await store.prisma.person.findUniqueOrThrow({ where: { id } })).email;

test("a rule applies to its action and risk alone, and its audit entry has the one before", async () => {
  const { practiceId } = await aStaffed(2);
  await done(setVoteRules(ctx, { practiceId, rules: [rule({ stepUp: true })] }));
  await done(setVoteRules(ctx, { practiceId, rules: [rule({ stepUp: true })] }));
  expect((await done(showPractice(ctx, { practiceId }))).rules).toEqual([
    { action: "transmit", risk: "ordinary", votes: 1, stepUp: false },
    { action: "transmit", risk: "high", votes: 2, stepUp: true },
    { action: "void", risk: "ordinary", votes: 1, stepUp: false },
    { action: "void", risk: "high", votes: 1, stepUp: false },
  ]);
  const entries = await entriesOf(ctx, practiceId);
  expect(entries).toEqual([
    {
      actor: "operator",
      act: "practice.vote-rule-set",
      detail: { from: rule({ votes: 1 }), to: rule({ stepUp: true }) },
    },
  ]);
});

test("rules made from others than those that hold now are refused, and saved again change nothing", async () => {
  const { practiceId } = await aStaffed(2);
  const seen = voteRulesText((await done(showPractice(ctx, { practiceId }))).rules);
  const wanted = [rule({ votes: 1, stepUp: true })];
  await done(setVoteRules(ctx, { practiceId, rules: wanted, seen }));
  await done(setVoteRules(ctx, { practiceId, rules: wanted, seen }));
  const others = [rule({ votes: 1 }), rule({ action: "void", risk: "ordinary", votes: 1, stepUp: true })];
  expect(await setVoteRules(ctx, { practiceId, rules: others, seen })).toEqual({
    ok: false,
    refusal: { type: "changed-since" },
  });
  expect((await done(showPractice(ctx, { practiceId }))).rules).toContainEqual(wanted[0]);
});

test("more people than could release is refused with their number, and nothing is written", async () => {
  const { practiceId, people } = await aStaffed(2);
  const channel = await aChannel(store, { practices: [practiceId] });
  await aPerson(store, { practices: [practiceId], roles: ["admin"] });
  expect(await setVoteRules(ctx, { practiceId, rules: [rule({ votes: 3 })] })).toEqual({
    ok: false,
    refusal: {
      type: "invalid",
      issues: [
        { field: "transmit-high-votes", problem: "asks for 3, and only 2 reviewers of the practice could release" },
      ],
    },
  });
  const owner = people[0]?.actor.id ?? "";
  await done(setChannelOwner(ctx, { channelId: channel.actor.id, email: await emailOf(owner) }));
  expect(await setVoteRules(ctx, { practiceId, rules: [rule()] })).toMatchObject({
    refusal: { issues: [{ problem: "asks for 2, and only 1 reviewer of the practice could release" }] },
  });
  expect(await store.prisma.voteRule.count({ where: { practiceId } })).toBe(0);
});

test("an owner who would leave too few people to release is refused with the practice's name; one who reviews elsewhere is not", async () => {
  const { practiceId, people } = await aStaffed(2);
  const channelId = (await aChannel(store, { practices: [practiceId] })).actor.id;
  await done(setVoteRules(ctx, { practiceId, rules: [rule()] }));
  const reviewer = await emailOf(people[0]?.actor.id ?? "");
  expect(await setChannelOwner(ctx, { channelId, email: reviewer })).toEqual({
    ok: false,
    refusal: {
      type: "invalid",
      issues: [
        {
          field: "owner",
          problem: `must leave enough people to release: ${practiceId} asks for 2, and has only 1 other reviewer`,
        },
      ],
    },
  });
  expect((await done(showChannel(ctx, { channelId }))).owner).toBeUndefined();
  const elsewhere = await aPerson(store, { practices: [await aPractice(store)] });
  await done(setChannelOwner(ctx, { channelId, email: await emailOf(elsewhere.actor.id) }));
  await aPerson(store, { practices: [practiceId] });
  await done(setChannelOwner(ctx, { channelId, email: reviewer }));
});

test.each([{ votes: 0 }, { votes: 6 }, { votes: 1.5 }, { votes: Number.NaN }, { action: "send" }, { risk: "low" }])(
  "%o is no rule",
  async (change) => {
    const { practiceId } = await aStaffed(1);
    const rules = [{ ...rule({ votes: 1 }), ...change } as VoteRule];
    expect(await setVoteRules(ctx, { practiceId, rules })).toMatchObject({ refusal: { type: "invalid" } });
  },
);

test("a channel's owner is a person who can sign in, is shown with the channel, and can be removed", async () => {
  const { practiceId, people } = await aStaffed(1);
  const channelId = (await aChannel(store, { practices: [practiceId] })).actor.id;
  const id = people[0]?.actor.id ?? "";
  const email = await emailOf(id);
  await done(setChannelOwner(ctx, { channelId, email: email.toUpperCase() }));
  expect((await done(showChannel(ctx, { channelId }))).owner).toMatchObject({ id, email });
  await done(setChannelOwner(ctx, { channelId, email: "" }));
  expect((await done(showChannel(ctx, { channelId }))).owner).toBeUndefined();
  expect(await setChannelOwner(ctx, { channelId, email: "nobody@example.org" })).toMatchObject({
    refusal: { type: "not-found", what: "person" },
  });
  await done(disablePerson(ctx, { id }));
  expect(await setChannelOwner(ctx, { channelId, email })).toMatchObject({ refusal: { type: "invalid" } });
  expect((await entriesOf(ctx, `channel:${channelId}`)).map(({ detail }) => detail)).toEqual([
    { owner: { from: null, to: id } },
    { owner: { from: id, to: null } },
  ]);
});

test.each(others)("%s sets neither a rule nor an owner", async (_, actor) => {
  const { practiceId } = await aStaffed(2);
  const channelId = (await aChannel(store, { practices: [practiceId] })).actor.id;
  const denied = { ok: false, refusal: { type: "not-authorised" } };
  expect(await setVoteRules({ actor, store }, { practiceId, rules: [rule()] })).toEqual(denied);
  expect(await setChannelOwner({ actor, store }, { channelId })).toEqual(denied);
});
