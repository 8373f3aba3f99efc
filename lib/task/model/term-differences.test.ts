import { expect, test } from "vitest";
import { differingTerms } from "./term-differences.ts";

const requested = {
  ...{ code: "99223", quantity: 6, unit: "DY", from: "2026-12-01", to: "2026-12-06" },
  ...{ providers: ["1234567893", "1093707960"], place: "21" },
};

test.each([
  ["another service", { code: "99222" }, ["code"]],
  ["fewer days", { quantity: 4 }, ["quantity"]],
  ["the same number in another unit", { unit: "VS" }, ["quantity"]],
  ["an earlier end", { to: "2026-12-04" }, ["dates"]],
  ["one of two providers", { providers: ["1093707960"] }, ["provider"]],
  ["another provider", { providers: ["1093707960", "1740345032"] }, ["provider"]],
  ["another place", { place: "22" }, ["place"]],
  ["several at once", { place: "22", quantity: 4, code: "99222" }, ["code", "quantity", "place"]],
])("%s differs from what was asked", (_, changed, names) => {
  expect(differingTerms(requested, { ...requested, ...changed })).toEqual(names);
});

test("what was asked does not differ from itself, in whatever order its providers are named", () => {
  expect(differingTerms(requested, { ...requested, providers: requested.providers.toReversed() })).toEqual([]);
});

test("what either side leaves out does not differ", () => {
  expect(differingTerms(requested, {})).toEqual([]);
  expect(differingTerms({}, requested)).toEqual([]);
});
