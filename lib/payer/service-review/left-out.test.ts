import { expect, test } from "vitest";
import { aReview, aReviewBuild } from "#test/support/payer/service-review/build";
import { fullReview } from "#test/support/payer/pas/reviews";
import { build } from "./build.ts";
import { leftOut } from "./left-out.ts";

test("a plain review leaves nothing out", () => {
  expect(leftOut(aReview())).toEqual([]);
});

test("what the contract has no place for is named, and is not in the request", () => {
  const { coverage } = fullReview;
  const patient = { ...aReview().patient, languageCode: "es-US" };
  const procedures = [{ code: "97110", traceNumber: "LINE-1", revenueUnitRateLimit: 120 }];
  const review = aReview({ coverage, patient, procedures });
  expect(leftOut(review)).toEqual([
    "/coverage",
    "/patient/languageCode",
    "/procedures/0/traceNumber",
    "/procedures/0/revenueUnitRateLimit",
  ]);
  const text = Buffer.from(build(aReviewBuild({ review })).body).toString("utf8");
  expect(text).not.toMatch(/Elm Street Employees|es-US|LINE-1|120/);
});

test("what it has no member for and a payer's reviewer asks about is said in notes before the trace number", () => {
  const { accident, facility, conditions, dischargeDate, authorizationNumber } = fullReview;
  const procedures = [
    { code: "97110", codeEnd: "97112", renderingProviderNpis: ["1679576722"], authorizationNumber: "AUTH-0" },
    { code: "D7140", qualifierCode: "AD", toothCode: "14", unitPrice: 85.5, epsdt: true },
    { code: "97112", epsdt: false },
  ];
  const review = aReview({ accident, facility, conditions, dischargeDate, authorizationNumber, procedures });
  expect(leftOut(review)).toEqual([]);
  const { providerNotes } = JSON.parse(Buffer.from(build(aReviewBuild({ review })).body).toString("utf8"));
  expect(providerNotes).toEqual([
    {
      message: "Facility: Elm Street Hospital, NPI 1245319599, 3 Elm Street, Springfield, IL 62701, phone 5550110",
    },
    { message: "Accident: 2026-09-01, type AA (X12 1362), in IL" },
    { message: "Conditions that apply: 09 (X12 1321), category 07 (X12 1136)" },
    { message: "Discharge: 2026-12-31" },
    { message: "Earlier authorization: AUTH-2025" },
    { message: "Line 1, 97110: to 97112, provided by NPI 1679576722, earlier authorization AUTH-0" },
    { message: "Line 2, D7140: tooth 14, 85.5 USD per unit, EPSDT" },
    { message: expect.stringMatching(/^Trace number /) },
  ]);
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
