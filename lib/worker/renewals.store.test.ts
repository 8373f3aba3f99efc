import { afterAll, describe, expect, test } from "vitest";
import { recallRelease } from "#lib/gate/recall-release";
import { openCalls } from "#lib/gate/shared/gates";
import { reviewTask } from "#lib/task/review-task";
import { sendMessage } from "#lib/task/send-message";
import { aChannel, anIntake, aPractice, aStore, fullReview } from "#test/support/cases/cases";
import { inDays } from "#test/support/agents/reviews";
import { aWiredCase, bothSides, claimAt, type WiredCase } from "#test/support/cases/wired-case";

const store = aStore();
afterAll(() => store.close());

const later = { fromDate: inDays(150), toDate: inDays(240) };
const renewed = { certificationTypeCode: "R", ...later };

/** A renewal of this case, as the agent sends it. */
function renewalOf({ practiceId, review, taskId }: WiredCase, members: object = renewed, earlierTaskId = taskId) {
  return anIntake({ practiceId, earlierTaskId, review: { ...review, ...members } });
}

async function approved(made: Partial<Parameters<typeof aWiredCase>[1]> = {}) {
  const of = await aWiredCase(store, { memberId: "HM1", ...made });
  const { determination } = await of.leaves();
  return { ...of, number: determination?.authorizationNumber };
}

describe.each(["2.2.1", "2.0.1"] as const)("over PAS %s", (version) => {
  test.each(["R", "4"])(
    "a request of type %s is a case of its own that names the earlier authorization",
    async (type) => {
      const of = await approved({ version });
      const { id, contextId, earlierTaskId } = await of.tell(
        renewalOf(of, { ...renewed, certificationTypeCode: type }),
      );
      expect({ contextId, earlierTaskId }).toEqual({
        contextId: (await of.read()).contextId,
        earlierTaskId: of.taskId,
      });
      const renewal = of.caseOf(id);
      const [gate] = await renewal.gates();
      const claim = gate && (await claimAt(store, gate));
      const extensions = [...(claim?.extension ?? []), ...(claim?.item?.[0]?.extension ?? [])];
      expect(extensions.flatMap(({ valueString }) => valueString ?? [])).toEqual([of.number]);
      expect(await renewal.leaves()).toMatchObject({ state: "determined", determination: { outcome: "approved" } });
      const { released, received } = await bothSides({ ...renewal, simulator: of.simulator });
      expect(received.slice(1)).toEqual(released.map((each) => ({ ...each, times: 1 })));
      expect((await of.simulator.ledger())[1]).toMatchObject({ kind: "request", continues: [of.number] });
    },
  );
});

test("a payer that knows no such authorization returns the renewal", async () => {
  const of = await approved();
  const { id } = await of.tell(renewalOf(of, { ...renewed, authorizationNumber: "AUTH-0123456789" }));
  expect(await of.caseOf(id).leaves()).toMatchObject({ state: "needs-information" });
});

test("the packet of a renewal that a person submits names the earlier authorization, and so does what is held again", async () => {
  const of = await approved();
  await store.prisma.route.updateMany({ where: { practiceId: of.practiceId }, data: { connector: "manual" } });
  const { id } = await of.tell(renewalOf(of));
  const renewal = of.caseOf(id);
  const gateId = await renewal.release();
  await recallRelease(of.reviewer, { taskId: id, gateId, key: crypto.randomUUID() });
  for (const gate of await renewal.gates())
    expect(Buffer.from((await openCalls(store, gate))[0]?.body ?? []).toString()).toContain(of.number);
});

test("a renewal that goes to a live payer in the end names no number that a test payer gave", async () => {
  const of = await approved();
  const { id } = await of.tell(renewalOf(of));
  const renewal = of.caseOf(id);
  const gateId = await renewal.release();
  await store.prisma.route.updateMany({ where: { practiceId: of.practiceId }, data: { environment: "live" } });
  await recallRelease(of.reviewer, { taskId: id, gateId, key: crypto.randomUUID() });
  const frozen = await Promise.all((await renewal.gates()).map((gate) => openCalls(store, gate)));
  const bodies = frozen.map(([call]) => Buffer.from(call?.body ?? []).toString());
  expect(bodies.map((body) => body.includes(of.number ?? "none"))).toEqual([true, false]);
});

test("the pages of both cases lead to each other, and the earlier approval is no duplicate of what says that it renews it", async () => {
  const of = await approved();
  const opened = async (message: ReturnType<typeof renewalOf>) => {
    const { id: taskId } = await of.tell(message);
    const view = await reviewTask(of.reviewer, { taskId });
    return view.ok ? view.value : undefined;
  };
  const renewal = await opened(renewalOf(of));
  const unlinked = await opened(anIntake({ practiceId: of.practiceId, review: { ...of.review, ...later } }));
  const about = (view: typeof renewal) =>
    view?.checks.filter(({ other }) => other === of.taskId).map(({ type }) => type);
  expect([about(renewal), about(unlinked)]).toEqual([[], ["existing-approval"]]);
  expect(renewal?.earlier).toMatchObject({ taskId: of.taskId, authorizationNumber: of.number });
  const earlier = await reviewTask(of.reviewer, { taskId: of.taskId });
  expect(earlier.ok && earlier.value.later).toEqual([{ taskId: renewal?.taskId, shortId: renewal?.shortId }]);
});

describe("what cannot be renewed is refused, and nothing is opened:", () => {
  const refusalOf = async (of: WiredCase, message: ReturnType<typeof anIntake>) => {
    const before = await store.prisma.task.count();
    const sent = await sendMessage(of.channel, message);
    expect(await store.prisma.task.count()).toBe(before);
    return sent.ok ? undefined : sent.refusal;
  };
  const notRenewable = { type: "invalid", issues: [{ path: "/message/referenceTaskIds/0" }] };

  test("what is not there, what is another practice's and what the payer denied, in the same words", async () => {
    const of = await approved();
    const elsewhere = await approved();
    const denied = await approved({ memberId: "HM1-DENY" });
    const refusals = [
      await refusalOf(of, renewalOf(of, renewed, crypto.randomUUID())),
      await refusalOf(of, renewalOf(of, renewed, elsewhere.taskId)),
      await refusalOf(denied, renewalOf(denied)),
      await refusalOf(of, renewalOf(of, { ...renewed, payer: { id: "another" } })),
    ];
    expect(refusals[0]).toMatchObject(notRenewable);
    for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
  });

  test("what a test payer approved, for a live request", async () => {
    const of = await approved();
    await store.prisma.route.updateMany({ where: { practiceId: of.practiceId }, data: { environment: "live" } });
    expect(await refusalOf(of, renewalOf(of))).toMatchObject(notRenewable);
  });

  test("what the payer has, by a revision of itself", async () => {
    const of = await approved();
    const revision = anIntake({
      practiceId: of.practiceId,
      taskId: of.taskId,
      review: { ...of.review, certificationTypeCode: "4" },
    });
    expect(await refusalOf(of, revision)).toMatchObject({
      ...{ type: "invalid", issues: [{ path: "/message/parts/0/data/serviceReview/certificationTypeCode" }] },
    });
    expect(await of.read()).toMatchObject({ state: "determined", task: { revision: 1 } });
  });
});

test("a renewal that names no task is taken as it is, with the number it gives", async () => {
  const practiceId = await aPractice(store);
  const channel = await aChannel(store, { practices: [practiceId] });
  const review = { ...fullReview, ...renewed, authorizationNumber: "A-77" };
  const sent = await sendMessage(channel, anIntake({ practiceId, review }));
  expect(sent).toMatchObject({ ok: true, value: { earlierTaskId: undefined } });
});
