import { afterAll, describe, expect, test } from "vitest";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { aPerson, aHeldTask, anIntake, aRoute, aStore, aVoid, fullReview, seenOn } from "#test/support/cases/cases";
import { anAnsweredTask } from "#test/support/cases/sent-cases";
import { getTask } from "#lib/task/get-task";
import { listQueue } from "#lib/queue/list-queue";
import { releaseGate } from "./release-gate.ts";
import { reviewTask } from "#lib/task/review-task";
import { sendMessage } from "#lib/task/send-message";

const store = aStore();
afterAll(() => store.close());

/** The setting of a new practice: every warning but a missing file needs an override reason. */
const strict = { notedWarnings: ["no-attachment"] } as const;
const why = "The member card is on its way; Lee has seen it.";

async function look(reviewer: Context<PersonActor>, taskId: string) {
  const view = await reviewTask(reviewer, { taskId });
  if (!view.ok) throw new Error(`The case is not shown: ${view.refusal.type}`);
  const { checks } = view.value;
  const shown = checks.filter(({ needsReason }) => needsReason).map(({ key }) => key);
  return { ...view.value, types: checks.map(({ type }) => type), shown };
}

describe("over warnings", () => {
  test("nobody releases without a reason, and nothing happens meanwhile", async () => {
    const { reviewer, channel, taskId, seen } = await aHeldTask(store, strict);
    const { shown, types, can } = await look(reviewer, taskId);
    expect([types, can]).toEqual([
      ["payer-not-configured", "no-patient", "no-attachment"],
      ["release", "decline", "request-information", "edit"],
    ]);
    for (const reason of [undefined, "", " \n", "\u200b\u3164\u2800"]) {
      expect(await releaseGate(reviewer, { taskId, seen, shown, why: reason })).toMatchObject({
        refusal: { type: "invalid", issues: [{ path: "why" }] },
      });
    }
    expect(await getTask(channel, { taskId, historyLength: 0 })).toMatchObject({ value: { gate: { status: "open" } } });
  });

  test("a release keeps its reason sealed with the vote, shows it to reviewers, and tells nobody else", async () => {
    const { reviewer, channel, taskId, seen } = await aHeldTask(store, strict);
    const { shown } = await look(reviewer, taskId);
    expect(await releaseGate(reviewer, { taskId, seen, shown, why })).toMatchObject({ ok: true });
    const vote = await store.prisma.vote.findFirstOrThrow({ where: { gateId: seen.gateId } });
    expect(vote.warnings).toEqual(["payer-not-configured", "no-patient"]);
    expect(Buffer.from(vote.reason ?? []).toString("latin1")).not.toContain("Lee");
    const { history } = await look(reviewer, taskId);
    expect(history.at(-1)).toMatchObject({
      act: "gate.released",
      why,
      detail: { warnings: ["payer-not-configured", "no-patient"], withReason: true },
    });
    const audit = await store.prisma.auditEntry.findMany({ where: { taskId } });
    expect(
      JSON.stringify(audit, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value)),
    ).not.toContain("Lee");
    expect(JSON.stringify(await getTask(channel, { taskId, historyLength: 10 }))).not.toContain("Lee");
  });

  test("the page did not show, a release is refused with them", async () => {
    const { reviewer, taskId, seen } = await aHeldTask(store, strict);
    expect(await releaseGate(reviewer, { taskId, seen, shown: ["no-patient"], why })).toMatchObject({
      refusal: { type: "warned", checks: [{ type: "payer-not-configured" }] },
    });
  });

  test("the practice only notes, a release says nothing, and the queue shows only the others", async () => {
    const { reviewer, taskId, seen } = await aHeldTask(store, {
      notedWarnings: ["no-attachment", "no-patient", "payer-not-configured"],
      review: { payer: { id: "60054" }, procedures: [{ code: "72148" }], colour: "blue" },
    });
    const { rows } = await listQueue(reviewer, { view: "all", sort: "due", filters: {} });
    expect(rows.map(({ warnings }) => warnings)).toEqual([["unknown-members"]]);
    const { shown } = await look(reviewer, taskId);
    expect(shown).toEqual(["unknown-members"]);
    expect(await releaseGate(reviewer, { taskId, seen, shown, why })).toMatchObject({ ok: true });
    expect(await store.prisma.vote.findFirst({ where: { gateId: seen.gateId } })).toMatchObject({
      warnings: ["unknown-members"],
    });
  });

  test("nobody hears of them who came second: that somebody decided is said first", async () => {
    const { practiceId, reviewer, taskId, seen } = await aHeldTask(store, strict);
    const { shown } = await look(reviewer, taskId);
    await releaseGate(reviewer, { taskId, seen, shown, why });
    const second = await aPerson(store, { practices: [practiceId], name: "Second" });
    expect(await releaseGate(second, { taskId, seen })).toMatchObject({ refusal: { type: "already-decided" } });
  });

  test("of another practice nobody learns anything", async () => {
    const { taskId, seen } = await aHeldTask(store, strict);
    const { reviewer: stranger } = await aHeldTask(store, strict);
    expect(await releaseGate(stranger, { taskId, seen, why })).toEqual({ ok: false, refusal: { type: "not-found" } });
  });
});

describe("a block", () => {
  test.each([
    [
      "practice-suspended",
      async (practiceId: string) => {
        await store.prisma.practice.update({ where: { id: practiceId }, data: { status: "suspended" } });
      },
    ],
    ["route-changed", (practiceId: string) => aRoute(store, { practiceId, version: 2 })],
    [
      "no-route",
      async (practiceId: string) => {
        await store.prisma.route.updateMany({ where: { practiceId }, data: { url: null } });
      },
    ],
  ])("%s refuses the release whatever the page showed, and takes the button away", async (type, happen) => {
    const { practiceId, reviewer, channel, taskId, seen } = await aHeldTask(store, {
      routed: true,
      review: fullReview,
    });
    await happen(practiceId);
    expect(await releaseGate(reviewer, { taskId, seen, shown: [type], why })).toMatchObject({
      refusal: { type: "blocked", checks: [{ type }] },
    });
    const { types, can } = await look(reviewer, taskId);
    expect(types[0]).toBe(type);
    expect(can).toEqual(["decline", "request-information", "edit"]);
    const agents = await getTask(channel, { taskId, historyLength: 0 });
    expect(agents).toMatchObject({ value: { gate: { status: "open" } } });
    expect(JSON.stringify(agents)).not.toContain(type);
  });

  test("of dates a year over refuses, and a new revision with others is free of it", async () => {
    const over = { ...fullReview, fromDate: "2020-01-01", toDate: "2020-02-01" };
    const { practiceId, reviewer, channel, taskId, seen } = await aHeldTask(store, { routed: true, review: over });
    expect(await releaseGate(reviewer, { taskId, seen })).toMatchObject({
      refusal: { type: "blocked", checks: [{ type: "dates-over", values: ["2020-02-01"] }] },
    });
    const amended = await sendMessage(channel, anIntake({ practiceId, review: fullReview, taskId }));
    if (!amended.ok) throw new Error(amended.refusal.type);
    expect(await releaseGate(reviewer, { taskId, seen: seenOn(amended.value) })).toMatchObject({ ok: true });
  });
});

test("a void asks no reason for what was wrong with the request", async () => {
  const { practiceId, channel, reviewer, taskId } = await anAnsweredTask(store, {
    type: "accepted",
    reference: "REF-1",
  });
  await store.prisma.practice.update({ where: { id: practiceId }, data: { notedWarnings: [] } });
  const requested = await sendMessage(channel, aVoid({ practiceId, taskId }));
  if (!requested.ok) throw new Error(requested.refusal.type);
  expect((await look(reviewer, taskId)).types).toEqual([]);
  expect(await releaseGate(reviewer, { taskId, seen: seenOn(requested.value) })).toMatchObject({ ok: true });
});
