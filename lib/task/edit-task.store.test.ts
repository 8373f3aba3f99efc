import { afterAll, describe, expect, test } from "vitest";
import { taskView } from "#lib/a2a/reply/task-view";
import { declineGate } from "#lib/gate/decline-gate";
import { recallRelease } from "#lib/gate/recall-release";
import { releaseGate } from "#lib/gate/release-gate";
import { risks } from "./model/vote-rule.ts";
import { openCalls } from "#lib/gate/shared/gates";
import { actsOf, aHeldTask, anIntake, aPerson, aStore, fullReview } from "#test/support/cases/cases";
import { editTask } from "./edit-task.ts";
import { getTask } from "./get-task.ts";
import { reviewTask } from "./review-task.ts";
import { sendMessage } from "./send-message.ts";

const store = aStore();
afterAll(() => store.close());

const full = { review: fullReview, routed: true };
const values = { "/placeOfServiceCode": "11", "/procedures/0/modifierCode1": "lt" };

type HeldTask = Awaited<ReturnType<typeof aHeldTask>>;

async function seenBy(reviewer: HeldTask["reviewer"], taskId: string) {
  const view = await reviewTask(reviewer, { taskId });
  if (!view.ok || !view.value.gate) throw new Error("The case is at a gate.");
  const { id: gateId, revision, digest } = view.value.gate;
  return { view: view.value, seen: { gateId, revision, digest } };
}

async function asksForTwo({ practiceId }: HeldTask): Promise<void> {
  const rule = { practiceId, action: "transmit", votes: 2, stepUp: false };
  await store.prisma.voteRule.createMany({ data: risks.map((risk) => ({ ...rule, risk })) });
}

describe("a reviewer's correction", () => {
  test("is a revision in their name with newly frozen bytes, on record in the same commit, and the agent reads of it", async () => {
    const { reviewer, channel, taskId, seen } = await aHeldTask(store, full);
    const before = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
    expect(await editTask(reviewer, { taskId, seen, values })).toEqual({ ok: true, value: { state: "transmit-held" } });
    const { view, seen: now } = await seenBy(reviewer, taskId);
    expect(view.review).toMatchObject({ placeOfServiceCode: "11", procedures: [{ modifierCode1: "LT" }] });
    expect(view.edited).toMatchObject({ by: ["Dana Whitfield"], paths: expect.arrayContaining(Object.keys(values)) });
    expect(view.changes).toMatchObject({
      sinceRevision: 1,
      list: expect.arrayContaining([expect.objectContaining({ path: "/placeOfServiceCode", after: '"11"' })]),
    });
    expect(now).toMatchObject({ revision: 2 });
    expect(now.digest).not.toBe(seen.digest);
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "task.edited"]);
    const after = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
    expect(after.dueAt).toEqual(before.dueAt);
    const record = await getTask(channel, { taskId, historyLength: 0 });
    if (!record.ok || "isUnchanged" in record.value) throw new Error("The agent reads its task.");
    const wire = taskView(record.value);
    expect(wire.revision).toMatchObject({
      number: 2,
      editedBy: "reviewer",
      edited: expect.arrayContaining(Object.keys(values)),
    });
    expect(JSON.stringify(wire.status)).toContain("A reviewer corrected");
    expect(JSON.stringify(wire)).not.toContain("Whitfield");
  });

  test("leaves the gate that was shown closed for good: nobody releases the bytes from before", async () => {
    const { reviewer, practiceId, taskId, seen } = await aHeldTask(store, full);
    const lee = await aPerson(store, { practices: [practiceId], name: "Lee Park" });
    await editTask(reviewer, { taskId, seen, values });
    expect(await releaseGate(lee, { taskId, seen })).toMatchObject({
      refusal: { type: "changed", why: expect.stringContaining("A reviewer corrected") },
    });
    expect(await store.prisma.gate.findUniqueOrThrow({ where: { id: seen.gateId } })).toMatchObject({
      status: "superseded",
    });
    const { seen: now } = await seenBy(reviewer, taskId);
    expect(await releaseGate(reviewer, { taskId, seen: now })).toMatchObject({ value: { state: "transmit-released" } });
    const gate = await store.prisma.gate.findUniqueOrThrow({ where: { id: now.gateId } });
    expect((await openCalls(store, gate)).map(({ body }) => Buffer.from(body).toString()).join("")).toContain("LT");
  });

  test("and a release at the same moment: one of them stands, and what is released is what was shown", async () => {
    for (let round = 0; round < 8; round += 1) {
      const { reviewer, practiceId, taskId, seen } = await aHeldTask(store, full);
      const lee = await aPerson(store, { practices: [practiceId], name: "Lee Park" });
      const [edited, released] = await Promise.all([
        editTask(reviewer, { taskId, seen, values }),
        releaseGate(lee, { taskId, seen }),
      ]);
      expect([edited.ok, released.ok].filter(Boolean)).toHaveLength(1);
      const task = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
      expect(task).toMatchObject(
        edited.ok ? { stage: "held", revision: 2 } : { stage: "released", revision: 1, gateId: seen.gateId },
      );
    }
  });

  test("sent twice with one key is one revision", async () => {
    const { reviewer, taskId, seen } = await aHeldTask(store, full);
    const key = crypto.randomUUID();
    const sent = await Promise.all([1, 2].map(() => editTask(reviewer, { taskId, seen, values, key })));
    expect(sent).toEqual(sent.map(() => ({ ok: true, value: { state: "transmit-held" } })));
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "task.edited"]);
  });

  test("of a wrong value is refused at its field, and nothing is changed", async () => {
    const { reviewer, taskId, seen } = await aHeldTask(store, full);
    const wrong = {
      "/requestingProvider/npi": "1234567890",
      "/procedures/0/quantity": "two",
      "/fromDate": "2026-12-31",
      "/toDate": "2026-12-01",
      "/patient/lastName": "Somebody",
    };
    const refused = await editTask(reviewer, { taskId, seen, values: wrong });
    expect(refused).toMatchObject({ refusal: { type: "invalid" } });
    const paths =
      !refused.ok && refused.refusal.type === "invalid" ? refused.refusal.issues.map(({ path }) => path) : [];
    expect(paths.toSorted((one, other) => one.localeCompare(other))).toEqual([
      "value:/patient/lastName",
      "value:/procedures/0/quantity",
      "value:/requestingProvider/npi",
      "value:/toDate",
    ]);
    expect(await editTask(reviewer, { taskId, seen, values: {} })).toMatchObject({ refusal: { type: "invalid" } });
    expect(await actsOf(store, taskId)).toEqual(["task.opened"]);
  });

  test("is not for people of other practices, nor for what is decided, released or void", async () => {
    const { reviewer, taskId, seen } = await aHeldTask(store, { ...full, recallWindowS: 600 });
    const { reviewer: stranger } = await aHeldTask(store, full);
    expect(await editTask(stranger, { taskId, seen, values })).toEqual({ ok: false, refusal: { type: "not-found" } });
    await releaseGate(reviewer, { taskId, seen });
    expect(await editTask(reviewer, { taskId, seen, values })).toMatchObject({ refusal: { type: "already-decided" } });
    await recallRelease(reviewer, { taskId, gateId: seen.gateId });
    const { seen: again } = await seenBy(reviewer, taskId);
    await declineGate(reviewer, { taskId, seen: again, reason: "No." });
    expect(await editTask(reviewer, { taskId, seen: again, values })).toMatchObject({ ok: false });
  });
});

describe("where two have to release", () => {
  test("whoever corrected it is none of them, until the agent sends a revision", async () => {
    const held = await aHeldTask(store, { ...full, recallWindowS: 600 });
    const { reviewer, channel, practiceId, taskId, seen } = held;
    await asksForTwo(held);
    const [lee, ada] = [
      await aPerson(store, { practices: [practiceId], name: "Lee Park" }),
      await aPerson(store, { practices: [practiceId], name: "Ada Brand" }),
    ];
    await editTask(reviewer, { taskId, seen, values });
    const { view, seen: now } = await seenBy(reviewer, taskId);
    expect(view.voting).toMatchObject({ editedIt: true, releasers: 2 });
    expect(view.can).not.toContain("release");
    expect(await releaseGate(reviewer, { taskId, seen: now })).toMatchObject({ refusal: { type: "edited-it" } });
    expect(await releaseGate(lee, { taskId, seen: now })).toEqual({ ok: true, value: { state: "transmit-held" } });
    expect(await releaseGate(reviewer, { taskId, seen: now })).toMatchObject({ refusal: { type: "edited-it" } });
    expect(await releaseGate(ada, { taskId, seen: now })).toMatchObject({ value: { state: "transmit-released" } });

    await recallRelease(ada, { taskId, gateId: now.gateId });
    await sendMessage(channel, anIntake({ practiceId, taskId, review: fullReview }));
    const fresh = await seenBy(reviewer, taskId);
    expect(fresh.view.edited).toBeUndefined();
    expect(await releaseGate(reviewer, { taskId, seen: fresh.seen })).toEqual({
      ok: true,
      value: { state: "transmit-held" },
    });
  });
});
