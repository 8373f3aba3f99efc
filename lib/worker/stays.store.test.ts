import { afterAll, expect, test } from "vitest";
import { determinationSteps } from "#lib/task/determination-steps";
import { recordDetermination } from "#lib/submission/record-payer-answer";
import { reportSent, startManualSubmission } from "#lib/submission/manual-submission";
import { reviewTask } from "#lib/task/review-task";
import { aStore } from "#test/support/cases/cases";
import { aPdf, aReceivedFile } from "#test/support/agents/files";
import { inDays } from "#test/support/agents/reviews";
import { aWiredCase, bothSides } from "#test/support/cases/wired-case";

const store = aStore();
afterAll(() => store.close());

const days = (quantity: number) => ({
  procedures: [{ code: "99223", quantity, quantityTypeCode: "DY" }],
  fromDate: inDays(10),
  toDate: inDays(9 + quantity),
});
const stay = (quantity: number) => ({ ...days(quantity), requestTypeCode: "AR", placeOfServiceCode: "21" });
const note = (day: number) => aReceivedFile(aPdf(`Day ${day}`), "application/pdf");

/** How much was authorized, determination by determination, and what each added. */
async function stepsOf({ reviewer, taskId }: Pick<Awaited<ReturnType<typeof aWiredCase>>, "reviewer" | "taskId">) {
  const view = await reviewTask(reviewer, { taskId });
  const steps = view.ok ? determinationSteps(view.value.determinations) : [];
  return steps.map(({ outcome, added, authorized }) => [outcome, authorized[0]?.authorized, added[0]?.added]);
}

test.each(["2.2.1", "2.0.1"] as const)(
  "over PAS %s a stay is extended three times, each determination supersedes the one before, and the rest stays visible",
  async (version) => {
    const of = await aWiredCase(store, { memberId: "HM1-STAY", version, members: stay(6) });
    expect(await of.leaves()).toMatchObject({ state: "determined", determination: { outcome: "modified" } });
    await of.amends([note(2)], stay(6));
    await of.leaves();
    await of.amends([note(4)], stay(6));
    const whole = await of.leaves();
    expect(whole).toMatchObject({ determination: { outcome: "approved", revision: 3 }, superseded: [{}, {}] });
    await of.amends([note(6)], stay(8));
    expect(await of.leaves()).toMatchObject({ determination: { outcome: "approved", revision: 4 } });
    expect(await stepsOf(of)).toEqual([
      ["approved", 8, 2],
      ["approved", 6, 2],
      ["modified", 4, 2],
      ["modified", 2, 2],
    ]);
    const { released, received } = await bothSides(of);
    expect(released.map(({ kind }) => kind)).toEqual(["request", "update", "update", "update"]);
    expect(received).toEqual(released.map((each) => ({ ...each, times: 1 })));
  },
);

test("days that a person learns of are added in the order of their dates, and a determination without one, or with an earlier one, is refused", async () => {
  const of = await aWiredCase(store, { memberId: "HM1", connector: "manual", members: stay(6) });
  const { taskId, reviewer } = of;
  const gateId = await of.release();
  await startManualSubmission(reviewer, { taskId, gateId });
  await reportSent(reviewer, { taskId, gateId, delivery: "phone" });
  const authorize = (quantity: number, decidedAt?: Date) =>
    recordDetermination(reviewer, {
      ...{ taskId, decidedAt, outcome: "by-line", evidence: "Call with the payer's nurse." },
      lines: [{ action: "A6", authorized: { quantity }, reasons: [] }],
    });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  expect(await authorize(2, hoursAgo(3))).toMatchObject({ ok: true });
  expect(await authorize(4)).toMatchObject({ ok: false, refusal: { issues: [{ path: "decidedAt" }] } });
  expect(await authorize(4, hoursAgo(1))).toMatchObject({ ok: true });
  expect(await authorize(3, hoursAgo(2))).toMatchObject({ ok: false, refusal: { issues: [{ path: "decidedAt" }] } });
  expect(await stepsOf(of)).toEqual([
    ["modified", 4, 2],
    ["modified", 2, 2],
  ]);
});
