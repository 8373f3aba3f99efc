import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeEach, expect, test } from "vitest";
import {
  actsOf,
  aChannel,
  anIntake,
  aPerson,
  aPractice,
  aRoute,
  aStore,
  fullReview,
  seenOn,
  theWorker,
} from "#test/support/cases/cases";
import { edgeDeps } from "#test/support/agents/edge";
import { aPushFront } from "#test/support/payer/push-front";
import { stateNow } from "#test/support/cases/sent-cases";
import { aSimulator } from "#test/support/payer/simulator";
import { dueWork } from "#lib/submission/shared/work";
import { recordPush } from "./record-push.ts";
import { releaseGate } from "#lib/gate/release-gate";
import { sendMessage } from "#lib/task/send-message";
import { inquire } from "#lib/worker/inquire";
import { unguarded } from "#test/support/database/ledgers";
import { submit } from "#lib/worker/submit";
import { processPushes } from "#lib/worker/run";
import { subscribeRoutes } from "#lib/worker/subscribe";

const store = aStore();
const worker = theWorker(store);
const { log } = edgeDeps();
const publicUrl = aPushFront({ store, log });
afterAll(() => store.close());
// Routes of other tests are none of a payer's here.
beforeEach(() => store.prisma.route.updateMany({ data: { connector: "manual" } }));

const bases = { "2.2.1": "fhir", "2.0.1": "fhir-2.0.1" } as const;

type Version = keyof typeof bases;

/** A case of a member with a payer that is proven by a signed assertion and was asked to push: it is there, and pended. */
async function aPushedCase({
  version,
  memberId,
  subscription = "rest-hook",
}: {
  version: Version;
  memberId: string;
  subscription?: "rest-hook" | "offered";
}) {
  const simulator = await aSimulator();
  const { privateKey, publicKey } = await generateKeyPair("ES384", { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: "key-1", alg: "ES384" };
  await simulator.control("POST", "clients", { clientId: "clinic-1", jwks: { keys: [key] } });

  const practiceId = await aPractice(store);
  await aRoute(store, {
    practiceId,
    url: `${simulator.url}/${bases[version]}`,
    credential: JSON.stringify(await exportJWK(privateKey)),
    settings: {
      version,
      auth: "smart",
      clientId: "clinic-1",
      keyId: "key-1",
      subscription,
      senderId: fullReview.requestingProvider.npi,
    },
  });
  await subscribeRoutes(store, { log, publicUrl: publicUrl() });
  const standing = () => store.prisma.subscription.findFirst({ where: { practiceId } });
  await expect.poll(standing).toMatchObject({ subscribedAt: expect.any(Date), confirmedAt: expect.any(Date) });

  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const review = { ...fullReview, subscriber: { ...fullReview.subscriber, memberId } };
  const sent = await sendMessage(channel, anIntake({ practiceId, review }));
  if (!sent.ok) throw new Error("The intake was refused.");
  const taskId = sent.value.id;
  await releaseGate(reviewer, { taskId, seen: seenOn(sent.value) });
  await submit(worker, { log, deadlineMs: 20_000, guard: unguarded }, taskId);
  const state = () => stateNow(taskId, { channel });
  expect(await state()).toBe("transmitted");
  return { simulator, taskId, state };
}

test.each(["2.2.1", "2.0.1"] as const)(
  "over PAS %s, proven by a signed assertion: the payer is asked to push, comes, and its push decides the case",
  async (version) => {
    const { simulator, taskId, state } = await aPushedCase({ version, memberId: "HM1-PEND" });
    const [entry] = await simulator.ledger();
    const { status } = await simulator.control("POST", "decide", { trace: entry?.trace, action: "A1" });
    expect(status).toBe(200);
    await expect.poll(async () => (await dueWork(store)).pushed.map((due) => due.taskId)).toContain(taskId);
    expect(await recordPush(worker, { taskId })).toEqual({ ok: true, value: "match" });
    expect(await state()).toBe("determined");
  },
);

test.each([
  ["2.2.1", "HM1-PEND-AAA-C", "needs-information"],
  ["2.0.1", "HM1-PEND-AAA-N", "failed"],
] as const)(
  "over PAS %s, member %s: a payer that pushes, and pushes again, that it refuses what it took is heard once",
  async (version, memberId, expected) => {
    const { simulator, taskId, state } = await aPushedCase({ version, memberId });
    await simulator.control("POST", "faults", { fault: "push-twice" });
    await simulator.control("POST", "clock", { forwardMs: 61_000 });
    await expect.poll(async () => (await dueWork(store)).pushed.map((due) => due.taskId)).toContain(taskId);
    await processPushes(worker, log, taskId);
    await inquire(worker, { log, deadlineMs: 20_000, guard: unguarded }, taskId);
    expect(await state()).toBe(expected);
    expect((await actsOf(store, taskId)).filter((act) => act.startsWith("payer."))).toEqual(["payer.rejected"]);
  },
);

test("where the payer offers notifications it is asked for them, and one that brings nothing leads to an inquiry at once", async () => {
  const { simulator, taskId, state } = await aPushedCase({
    ...{ version: "2.2.1", memberId: "HM1-PEND", subscription: "offered" },
  });
  const isDue = async () => {
    const { dueAt } = await store.prisma.nextInquiry.findUniqueOrThrow({ where: { taskId } });
    return dueAt <= new Date();
  };
  expect(await isDue()).toBe(false);
  await simulator.control("POST", "faults", { fault: "push-id-only", on: "push" });
  const [entry] = await simulator.ledger();
  await simulator.control("POST", "decide", { trace: entry?.trace, action: "A1" });
  await expect.poll(isDue).toBe(true);
  expect((await dueWork(store)).pushed.map((due) => due.taskId)).not.toContain(taskId);
  await inquire(worker, { log, deadlineMs: 20_000, guard: unguarded }, taskId);
  expect(await state()).toBe("determined");
});
