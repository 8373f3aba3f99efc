import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { stateOf } from "#lib/task/model/task";
import { cancelTask } from "#lib/task/cancel-task";
import { getTask } from "#lib/task/get-task";
import { recallRelease } from "#lib/gate/recall-release";
import { releaseGate } from "#lib/gate/release-gate";
import { sendMessage } from "#lib/task/send-message";
import { resolveUnconfirmed } from "#lib/submission/resolve-unconfirmed";
import { claimAgain, lapseTransmission } from "#lib/submission/transmission";
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
import { aSimulator, type RunningSimulator } from "#test/support/payer/simulator";
import { unguarded } from "#test/support/database/ledgers";
import { inquire } from "./inquire.ts";
import { submit } from "./submit.ts";

const store = aStore();
const worker = theWorker(store);
const carrying = { log: pino({ level: "silent" }), deadlineMs: 20_000, guard: unguarded };
afterAll(() => store.close());

let simulator: RunningSimulator;
beforeEach(async () => {
  simulator = await aSimulator();
});
const goesWrong = (fault: string, on: string, times = 1) => simulator.control("POST", "faults", { fault, on, times });

type Doubt = { readonly resend?: string; readonly lost?: string };

/** A first request whose answer was lost, to a payer that finds nothing when it is asked. */
async function aDoubt({ resend = "by-identity", lost = "drop" }: Doubt = {}) {
  const practiceId = await aPractice(store);
  const url = `${simulator.url}/fhir`;
  await aRoute(store, { practiceId, url, credential: "right", settings: { resend } });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const review = { ...fullReview, subscriber: { ...fullReview.subscriber, memberId: "HM1-PEND" } };
  const sent = await sendMessage(channel, anIntake({ practiceId, review }));
  if (!sent.ok) throw new Error("The intake was refused.");
  const taskId = sent.value.id;
  const seen = seenOn(sent.value);
  await releaseGate(reviewer, { taskId, seen });
  await goesWrong(lost, "submit");
  await goesWrong("nothing-found", "inquire", 100);
  await submit(worker, carrying, taskId);
  const read = async () => {
    const found = await getTask(channel, { taskId, historyLength: 0 });
    if (!found.ok) throw new Error("The task is not read.");
    return found.value;
  };
  const state = async () => stateOf((await read()).task);
  expect(await state()).toBe("transmit-unconfirmed");
  const { gateId } = seen;
  return {
    ...{ practiceId, channel, reviewer, taskId, gateId, read, state },
    asks: () => inquire(worker, carrying, taskId),
    attempts: async () => (await store.prisma.transmission.findUniqueOrThrow({ where: { gateId } })).attempt,
    /** How often the payer got each request it made a case of. */
    received: async () => (await simulator.ledger()).flatMap(({ kind, times }) => (kind === "inquiry" ? [] : [times])),
  };
}

test("a request that the payer received but does not find is sent again, and is one request there", async () => {
  const of = await aDoubt();
  await of.asks();
  expect([await of.state(), await of.received(), await of.attempts()]).toEqual(["transmitted", [2], 2]);
  const { submissions, gate } = await of.read();
  expect(submissions).toMatchObject([{ result: "received", attempt: 2, gateDigest: gate?.digest }]);
});

test("a repeated request that is refused unread leaves the first one unconfirmed", async () => {
  const of = await aDoubt();
  await simulator.control("POST", "faults", { fault: "forbidden", on: "submit" });
  await of.asks();
  expect(await of.state()).toBe("transmit-unconfirmed");
});

test("a request that never arrived is sent again", async () => {
  const of = await aDoubt({ lost: "broken" });
  await of.asks();
  expect([await of.state(), await of.received()]).toEqual(["transmitted", [1]]);
});

test("a request that the payer finds is not sent again", async () => {
  const of = await aDoubt();
  await simulator.control("DELETE", "faults");
  await of.asks();
  expect([await of.state(), await of.received()]).toEqual(["transmitted", [1]]);
});

test("nothing is sent again unless the route says that the payer recognizes our identifiers", async () => {
  const of = await aDoubt({ resend: "never" });
  await of.asks();
  expect([await of.state(), await of.received()]).toEqual(["transmit-unconfirmed", [1]]);
});

test("503 with Retry-After is doubt: the payer may have it, is asked first, and is sent nothing it does not honour", async () => {
  const of = await aDoubt({ resend: "never", lost: "error-503" });
  await of.asks();
  expect([await of.state(), await of.received()]).toEqual(["transmit-unconfirmed", [1]]);
  await simulator.control("DELETE", "faults");
  await of.asks();
  expect([await of.state(), await of.received()]).toEqual(["transmitted", [1]]);
});

test("nothing is sent again to a payer that cannot be asked", async () => {
  const of = await aDoubt();
  await simulator.control("DELETE", "faults");
  await goesWrong("error-500", "inquire");
  await of.asks();
  expect([await of.state(), await of.received()]).toEqual(["transmit-unconfirmed", [1]]);
});

test("a request is sent six times in all, and then a person must settle it", async () => {
  const of = await aDoubt();
  await goesWrong("error-500", "submit", 100);
  for (let inquiry = 0; inquiry < 8; inquiry += 1) await of.asks();
  expect([await of.state(), await of.received(), await of.attempts()]).toEqual(["transmit-unconfirmed", [6], 6]);
  const inquiry = { whom: "Lee", by: "phone", at: new Date() } as const;
  const settled = await resolveUnconfirmed(of.reviewer, {
    taskId: of.taskId,
    gateId: of.gateId,
    payerHas: true,
    inquiry,
  });
  expect([settled.ok, await of.state()]).toEqual([true, "transmitted"]);
});

test("the interval of inquiries grows with the number of submissions", async () => {
  const of = await aDoubt();
  await goesWrong("error-500", "submit", 100);
  const pauses = [];
  for (let inquiry = 0; inquiry < 3; inquiry += 1) {
    await of.asks();
    const { changedAt } = await store.prisma.task.findUniqueOrThrow({ where: { id: of.taskId } });
    const { dueAt } = await store.prisma.nextInquiry.findUniqueOrThrow({ where: { taskId: of.taskId } });
    pauses.push(Math.round((dueAt.getTime() - changedAt.getTime()) / 1000));
  }
  expect(pauses).toEqual([15, 60, 300]);
});

describe("a request that may no longer be submitted is not sent again, and stays unconfirmed", () => {
  const { prisma } = store;
  test.each<[string, (of: Awaited<ReturnType<typeof aDoubt>>) => Promise<unknown>]>([
    [
      "as the practice is suspended",
      ({ practiceId }) => prisma.practice.update({ where: { id: practiceId }, data: { status: "suspended" } }),
    ],
    [
      "as the release is more than a day old",
      ({ gateId }) =>
        prisma.transmission.update({ where: { gateId }, data: { releasedAt: new Date(Date.now() - 25 * 3_600_000) } }),
    ],
    [
      "as the channel lost its right",
      ({ channel }) => prisma.channel.update({ where: { id: channel.actor.id }, data: { status: "suspended" } }),
    ],
    [
      "as the route says so no more",
      ({ practiceId }) => aRoute(store, { practiceId, version: 2, url: `${simulator.url}/fhir`, credential: "right" }),
    ],
  ])("%s", async (_, change) => {
    const of = await aDoubt();
    await change(of);
    await of.asks();
    expect([await of.received(), await of.attempts()]).toEqual([[1], 1]);
    const { stage, payerReceipt } = await prisma.task.findUniqueOrThrow({ where: { id: of.taskId } });
    expect([stage, payerReceipt]).toEqual(["unconfirmed", "maybe"]);
  });
});

test("while it is taken to go again it is neither withdrawn nor recalled, and a worker that stops leaves it in doubt", async () => {
  const of = await aDoubt();
  const { taskId, gateId } = of;
  expect(await claimAgain(worker, { taskId })).toMatchObject({ ok: true, value: { attempt: 2, gateId } });
  expect(await claimAgain(worker, { taskId })).toMatchObject({ ok: false });
  expect(await cancelTask(of.channel, { taskId })).toMatchObject({ ok: false });
  expect(await recallRelease(of.reviewer, { taskId, gateId })).toMatchObject({ ok: false });
  await store.prisma.transmission.update({ where: { gateId }, data: { leaseUntil: new Date(0) } });
  expect(await lapseTransmission(worker, { taskId })).toMatchObject({ ok: true });
  expect(await of.state()).toBe("transmit-unconfirmed");
  await of.asks();
  expect([await of.state(), await of.received(), await of.attempts()]).toEqual(["transmitted", [2], 3]);
  const acts = await actsOf(store, taskId);
  expect(acts.filter((act) => act === "transmission.claimed")).toHaveLength(3);
});
