import { afterAll, describe, expect, test } from "vitest";
import { stateOf } from "#lib/task/model/task";
import { actsOf, aHeldTask, anIntake, aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { declineGate } from "#lib/gate/decline-gate";
import { getTask } from "./get-task.ts";
import { listQueue } from "#lib/queue/list-queue";
import { readReleasedPacket } from "#lib/submission/read-packet";
import { recallRelease } from "#lib/gate/recall-release";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "./review-task.ts";
import { requestInformation } from "#lib/gate/request-information";
import { sendMessage } from "./send-message.ts";

const store = aStore();
const everything = { view: "all", sort: "due", filters: {} } as const;
afterAll(() => store.close());

describe("a release", () => {
  test("commits the vote, the work and the audit entry together, and is seen by the agent's next poll", async () => {
    const { reviewer, channel, taskId, seen } = await aHeldTask(store);
    const released = await releaseGate(reviewer, { taskId, seen });
    expect(released).toMatchObject({ ok: true, value: { state: "transmit-released" } });
    const polled = await getTask(channel, { taskId, historyLength: 0 });
    expect(polled).toMatchObject({ ok: true, value: { gate: { status: "released", decidedAt: expect.any(Date) } } });
    expect(await store.prisma.vote.count({ where: { gateId: seen.gateId } })).toBe(1);
    expect(await store.prisma.transmission.findUnique({ where: { gateId: seen.gateId } })).toMatchObject({
      phase: "released",
      attempt: 0,
    });
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.released"]);
  });

  test("by twenty reviewers at once has one winner, and every loser learns who decided", async () => {
    const { practiceId, taskId, seen } = await aHeldTask(store);
    const people = await Promise.all(
      Array.from({ length: 20 }, (_, index) => aPerson(store, { practices: [practiceId], name: `Reviewer ${index}` })),
    );
    const answers = await Promise.all(people.map((person) => releaseGate(person, { taskId, seen })));
    const winner = answers.findIndex(({ ok }) => ok);
    const losers = answers.filter(({ ok }) => !ok);
    expect(losers).toHaveLength(19);
    for (const loser of losers) {
      expect(loser).toMatchObject({
        refusal: { type: "already-decided", by: `Reviewer ${winner}`, isOwn: false, answer: "release" },
      });
    }
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.released"]);
  });

  test("of what was amended since is refused with the difference, and nothing is released", async () => {
    const { practiceId, channel, reviewer, taskId, seen } = await aHeldTask(store);
    await sendMessage(
      channel,
      anIntake({ practiceId, taskId, review: { payer: { id: "60054" }, procedures: [{ code: "72149" }] } }),
    );
    const stale = await releaseGate(reviewer, { taskId, seen });
    expect(stale).toMatchObject({
      ok: false,
      refusal: { type: "changed", changes: [{ path: "/procedures/0/code", before: '"72148"', after: '"72149"' }] },
    });
    expect(await store.prisma.transmission.count({ where: { taskId } })).toBe(0);
  });

  test.each(["gateId", "digest"] as const)("that names another %s is refused", async (field) => {
    const { reviewer, taskId, seen } = await aHeldTask(store);
    const answer = await releaseGate(reviewer, { taskId, seen: { ...seen, [field]: "x" } });
    expect(answer).toMatchObject({ ok: false, refusal: { type: "changed" } });
  });

  test("after its gate expired is refused, and the case goes back to its agent", async () => {
    const { reviewer, channel, taskId, seen } = await aHeldTask(store);
    await store.prisma.gate.update({
      where: { id: seen.gateId },
      data: { openedAt: new Date(0), expiresAt: new Date(1) },
    });
    const late = await releaseGate(reviewer, { taskId, seen });
    expect(late).toMatchObject({ ok: false, refusal: { type: "gate-expired" } });
    const now = await getTask(channel, { taskId, historyLength: 0 });
    expect(now.ok && stateOf(now.value.task)).toBe("needs-information");
  });
});

describe("someone else's case", () => {
  test.each([
    ["a reviewer of another practice", "reviewer", true],
    ["an admin who is no reviewer", "admin", false],
  ] as const)(
    "%s cannot open, release, decline, send back or recall it, and nothing is written",
    async (_, role, elsewhere) => {
      const { practiceId, taskId, seen } = await aHeldTask(store);
      const practices = [elsewhere ? await aPractice(store) : practiceId];
      const stranger = await aPerson(store, { practices, roles: [role] });
      const hidden = { ok: false, refusal: { type: "not-found" } };
      expect(await reviewTask(stranger, { taskId })).toEqual(hidden);
      expect(await readReleasedPacket(stranger, { taskId })).toEqual(hidden);
      expect(await releaseGate(stranger, { taskId, seen })).toEqual(hidden);
      expect(await declineGate(stranger, { taskId, seen, reason: "no" })).toEqual(hidden);
      expect(await requestInformation(stranger, { taskId, seen, question: "why" })).toEqual(hidden);
      expect(await recallRelease(stranger, { taskId, gateId: seen.gateId })).toEqual(hidden);
      expect((await listQueue(stranger, everything)).rows.map((row) => row.taskId)).not.toContain(taskId);
      expect(await actsOf(store, taskId)).toEqual(["task.opened"]);
    },
  );
});

describe("the other answers", () => {
  test("a decline ends the task with the reason the agent is told, and its patient data stays out of the audit", async () => {
    const { reviewer, channel, taskId, seen } = await aHeldTask(store);
    await declineGate(reviewer, { taskId, seen, reason: "Mrs Okafor withdrew consent." });
    const polled = await getTask(channel, { taskId, historyLength: 0 });
    expect(polled.ok && [stateOf(polled.value.task), polled.value.gate?.reason]).toEqual([
      "declined",
      "Mrs Okafor withdrew consent.",
    ]);
    const { rows } = await store.pool.query("SELECT detail FROM audit_entry WHERE task_id = $1", [taskId]);
    expect(JSON.stringify(rows)).not.toContain("Okafor");
  });

  test("a case sent back and amended shows the reviewer what changed since they looked", async () => {
    const { practiceId, reviewer, channel, taskId, seen } = await aHeldTask(store);
    await requestInformation(reviewer, { taskId, seen, question: "Which level?" });
    await sendMessage(
      channel,
      anIntake({
        practiceId,
        taskId,
        review: { payer: { id: "60054" }, procedures: [{ code: "72149" }] },
        note: "L4-L5.",
      }),
    );
    const view = await reviewTask(reviewer, { taskId });
    expect(view).toMatchObject({
      ok: true,
      value: {
        changes: {
          sinceRevision: 1,
          list: [{ path: "/procedures/0/code" }],
          question: { text: "Which level?", by: reviewer.actor.name },
          answer: ["L4-L5."],
        },
        notes: ["L4-L5."],
        can: ["release", "decline", "request-information", "edit"],
      },
    });
  });

  test("a recall before the claim holds the action again at a new gate without votes", async () => {
    const { reviewer, taskId, seen } = await aHeldTask(store, { recallWindowS: 600 });
    await releaseGate(reviewer, { taskId, seen });
    expect(await recallRelease(reviewer, { taskId, gateId: seen.gateId })).toEqual({
      ok: true,
      value: { state: "transmit-held" },
    });
    const view = await reviewTask(reviewer, { taskId });
    expect(view.ok && view.value.gate?.id).not.toBe(seen.gateId);
    expect(await releaseGate(reviewer, { taskId, seen })).toMatchObject({
      ok: false,
      refusal: { type: "already-decided", isOwn: true, answer: "release" },
    });
  });
});

test("the queue shows open gates of the reviewer's practices, oldest first", async () => {
  const first = await aHeldTask(store, { notedWarnings: ["no-attachment"] });
  const second = await sendMessage(first.channel, anIntake({ practiceId: first.practiceId }));
  const { rows } = await listQueue(first.reviewer, everything);
  expect(rows.map((row) => row.taskId)).toEqual([first.taskId, second.ok ? second.value.id : ""]);
  expect(rows[0]).toMatchObject({
    action: "transmit",
    environment: "test",
    warnings: ["payer-not-configured", "no-patient"],
  });
});

test("the case page shows exactly the bytes whose digest a release names", async () => {
  const { reviewer, taskId, record } = await aHeldTask(store);
  const view = await reviewTask(reviewer, { taskId });
  expect(view.ok && view.value.gate?.calls.map((call) => call.documentDigest)).toEqual(record.gate?.documentDigests);
  expect(view.ok && view.value.gate?.digest).toBe(record.gate?.digest);
  expect(view.ok && view.value.gate?.calls[0]?.text).toContain("72148");
});

const losses = {
  "was deactivated": (id: string) => store.prisma.person.update({ where: { id }, data: { status: "disabled" } }),
  "lost the role": (personId: string) => store.prisma.personRole.deleteMany({ where: { personId } }),
};

test.each(Object.entries(losses))("a person who %s after their session was read decides nothing", async (_, lose) => {
  const held = await aHeldTask(store, { recallWindowS: 600 });
  const released = await aHeldTask(store, { recallWindowS: 600 });
  await releaseGate(released.reviewer, released);
  for (const { reviewer } of [held, released]) await lose(reviewer.actor.id);
  const { reviewer, taskId, seen } = held;
  const gone = { ok: false, refusal: { type: "not-found" } };
  expect(await releaseGate(reviewer, { taskId, seen })).toEqual(gone);
  expect(await declineGate(reviewer, { taskId, seen, reason: "Twice." })).toEqual(gone);
  expect(await requestInformation(reviewer, { taskId, seen, question: "Which side?" })).toEqual(gone);
  const recalled = { taskId: released.taskId, gateId: released.seen.gateId };
  expect(await recallRelease(released.reviewer, recalled)).toEqual(gone);
  expect(await actsOf(store, taskId)).toEqual(["task.opened"]);
  expect(await actsOf(store, released.taskId)).toEqual(["task.opened", "gate.released"]);
});
