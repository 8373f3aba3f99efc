import { pino } from "pino";
import { afterAll, describe, expect, test } from "vitest";
import type { ReceivedFile } from "#lib/task/model/attachment";
import { getTask } from "#lib/task/get-task";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "#lib/task/review-task";
import { sendMessage } from "#lib/task/send-message";
import { resolveUnconfirmed } from "#lib/submission/resolve-unconfirmed";
import {
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
import { aPdf, aReceivedFile } from "#test/support/agents/files";
import { stateNow } from "#test/support/cases/sent-cases";
import { transportTo } from "#test/support/payer/service-review/build";
import { aSimulator, type RunningSimulator } from "#test/support/payer/simulator";
import { unguarded } from "#test/support/database/ledgers";
import { inquire } from "./inquire.ts";
import { submit } from "./submit.ts";

const store = aStore();
const worker = theWorker(store);
const log = pino({ level: "silent" });
afterAll(() => store.close());

const reviewOf = (memberId: string, members: object = {}) => ({
  ...fullReview,
  subscriber: { ...fullReview.subscriber, memberId },
  // Half of it is less, so that a change to that says to what.
  procedures: fullReview.procedures.map((procedure) => ({ ...procedure, quantity: 2 })),
  ...members,
});

type Case = {
  readonly simulator?: RunningSimulator;
  readonly memberId: string;
  readonly files?: readonly ReceivedFile[];
};

/** One case on a service-review route to a clearinghouse of its own, at its first gate, and what may happen to it. */
async function aCase({ simulator: given, memberId, files = [] }: Case) {
  const simulator = given ?? (await aSimulator());
  const practiceId = await aPractice(store);
  const settings = { ...transportTo(simulator.url).route?.settings };
  await aRoute(store, { practiceId, connector: "service-review", url: simulator.url, credential: "s3cret", settings });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const sent = await sendMessage(channel, anIntake({ practiceId, review: reviewOf(memberId), files }));
  if (!sent.ok) throw new Error(JSON.stringify(sent.refusal));
  const taskId = sent.value.id;
  const record = async () => {
    const read = await getTask(channel, { taskId, historyLength: 0 });
    if (!read.ok) throw new Error(read.refusal.type);
    return read.value;
  };
  return {
    simulator,
    practiceId,
    taskId,
    channel,
    reviewer,
    record,
    state: () => stateNow(taskId, { channel }),
    /** A reviewer releases what is held, and the worker carries it. */
    release: async () => {
      const released = await releaseGate(reviewer, { taskId, seen: seenOn(await record()) });
      expect(released.ok).toBe(true);
      await submit(worker, { log, deadlineMs: 30_000, guard: unguarded }, taskId);
    },
    /** The payer's clock runs on, and the worker asks it. */
    later: async (forwardMs = 61_000) => {
      await simulator.control("POST", "clock", { forwardMs });
      await inquire(worker, { log, deadlineMs: 20_000, guard: unguarded }, taskId);
    },
    amend: (members: object) =>
      sendMessage(channel, anIntake({ practiceId, taskId, review: reviewOf(memberId, members) })),
    askVoid: () => sendMessage(channel, aVoid({ practiceId, taskId })),
  };
}

/** What the payer took, oldest first, without what it was asked. */
const effects = async ({ ledger }: RunningSimulator) =>
  (await ledger()).filter(({ kind }) => kind !== "inquiry").map(({ kind, state, sha256 }) => ({ kind, state, sha256 }));

test("the whole circle: sent, wanted more, updated, modified, voided, with the ledger's digests those of the gates", async () => {
  const of = await aCase({ memberId: "HM1-DOCS-A6-VOID-LATER" });
  const digests: string[] = [];
  const release = async () => {
    digests.push(...((await of.record()).gate?.documentDigests ?? []));
    await of.release();
  };
  expect(await of.state()).toBe("transmit-held");
  await release();
  expect(await of.state()).toBe("transmitted");
  const [taken] = await of.simulator.ledger();
  expect((await of.record()).task.payer.reference).toMatch(/^[0-9a-f-]{36}$/);
  await inquire(worker, { log, deadlineMs: 20_000, guard: unguarded }, of.taskId);
  expect([await of.state(), taken?.kind]).toEqual(["transmitted", "request"]);
  await of.later();
  expect(await of.state()).toBe("payer-needs-information");
  expect((await of.amend({ providerNotes: [{ message: "The plan of care." }] })).ok).toBe(true);
  expect(await of.state()).toBe("transmit-held");
  await release();
  expect(await of.state()).toBe("transmitted");
  await of.later();
  expect((await of.record()).task.payer.determination).toMatchObject({ outcome: "modified" });
  expect((await of.askVoid()).ok).toBe(true);
  await release();
  expect(await of.state()).toBe("voiding");
  await inquire(worker, { log, deadlineMs: 20_000, guard: unguarded }, of.taskId);
  expect(await of.state()).toBe("voiding");
  await of.later();
  expect([await of.state(), (await of.record()).task.payer.voided]).toEqual(["voided", "by-us"]);
  expect(await effects(of.simulator)).toEqual([
    { kind: "request", state: "voided", sha256: digests[0] },
    { kind: "update", state: "voided", sha256: digests[1] },
    { kind: "void", state: "voided", sha256: digests[2] },
  ]);
});

test("a void that is done at once is done at once", async () => {
  const of = await aCase({ memberId: "HM1" });
  await of.release();
  await of.later();
  expect(await of.state()).toBe("determined");
  await of.askVoid();
  await of.release();
  expect(await of.state()).toBe("voided");
});

test("a void the payer refuses leaves the case as it was", async () => {
  const of = await aCase({ memberId: "HM1-VOID-NO" });
  await of.release();
  await of.later();
  await of.askVoid();
  await of.release();
  expect([await of.state(), (await of.record()).task.remark?.by]).toEqual(["determined", "payer"]);
});

test("an update the payer refuses is for the agent to answer otherwise", async () => {
  const of = await aCase({ memberId: "HM1-DOCS-UPD-NO" });
  await of.release();
  await of.later();
  await of.amend({ providerNotes: [{ message: "The plan of care." }] });
  await of.release();
  expect(await of.state()).toBe("payer-needs-information");
});

test("what the payer never took goes back to the agent with the field that is wrong", async () => {
  const of = await aCase({ memberId: "HM1" });
  await of.simulator.control("POST", "faults", { fault: "invalid" });
  await of.release();
  expect(await of.state()).toBe("needs-information");
});

describe("an answer that was lost", () => {
  test.each(["drop", "error-500", "unmarked"])(
    "after %s is found by the search, and nothing is sent again",
    async (fault) => {
      const of = await aCase({ memberId: "HM1-PEND" });
      await of.simulator.control("POST", "faults", { fault });
      await of.release();
      expect(await of.state()).toBe("transmit-unconfirmed");
      await of.later();
      expect([await of.state(), await effects(of.simulator)]).toMatchObject(["transmitted", [{ kind: "request" }]]);
      expect((await of.record()).task.payer.reference).toBeDefined();
    },
  );

  test("of what a gateway calls unavailable, though the payer has it: the payer is asked, and never sent a second case", async () => {
    const of = await aCase({ memberId: "HM1-PEND" });
    await of.simulator.control("POST", "faults", { fault: "error-503", retryAfterS: 1 });
    await of.release();
    expect(await of.state()).toBe("transmit-unconfirmed");
    await of.later();
    expect([await of.state(), await effects(of.simulator)]).toMatchObject(["transmitted", [{ kind: "request" }]]);
  });

  test("that a search finds decided otherwise than asked is with the clearinghouse, and a person reads the decision", async () => {
    const of = await aCase({ memberId: "HM1" });
    await of.simulator.control("POST", "faults", { fault: "drop" });
    await of.release();
    await of.simulator.control("POST", "faults", { fault: "partial-units", on: "inquire" });
    await of.later();
    const { task } = await of.record();
    expect([await of.state(), task.attention, task.payer.determination]).toEqual([
      "transmitted",
      "unreadable-answer",
      undefined,
    ]);
    expect(task.payer.reference).toBeDefined();
  });

  test("by 503 with Retry-After is not asked about before the payer wants it", async () => {
    const of = await aCase({ memberId: "HM1-PEND" });
    await of.simulator.control("POST", "faults", { fault: "unavailable", retryAfterS: 3_000 });
    await of.release();
    const { dueAt } = await store.prisma.nextInquiry.findUniqueOrThrow({ where: { taskId: of.taskId } });
    expect(dueAt.getTime()).toBeGreaterThan(Date.now() + 2_500_000);
  });

  test.each(["broken", "unavailable"])(
    "by %s of what never arrived stays in doubt until a person closes it",
    async (fault) => {
      const of = await aCase({ memberId: "HM1" });
      await of.simulator.control("POST", "faults", { fault });
      await of.release();
      await of.later();
      expect([await of.state(), await effects(of.simulator)]).toEqual(["transmit-unconfirmed", []]);
      const gateId = (await of.record()).gate?.id ?? "";
      const inquiry = { whom: "Lee", by: "phone", at: new Date() } as const;
      await resolveUnconfirmed(of.reviewer, { taskId: of.taskId, gateId, payerHas: false, inquiry });
      expect(await of.state()).toBe("transmit-held");
    },
  );

  test("to an update is found under the update's own trace number", async () => {
    const of = await aCase({ memberId: "HM1-DOCS" });
    await of.release();
    await of.later();
    await of.amend({ providerNotes: [{ message: "The plan of care." }] });
    await of.simulator.control("POST", "faults", { fault: "drop" });
    await of.release();
    expect(await of.state()).toBe("transmit-unconfirmed");
    await of.later();
    expect(await of.state()).toBe("determined");
  });
});

test("a token that ends on the way is fetched anew, and the payer takes one request", async () => {
  const of = await aCase({ memberId: "HM1" });
  await of.simulator.control("POST", "faults", { fault: "token-expired" });
  await of.release();
  expect([await of.state(), await effects(of.simulator)]).toMatchObject(["transmitted", [{ kind: "request" }]]);
});

test("two cases sent at once fetch one token", async () => {
  const simulator = await aSimulator();
  const cases = [await aCase({ simulator, memberId: "HM1" }), await aCase({ simulator, memberId: "HM2" })];
  await Promise.all(cases.map((of) => of.release()));
  const { issued } = (await simulator.control("GET", "tokens")).body as { issued: unknown[] };
  expect([issued.length, (await effects(simulator)).length]).toEqual([1, 2]);
});

test.each(["html", "wrong-id", "wrong-trace", "unmarked", "truncate", "huge"])(
  "a payer that answers an inquiry with %s never makes a case better",
  async (fault) => {
    const of = await aCase({ memberId: "HM1" });
    await of.release();
    await of.simulator.control("POST", "faults", { fault, on: "inquire", mb: 6 });
    await of.later();
    expect([await of.state(), (await of.record()).task.payer.determination]).toEqual(["transmitted", undefined]);
    await inquire(worker, { log, deadlineMs: 20_000, guard: unguarded }, of.taskId);
    expect(await of.state()).toBe("determined");
  },
);

test.each(["partial-units", "other-procedure", "brother", "future-date", "header-only"])(
  "a decision that contradicts what was asked by %s is for a person, as received, and never an approval",
  async (fault) => {
    const of = await aCase({ memberId: "HM1" });
    await of.release();
    await of.simulator.control("POST", "faults", { fault, on: "inquire" });
    await of.later();
    const { task } = await of.record();
    expect([await of.state(), task.payer.determination, task.attention]).toEqual([
      "transmitted",
      undefined,
      "unreadable-answer",
    ]);
    await inquire(worker, { log, deadlineMs: 20_000, guard: unguarded }, of.taskId);
    expect((await of.record()).task.payer.determination).toMatchObject({ outcome: "approved" });
  },
);

test("a reviewer is told that this wire leaves the files behind", async () => {
  const files = [aReceivedFile(aPdf("notes"), "application/pdf", "notes.pdf")];
  const [withFiles, without] = [await aCase({ memberId: "HM1", files }), await aCase({ memberId: "HM1" })];
  const warningsOf = async ({ reviewer, taskId }: typeof without) => {
    const view = await reviewTask(reviewer, { taskId });
    return view.ok ? view.value.checks.map(({ type }) => type) : view.refusal;
  };
  expect([await warningsOf(withFiles), await warningsOf(without)]).toEqual([["files-left"], ["no-attachment"]]);
});
