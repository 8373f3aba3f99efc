import { expect, test } from "vitest";
import { aReview, aReviewBuild } from "#test/support/service-review/build";
import { fullReview } from "#test/support/pas/reviews";
import { build } from "./build.ts";
import { leftOut } from "./left-out.ts";

test("a plain review leaves nothing out", () => {
  expect(leftOut(aReview())).toEqual([]);
});

test("what the contract has no place for is named, and is not in the request", () => {
  const { accident, coverage, homeHealth } = fullReview;
  const review = aReview({
    accident,
    coverage,
    homeHealth,
    procedures: [{ code: "97110", quantity: 1, epsdt: true, toothCode: "14" }],
  });
  expect(leftOut(review)).toEqual([
    "/coverage",
    "/accident",
    "/homeHealth",
    "/procedures/0/epsdt",
    "/procedures/0/toothCode",
  ]);
  const text = Buffer.from(build(aReviewBuild({ review })).body).toString("utf8");
  expect(text).not.toMatch(/accident|coverage|homeHealth|epsdt|tooth|Elm Street Employees/);
});

test("why a request is late or an emergency goes as its first notes", () => {
  const review = aReview({
    retrospectiveReason: "Unconscious.",
    emergencyReason: "A fall.",
    providerNotes: [{ message: "Note." }],
  });
  const { providerNotes } = JSON.parse(Buffer.from(build(aReviewBuild({ review })).body).toString("utf8"));
  expect(providerNotes.slice(0, 3)).toEqual([
    { message: "Reason for the retrospective request: Unconscious." },
    { message: "Reason for the emergency: A fall." },
    { message: "Note." },
  ]);
});
