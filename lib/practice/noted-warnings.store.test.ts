import { afterAll, expect, test } from "vitest";
import { done, entriesOf, operator, others } from "#test/support/people/admin";
import { aPractice, aStore } from "#test/support/cases/cases";
import { showPractice } from "./list-practices.ts";
import { setNotedWarnings, warningsText } from "./set-noted-warnings.ts";

const store = aStore();
const ctx = { actor: operator, store };
afterAll(() => store.close());

const notedIn = async (practiceId: string) => (await done(showPractice(ctx, { practiceId }))).notedWarnings;

test("in a new practice a missing file needs no reason, and every other warning does", async () => {
  const id = `practice-${crypto.randomUUID()}`;
  await store.prisma.practice.create({ data: { id, name: "Oak Street" } });
  expect(await notedIn(id)).toEqual(["no-attachment"]);
});

test("the last setting of warnings applies, and its audit entry has the one before", async () => {
  const practiceId = await aPractice(store, { notedWarnings: ["no-attachment"] });
  await done(setNotedWarnings(ctx, { practiceId, noted: ["old-note", "files-left", "old-note"] }));
  await done(setNotedWarnings(ctx, { practiceId, noted: ["files-left", "old-note"] }));
  expect(await notedIn(practiceId)).toEqual(["files-left", "old-note"]);
  expect(await entriesOf(ctx, practiceId)).toEqual([
    {
      actor: "operator",
      act: "practice.noted-warnings-set",
      detail: { from: ["no-attachment"], to: ["files-left", "old-note"] },
    },
  ]);
});

test("warnings made from others than those that are set now are refused", async () => {
  const practiceId = await aPractice(store, { notedWarnings: ["no-attachment"] });
  const seen = warningsText(["no-attachment"]);
  await done(setNotedWarnings(ctx, { practiceId, noted: [], seen }));
  const noted = ["no-attachment", "old-note"];
  expect(await setNotedWarnings(ctx, { practiceId, noted, seen })).toMatchObject({
    refusal: { type: "changed-since" },
  });
  expect(await notedIn(practiceId)).toEqual([]);
});

test.each(["exact-duplicate", "dates-over", "", "toString", "no-such"])(
  "a block or what is no warning cannot be noted: %s",
  async (type) => {
    const practiceId = await aPractice(store, { notedWarnings: [] });
    expect(await setNotedWarnings(ctx, { practiceId, noted: [type] })).toMatchObject({ refusal: { type: "invalid" } });
    expect(await notedIn(practiceId)).toEqual([]);
  },
);

test.each(others)("%s sets nothing", async (_, actor) => {
  const practiceId = await aPractice(store, { notedWarnings: [] });
  const refused = await setNotedWarnings({ actor, store }, { practiceId, noted: ["old-note"] });
  expect(refused).toEqual({ ok: false, refusal: { type: "not-authorised" } });
  expect(await notedIn(practiceId)).toEqual([]);
});
