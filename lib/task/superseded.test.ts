import { expect, test } from "vitest";
import { superseded, withStanding } from "./superseded.ts";
import type { DeterminationView } from "./views.ts";

const one = (id: string, supersedes?: string): DeterminationView => ({
  ...{ id, supersedes, outcome: "approved", lines: [], notes: [], source: "connector", environment: "test" },
  receivedAt: new Date(0),
});
// `late` came after `b` was in force and never replaced it.
const all = [one("a"), one("b", "a"), one("late", "b"), one("c", "b")];
const ids = (list: readonly DeterminationView[]) => list.map(({ id }) => id);

test("the ones that were in force before are found by what each superseded, the latest first", () => {
  expect(ids(superseded({ determination_id: "c" }, all))).toEqual(["b", "a"]);
  expect(ids(superseded({ determination_id: "a" }, all))).toEqual([]);
  expect(ids(superseded({ determination_id: null }, all))).toEqual([]);
});

test("the one in force stands last however late another came", () => {
  const standings = withStanding({ determination_id: "b" }, all.slice(0, 3)).map(({ id, standing }) => [id, standing]);
  expect(standings).toEqual([
    ["a", "superseded"],
    ["late", "never-in-force"],
    ["b", "in-force"],
  ]);
});
