import { beforeEach, expect, test, vi } from "vitest";
import { dropDraft, dropDrafts, keepDraft, keptDraft } from "./drafts.tsx";

/** As a browser's storage: its keys are its own members, its functions are not. */
const browserStorage = {
  getItem(this: Record<string, string>, name: string) {
    return this[name] ?? null;
  },
  setItem(this: Record<string, string>, name: string, text: string) {
    this[name] = text;
  },
  removeItem(this: Record<string, string>, name: string) {
    delete this[name];
  },
};

beforeEach(() => void vi.stubGlobal("sessionStorage", Object.create(browserStorage)));

const dana = { personId: "dana", gateId: "gate", field: "decline reason" };
const priya = { ...dana, personId: "priya" };

test("what one person typed is not put into the form of the next one in the same tab", () => {
  keepDraft(dana, "The second page is missing.");
  expect(keptDraft(dana)).toBe("The second page is missing.");
  expect(keptDraft(priya)).toBeUndefined();
});

test("a page drops the drafts of other people and of other gates, and keeps its own", () => {
  const elsewhere = { ...priya, gateId: "another gate" };
  for (const place of [dana, priya, elsewhere]) keepDraft(place, "Words.");
  dropDrafts({ but: { personId: "priya", gateId: "gate" } });
  expect([dana, priya, elsewhere].map(keptDraft)).toEqual([undefined, "Words.", undefined]);
  dropDrafts();
  expect(keptDraft(priya)).toBeUndefined();
});

test("a page keeps the drafts of one person until they are dropped, and shows no other person's", () => {
  const note = { personId: "dana", taskId: "case", field: "note text" };
  const others = { ...note, personId: "priya" };
  for (const place of [note, others]) keepDraft(place, "Words.");
  dropDrafts({ but: { personId: "dana", gateId: undefined } });
  expect([note, others].map(keptDraft)).toEqual(["Words.", undefined]);
  dropDraft(note);
  expect(keptDraft(note)).toBeUndefined();
});

test("a page without an open gate drops every draft at a gate and nothing else", () => {
  keepDraft({ ...dana, gateId: undefined }, "Words.");
  sessionStorage.setItem("another key", "stays");
  dropDrafts({ but: { personId: "dana", gateId: undefined } });
  expect(Object.keys(sessionStorage)).toEqual(["another key"]);
});
