import { pino } from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { stateOf } from "#lib/task/model/task";
import { getTask } from "#lib/task/get-task";
import { releaseGate } from "#lib/gate/release-gate";
import { sendMessage } from "#lib/task/send-message";
import { listQueue } from "#lib/queue/list-queue";
import { recordInformationRequest } from "#lib/submission/record-payer-answer";
import {
  actsOf,
  aChannel,
  anIntake,
  aPerson,
  aPractice,
  aRoute,
  aStore,
  aVoid,
  fullReview,
  seenOn,
  theWorker,
} from "#test/support/cases/cases";
import { transportTo } from "#test/support/payer/service-review/build";
import { aSimulator } from "#test/support/payer/simulator";
import { unguarded } from "#test/support/database/ledgers";
import { inquire } from "./inquire.ts";
import { submit } from "./submit.ts";

const store = aStore();
const worker = theWorker(store);
const log = pino({ level: "silent" });
afterAll(() => store.close());

const wires = ["pas-fhir", "service-review"] as const;
const minute = 61_000;

/** A case of a member whose payer is the simulator over this wire, and what may happen to it. */
async function aCase(wire: (typeof wires)[number], memberId: string) {
  const simulator = await aSimulator();
  const practiceId = await aPractice(store);
  const fhir = { url: `${simulator.url}/fhir`, credential: "right" };
  const rest = {
    url: simulator.url,
    credential: "s3cret",
    settings: { ...transportTo(simulator.url).route?.settings },
  };
  await aRoute(store, { practiceId, connector: wire, ...(wire === "pas-fhir" ? fhir : rest) });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const review = { ...fullReview, subscriber: { ...fullReview.subscriber, memberId } };
  const tell = async (message: Parameters<typeof sendMessage>[1]) => {
    const sent = await sendMessage(channel, message);
    if (!sent.ok) throw new Error(`The message was refused: ${JSON.stringify(sent.refusal)}`);
    return sent.value;
  };
  const { id: taskId } = await tell(anIntake({ practiceId, review }));
  const read = async () => {
    const found = await getTask(channel, { taskId, historyLength: 0 });
    if (!found.ok) throw new Error("The task is not read.");
    return { ...found.value, state: stateOf(found.value.task) };
  };
  const forward = (forwardMs: number) => simulator.control("POST", "clock", { forwardMs });
  const of = {
    ...{ simulator, taskId, reviewer, read },
    /** Released by the reviewer, carried by the worker, worked on by the payer until it can say something. */
    leaves: async () => {
      const released = await releaseGate(reviewer, { taskId, seen: seenOn(await read()) });
      if (!released.ok) throw new Error(`The release was refused: ${released.refusal.type}`);
      await submit(worker, { log, deadlineMs: 20_000, guard: unguarded }, taskId);
      await forward(4_000);
      return read();
    },
    /** A minute of the payer's clock goes by, and the worker asks twice. */
    aMinuteLater: async () => {
      await forward(minute);
      await inquire(worker, { log, deadlineMs: 20_000, guard: unguarded }, taskId);
      await inquire(worker, { log, deadlineMs: 20_000, guard: unguarded }, taskId);
      return read();
    },
    amends: (quantity: number) =>
      tell(
        anIntake({
          practiceId,
          taskId,
          review: { ...review, procedures: [{ code: "97110", quantity, quantityTypeCode: "VS" }] },
        }),
      ),
    voids: () => tell(aVoid({ practiceId, taskId })),
    submissions: () =>
      store.prisma.transmission.findMany({
        where: { taskId },
        orderBy: { releasedAt: "asc" },
        select: { result: true },
      }),
    /** How often the record says this. */
    times: async (act: string) => (await actsOf(store, taskId)).filter((each) => each === act).length,
    effects: async () => (await simulator.ledger()).filter(({ kind }) => kind !== "inquiry").map(({ kind }) => kind),
  };
  return of;
}

describe.each(wires)("over %s, what the payer took and refuses since", (wire) => {
  test("as a first request is the agent's to correct, and the corrected one is a first request again", async () => {
    const of = await aCase(wire, "HM1-PEND-AAA-C");
    expect((await of.leaves()).state).toBe("transmitted");
    const refused = await of.aMinuteLater();
    expect(refused).toMatchObject({
      state: "needs-information",
      task: { payer: { payerReceipt: "no" }, remark: { by: "payer" } },
    });
    expect(refused.task.remark?.text).toMatch(/AAA 72/);
    expect(refused.submissions).toMatchObject([{ result: "refused", reason: refused.task.remark?.text }]);
    await of.amends(4);
    expect((await of.leaves()).state).toBe("transmitted");
    expect([await of.effects(), await of.times("payer.rejected")]).toEqual([["request", "request"], 1]);
  });

  test("as an update is for the agent to answer otherwise, and the next update changes what the payer has", async () => {
    const of = await aCase(wire, "HM1-PEND-UPD-LATER-NO");
    await of.leaves();
    await recordInformationRequest(of.reviewer, { taskId: of.taskId, informationRequest: "Another visit count." });
    await of.amends(4);
    expect((await of.leaves()).state).toBe("transmitted");
    const refused = await of.aMinuteLater();
    expect(refused).toMatchObject({ state: "payer-needs-information", task: { payer: { payerReceipt: "yes" } } });
    expect(refused.task.payer.informationRequest?.text).toMatch(/33/);
    expect(await of.submissions()).toEqual([{ result: "received" }, { result: "refused" }]);
    await of.amends(5);
    await of.leaves();
    const again = await of.aMinuteLater();
    expect([again.state, await of.times("payer.rejected")]).toEqual(["payer-needs-information", 2]);
    expect(await of.effects()).toEqual(["request", "update", "update"]);
    expect(again.task.attention).toBe(undefined);
  });

  test.each(["HM1-VOID-LATER-NO", "HM1-PEND-VOID-LATER-NO"])(
    "as a void leaves the case of %s as it was, and it may be asked for again",
    async (memberId) => {
      const of = await aCase(wire, memberId);
      await of.leaves();
      await inquire(worker, { log, deadlineMs: 20_000, guard: unguarded }, of.taskId);
      const before = await of.read();
      await of.voids();
      expect((await of.leaves()).state).toBe("voiding");
      const refused = await of.aMinuteLater();
      expect([refused.state, refused.task.remark?.by, refused.task.attention]).toEqual([
        before.state,
        "payer",
        undefined,
      ]);
      expect(await of.submissions()).toEqual([{ result: "received" }, { result: "refused" }]);
      expect([await of.times("payer.void-refused"), await of.times("payer.rejected")]).toEqual([1, 0]);
      await of.voids();
      expect((await of.read()).state).toBe("void-held");
      expect((await of.leaves()).state).toBe("voiding");
      const again = await of.aMinuteLater();
      expect(await of.times("payer.void-refused")).toBe(2);
      expect(again.submissions.map(({ traceNumber }) => traceNumber)).toEqual([
        `${of.taskId}-1-T`,
        `${of.taskId}-1-V2`,
      ]);
    },
  );
});

test("over pas-fhir, a first request that is refused for good ends the case, and the list of those says why", async () => {
  const of = await aCase("pas-fhir", "HM1-PEND-AAA-N");
  await of.leaves();
  const refused = await of.aMinuteLater();
  expect([refused.state, refused.task.payer.payerReceipt]).toEqual(["failed", "no"]);
  const { rows } = await listQueue(of.reviewer, { view: "failed", sort: "due", filters: {} });
  expect(rows).toMatchObject([{ taskId: of.taskId, failure: refused.task.remark?.text }]);
  expect(rows[0]?.failure).toMatch(/AAA/);
});

test("over service-review, a request in doubt that the clearinghouse shows as refused is refused", async () => {
  const of = await aCase("service-review", "HM1-AAA-C");
  await of.simulator.control("POST", "faults", { fault: "drop" });
  expect((await of.leaves()).state).toBe("transmit-unconfirmed");
  expect(await of.aMinuteLater()).toMatchObject({
    state: "needs-information",
    task: { payer: { payerReceipt: "no" } },
  });
  expect(await of.submissions()).toEqual([{ result: "refused" }]);
});
