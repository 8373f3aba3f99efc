import { afterAll, expect, test } from "vitest";
import { changeChannelAccess } from "#lib/channel/change-channel-access";
import { changeGrants } from "#lib/person/change-grants";
import { disablePerson } from "#lib/person/disable-person";
import { revokeKey } from "#lib/channel/revoke-key";
import { suspendChannel } from "#lib/channel/suspend-channel";
import { suspendPractice } from "#lib/practice/suspend-practice";
import { done, operator } from "#test/support/people/admin";
import { actsOf, aHeldTask, aPractice, aStore, fullReview, theWorker } from "#test/support/cases/cases";
import { releaseGate } from "./release-gate.ts";
import { claimTransmission, startTransmission } from "#lib/submission/transmission";

const store = aStore();
afterAll(() => store.close());
const ctx = { actor: operator, store };
const worker = theWorker(store);

/** Released, and claimed by a worker that has not sent anything. */
async function aClaimedTask() {
  const held = await aHeldTask(store, { review: fullReview, routed: true });
  await done(releaseGate(held.reviewer, { taskId: held.taskId, seen: held.seen }));
  const claim = await done(claimTransmission(worker, { taskId: held.taskId }));
  if (claim === "held-again") throw new Error("The claim was refused.");
  return { ...held, channelId: held.channel.actor.id, claim };
}

type ClaimedTask = Awaited<ReturnType<typeof aClaimedTask>>;

test.each<[string, (claimed: ClaimedTask) => Promise<unknown>]>([
  ["the practice is suspended", ({ practiceId }) => done(suspendPractice(ctx, { practiceId }))],
  ["the channel is suspended", ({ channelId }) => done(suspendChannel(ctx, { channelId }))],
  ["the channel's last key is revoked", ({ channelId }) => done(revokeKey(ctx, { channelId }))],
  [
    "the channel loses the atom",
    ({ channelId, practiceId }) =>
      done(changeChannelAccess(ctx, { channelId, practices: [practiceId], atoms: ["tasks_get"] })),
  ],
  [
    "the channel loses the practice",
    async ({ channelId }) => {
      const practices = [await aPractice(store)];
      await done(changeChannelAccess(ctx, { channelId, practices, atoms: ["prior_auth_intake"] }));
    },
  ],
  ["the account of whoever released is closed", ({ reviewer }) => done(disablePerson(ctx, { id: reviewer.actor.id }))],
  [
    "whoever released reviews no longer there",
    ({ reviewer, practiceId }) =>
      done(changeGrants(ctx, { id: reviewer.actor.id, remove: [{ role: "reviewer", practiceId }] })),
  ],
])("nothing leaves where %s after the claim, and the action is held again", async (_, takeAway) => {
  const claimed = await aClaimedTask();
  await takeAway(claimed);
  expect(await startTransmission(worker, claimed.claim)).toEqual({ ok: true, value: "taken-back" });
  expect(await claimTransmission(worker, claimed)).toEqual({ ok: true, value: "held-again" });
  const acts = await actsOf(store, claimed.taskId);
  expect(acts).not.toContain("transmission.started");
  expect(acts.slice(-2)).toEqual(["transmission.not-sent", "gate.re-held"]);
});

test("what nothing was taken away from leaves", async () => {
  const { claim } = await aClaimedTask();
  expect(await startTransmission(worker, claim)).toEqual({ ok: true, value: "started" });
});
