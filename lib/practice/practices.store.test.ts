import { afterAll, expect, test } from "vitest";
import { aPerson, done, entriesOf, everything, fresh, operator, others } from "#test/support/people/admin";
import { aStore } from "#test/support/cases/cases";
import { createPractice } from "./create-practice.ts";
import { changePracticeSettings } from "./change-practice-settings.ts";
import { listPractices, showPractice } from "./list-practices.ts";
import { resumePractice, suspendPractice } from "./suspend-practice.ts";

const store = aStore();
const ctx = { actor: operator, store };
afterAll(() => store.close());

async function aPractice() {
  const id = fresh("practice");
  await done(createPractice(ctx, { id, name: "Elm Street" }));
  return id;
}

test("a practice is created with its settings, and its audit entry says by whom", async () => {
  const id = fresh("practice");
  const admin = aPerson({ roles: ["admin"] });
  expect(
    await createPractice({ actor: admin, store }, { id, name: " Elm Street ", environment: "test" }),
  ).toMatchObject({ ok: true });
  expect(await done(showPractice(ctx, { practiceId: id }))).toMatchObject({
    name: "Elm Street",
    status: "active",
    environment: "test",
    recallWindowS: 10,
    gateExpiryDays: 14,
    routes: [],
  });
  expect(await entriesOf(ctx, id)).toEqual([
    {
      actor: `person:${admin.id}`,
      act: "practice.created",
      detail: {
        ...{ name: "Elm Street", environment: "test", recallWindowS: 10, gateExpiryDays: 14 },
        timeZone: "America/New_York",
      },
    },
  ]);
});

test("an id is used once, also by concurrent requests", async () => {
  const id = fresh("practice");
  const results = await Promise.all([1, 2, 3, 4].map((n) => createPractice(ctx, { id, name: `Number ${n}` })));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  for (const result of results.filter(({ ok }) => !ok))
    expect(result).toEqual({ ok: false, refusal: { type: "taken", what: "practice" } });
  expect(await entriesOf(ctx, id)).toHaveLength(1);
});

test("an id that differs from another in capital letters alone is taken", async () => {
  const id = fresh("Practice");
  await done(createPractice(ctx, { id, name: "Elm Street" }));
  for (const like of [id.toLowerCase(), id.toUpperCase()])
    expect(await createPractice(ctx, { id: like, name: "Elm Street" })).toMatchObject({ refusal: { type: "taken" } });
});

test.each(["", "people", "channel:1", "-a", "a b", "a,b", "a/b", "..", "a\n", "x".repeat(65)])(
  "%j is no id for a practice",
  async (id) => {
    const before = await everything(store);
    expect(await createPractice(ctx, { id, name: "Elm Street" })).toMatchObject({
      ok: false,
      refusal: { type: "invalid", issues: [{ field: "id" }] },
    });
    expect(await everything(store)).toEqual(before);
  },
);

test("a rename, a suspension and its end are each recorded once", async () => {
  const practiceId = await aPractice();
  await done(changePracticeSettings(ctx, { practiceId, name: "Oak Street" }));
  await done(changePracticeSettings(ctx, { practiceId, name: "Oak Street" }));
  await done(suspendPractice(ctx, { practiceId }));
  await done(suspendPractice(ctx, { practiceId }));
  expect(await done(showPractice(ctx, { practiceId }))).toMatchObject({ name: "Oak Street", status: "suspended" });
  await done(resumePractice(ctx, { practiceId }));
  expect(await done(showPractice(ctx, { practiceId }))).toMatchObject({ status: "active" });
  expect((await entriesOf(ctx, practiceId)).slice(1)).toEqual([
    { actor: "operator", act: "practice.renamed", detail: { from: "Elm Street", to: "Oak Street" } },
    { actor: "operator", act: "practice.suspended", detail: {} },
    { actor: "operator", act: "practice.resumed", detail: {} },
  ]);
});

test("settings change within their bounds, and the audit entry has both values", async () => {
  const practiceId = await aPractice();
  const to = { recallWindowS: 0, gateExpiryDays: 30, environment: "test", timeZone: "America/Denver" } as const;
  await done(changePracticeSettings(ctx, { practiceId, ...to }));
  await done(changePracticeSettings(ctx, { practiceId, ...to }));
  expect(await done(showPractice(ctx, { practiceId }))).toMatchObject(to);
  const from = { recallWindowS: 10, gateExpiryDays: 14, environment: "live", timeZone: "America/New_York" };
  expect((await entriesOf(ctx, practiceId)).slice(1)).toEqual([
    { actor: "operator", act: "practice.settings-changed", detail: { from, to } },
  ]);
  const bad = { ...to, practiceId, recallWindowS: 3601, gateExpiryDays: 0, timeZone: "Mars/Olympus" } as const;
  expect(await changePracticeSettings(ctx, bad)).toMatchObject({
    refusal: { issues: [{ field: "recallWindowS" }, { field: "gateExpiryDays" }, { field: "timeZone" }] },
  });
});

test("a practice that does not exist can be neither shown nor changed", async () => {
  const practiceId = fresh("nobody");
  const nothing = { ok: false, refusal: { type: "not-found", what: "practice" } };
  expect(await showPractice(ctx, { practiceId })).toEqual(nothing);
  expect(await changePracticeSettings(ctx, { practiceId, name: "A" })).toEqual(nothing);
  expect(await suspendPractice(ctx, { practiceId })).toEqual(nothing);
  expect(
    await changePracticeSettings(ctx, {
      practiceId,
      recallWindowS: 1,
      gateExpiryDays: 1,
      environment: "live",
      timeZone: "UTC",
    }),
  ).toEqual(nothing);
});

test.each(others)("%s can do none of it, and nothing is written", async (_, actor) => {
  const practiceId = await aPractice();
  const before = await everything(store);
  const as = { actor, store };
  const results = await Promise.all([
    createPractice(as, { id: fresh("practice"), name: "Elm Street" }),
    changePracticeSettings(as, { practiceId, name: "Oak Street" }),
    suspendPractice(as, { practiceId }),
    resumePractice(as, { practiceId }),
    changePracticeSettings(as, {
      practiceId,
      recallWindowS: 0,
      gateExpiryDays: 1,
      environment: "test",
      timeZone: "UTC",
    }),
    listPractices(as),
    showPractice(as, { practiceId }),
  ]);
  for (const result of results) expect(result).toEqual({ ok: false, refusal: { type: "not-authorised" } });
  expect(await everything(store)).toEqual(before);
});
