import { changePracticeSettings } from "./change-practice-settings.ts";
import { afterAll, expect, test } from "vitest";
import { done, entriesOf, operator, others } from "#test/support/people/admin";
import { aChannel, anIntake, aPractice, aStore, fullReview } from "#test/support/cases/cases";
import { sendMessage } from "#lib/task/send-message";
import { showPractice } from "./list-practices.ts";

const store = aStore();
const ctx = { actor: operator, store };
afterAll(() => store.close());

const hourMs = 60 * 60 * 1000;

async function hoursFor(practiceId: string, level?: string) {
  const channel = await aChannel(store, { practices: [practiceId] });
  const review = { ...fullReview, ...(level === undefined ? {} : { serviceLevelCode: level }) };
  const sent = await sendMessage(channel, anIntake({ practiceId, review }));
  if (!sent.ok) throw new Error(JSON.stringify(sent.refusal));
  const { dueAt, createdAt } = await store.prisma.task.findUniqueOrThrow({ where: { id: sent.value.id } });
  return dueAt && Math.round((dueAt.getTime() - createdAt.getTime()) / hourMs);
}

test("new cases take the practice's targets, waiting cases keep theirs, and the audit entry has both", async () => {
  const practiceId = await aPractice(store);
  expect([await hoursFor(practiceId, "U"), await hoursFor(practiceId)]).toEqual([4, 24]);
  await done(changePracticeSettings(ctx, { practiceId, urgentTargetH: 2, standardTargetH: 48 }));
  await done(changePracticeSettings(ctx, { practiceId, urgentTargetH: 2, standardTargetH: 48 }));
  expect([await hoursFor(practiceId, "U"), await hoursFor(practiceId)]).toEqual([2, 48]);
  expect(await done(showPractice(ctx, { practiceId }))).toMatchObject({ urgentTargetH: 2, standardTargetH: 48 });
  expect((await entriesOf(ctx, practiceId)).filter(({ act }) => act === "practice.targets-set")).toEqual([
    {
      actor: "operator",
      act: "practice.targets-set",
      detail: { from: { urgentTargetH: 4, standardTargetH: 24 }, to: { urgentTargetH: 2, standardTargetH: 48 } },
    },
  ]);
});

test.each([
  [0, 24, "urgentTargetH"],
  [4, 721, "standardTargetH"],
  [1.5, 24, "urgentTargetH"],
  [Number.NaN, 24, "urgentTargetH"],
  [25, 24, "urgentTargetH"],
])("%d and %d hours are no targets", async (urgentTargetH, standardTargetH, field) => {
  const practiceId = await aPractice(store);
  expect(await changePracticeSettings(ctx, { practiceId, urgentTargetH, standardTargetH })).toMatchObject({
    refusal: { type: "invalid", issues: [{ field }] },
  });
  expect(await entriesOf(ctx, practiceId)).toEqual([]);
});

test.each(others)("%s sets none", async (_, actor) => {
  const practiceId = await aPractice(store);
  expect(await changePracticeSettings({ actor, store }, { practiceId, urgentTargetH: 1, standardTargetH: 2 })).toEqual({
    ok: false,
    refusal: { type: "not-authorised" },
  });
});
