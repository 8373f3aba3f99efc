import { afterAll, expect, test } from "vitest";
import { changeChannelAccess } from "#lib/channel/change-channel-access";
import { setChannelOwner } from "#lib/channel/set-channel-owner";
import { risks } from "#lib/task/model/vote-rule";
import { done, operator } from "#test/support/people/admin";
import { aHeldTask, anIntake, aPerson, aPractice, aStore, seenOn } from "#test/support/cases/cases";
import { releaseGate } from "./release-gate.ts";
import { reviewTask } from "#lib/task/review-task";
import { sendMessage } from "#lib/task/send-message";

const store = aStore();
afterAll(() => store.close());

/** A case at its gate, in a practice that requires this many releases. */
async function aGate({ votes = 2 } = {}) {
  const held = await aHeldTask(store, { recallWindowS: 0 });
  await store.prisma.voteRule.createMany({
    data: risks.map((risk) => ({ practiceId: held.practiceId, action: "transmit", risk, votes, stepUp: false })),
  });
  const another = (name: string) => aPerson(store, { practices: [held.practiceId], name });
  return { ...held, lee: await another("Lee Park"), another };
}

test("who answered for the channel when it sent releases nothing of it, whoever answers for it since", async () => {
  const { reviewer, lee, channel, practiceId } = await aGate({ votes: 1 });
  const owned = (person: typeof reviewer) =>
    done(
      setChannelOwner(
        { actor: operator, store },
        { channelId: channel.actor.id, email: `${person.actor.id}@example.org` },
      ),
    );
  const asks = async () => {
    const sent = await sendMessage(channel, anIntake({ practiceId }));
    if (!sent.ok) throw new Error("The intake was refused.");
    return { taskId: sent.value.id, seen: seenOn(sent.value) };
  };
  await owned(reviewer);
  const requested = await asks();
  await owned(lee);
  expect(await releaseGate(reviewer, requested)).toMatchObject({ refusal: { type: "owns-channel" } });
  expect(await releaseGate(lee, requested)).toMatchObject({ refusal: { type: "owns-channel" } });
  expect(await reviewTask(reviewer, requested)).toMatchObject({
    value: { voting: { ownsChannel: true, releasers: 0 } },
  });
});

test("from the set day on, nothing that a channel without an owner requested is released, and naming an owner allows it again", async () => {
  const { reviewer, lee, another, channel, taskId, seen } = await aGate();
  const since = <Person extends typeof reviewer>({ actor, store: own }: Person) => ({
    actor,
    store: { ...own, prisma: own.prisma, ownersFrom: new Date() },
  });
  const until = {
    ...reviewer,
    store: { ...reviewer.store, prisma: reviewer.store.prisma, ownersFrom: new Date("2100-01-01") },
  };
  expect(await releaseGate(until, { taskId, seen })).toMatchObject({ value: { state: "transmit-held" } });
  // Two accounts that one person made still count as two.
  expect(await releaseGate(since(lee), { taskId, seen })).toEqual({ ok: false, refusal: { type: "no-owner" } });
  expect(await reviewTask(since(lee), { taskId })).toMatchObject({
    value: { can: ["decline", "request-information", "edit"], voting: { ownerless: true } },
  });
  const owner = await another("Sam Ortiz");
  await store.prisma.channel.update({ where: { id: channel.actor.id }, data: { ownerId: owner.actor.id } });
  expect(await releaseGate(since(lee), { taskId, seen })).toMatchObject({ value: { state: "transmit-released" } });
});

test("once a channel no longer reaches the practice, its owner counts as it was, whatever others make of it", async () => {
  const { reviewer, lee, another, channel, taskId, seen, practiceId } = await aGate();
  const [channelId, admin] = [channel.actor.id, { actor: operator, store }];
  const setOwner = (person?: typeof reviewer) =>
    done(setChannelOwner(admin, { channelId, email: person && `${person.actor.id}@example.org` }));
  const since = ({ actor, store: own }: typeof reviewer) => ({
    actor,
    store: { ...own, prisma: own.prisma, ownersFrom: new Date() },
  });
  const [sam, elsewhere] = [await another("Sam Ortiz"), await aPractice(store)];
  await setOwner(sam);
  await done(changeChannelAccess(admin, { channelId, practices: [elsewhere] }));
  await setOwner(lee);
  await setOwner();
  const voting = async (person: typeof reviewer) => {
    const shown = await reviewTask(since(person), { taskId });
    return shown.ok ? shown.value.voting : shown;
  };
  expect(await voting(lee)).toMatchObject({ ownerless: false, ownsChannel: false });
  expect(await voting(sam)).toMatchObject({ ownsChannel: true });
  expect(await releaseGate(since(lee), { taskId, seen })).not.toMatchObject({ refusal: { type: "no-owner" } });
  await store.prisma.channelPractice.create({ data: { channelId, practiceId } });
  expect(await voting(lee)).toMatchObject({ ownerless: true });
});

test("from that day on, an owner can be replaced and not removed", async () => {
  const { lee, another, channel } = await aGate();
  const admin = { actor: operator, store: { ...store, prisma: store.prisma, ownersFrom: new Date(0) } };
  const setOwner = (email?: string) => setChannelOwner(admin, { channelId: channel.actor.id, email });
  for (const { actor } of [lee, await another("Sam Ortiz")])
    expect(await setOwner(`${actor.id}@example.org`)).toMatchObject({ ok: true });
  expect(await setOwner()).toMatchObject({ ok: false, refusal: { type: "invalid", issues: [{ field: "owner" }] } });
});
