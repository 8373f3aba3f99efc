import { expect, test } from "vitest";
import { adviceOn } from "./advice.ts";
import type { ServiceReview } from "./model/service-review.ts";

const now = new Date("2026-11-20T12:00:00.000Z");
const line = { code: "97110", fromDate: "2026-12-01" };
const aReview = (more: Partial<ServiceReview> = {}): ServiceReview => ({
  payer: { id: "P1" },
  procedures: [line],
  patient: { lastName: "Greene" },
  ...more,
});
const reasonFor = (path: string, review: ServiceReview) =>
  adviceOn(review, { missing: [path], update: false, now }).problems[0];

test.each<[string, Partial<ServiceReview>, string, string | undefined]>([
  ["/patient/birthDate", {}, "absent", "must be a calendar date YYYY-MM-DD from 1900 to 2199"],
  ["/patient/genderCode", {}, "absent", "must be F, M or U"],
  ["/requestingProvider/npi", {}, "absent", "must be a 10-digit NPI with a valid check digit"],
  ["/diagnoses", { diagnoses: [] }, "absent", undefined],
  [
    "/procedures/0/toDate",
    { procedures: [{ ...line, toDate: "2026-11-30" }] },
    "reversed",
    "must be a calendar date YYYY-MM-DD from 1900 to 2199",
  ],
  ["/diagnoses/12", { diagnoses: Array.from({ length: 13 }, () => ({ code: "M54.16" })) }, "too-many", undefined],
  ["/procedures/0/code", { procedures: [{ code: "not a code" }] }, "no-known-code", undefined],
  [
    "/certificationTypeCode",
    { certificationTypeCode: "R" },
    "not-carried",
    "must be a one-character certification type",
  ],
  ["/no/such/member", {}, "absent", undefined],
])("%s of %o is missing because it is %s, and must be %s", (path, more, reason, rule) => {
  expect(reasonFor(path, aReview(more))).toEqual({ path, reason, rule });
});

test("a review without a slip is warned of nothing, and one with thousands is told of a bounded number", () => {
  const facts = { missing: [], update: false, now };
  expect(adviceOn(aReview(), facts).warnings).toEqual([]);
  const strange = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`m${index}`, index]));
  expect(adviceOn({ ...aReview(), ...strange }, facts).warnings).toHaveLength(64);
});

test("a warning repeats only the beginning of a long name", () => {
  const strange = { ["x".repeat(1_000_000)]: 1 };
  const [warning] = adviceOn({ ...aReview(), ...strange }, { missing: [], update: false, now }).warnings;
  expect(warning?.path).toBe(`/${"x".repeat(199)}…`);
});

test("a day that has come anywhere is not in the future, and one still on somewhere is not past", () => {
  const late = new Date("2026-11-20T23:00:00.000Z");
  const review = aReview({
    procedures: [{ code: "97110", fromDate: "2026-11-20" }],
    providerNotes: [{ message: "Seen.", date: "2026-11-21" }],
  });
  expect(adviceOn(review, { missing: [], update: false, now: late }).warnings).toEqual([]);
});

test("a type of service of any version of X12 is not warned of, and one that is not known is", () => {
  const codesOf = (serviceTypeCode: string) =>
    adviceOn(aReview({ serviceTypeCode }), { missing: [], update: false, now }).warnings;
  for (const listed of ["1", "62", "99", "A4", "BG", "PT", "SMH", "E40"]) expect(codesOf(listed), listed).toEqual([]);
  expect(codesOf("ZZ")).toEqual([{ code: "unlisted-service-type", path: "/serviceTypeCode", values: ["ZZ"] }]);
});

test("what is given twice is named where it stands again", () => {
  const twice = aReview({ diagnoses: [{ code: "M54.16" }, { code: "M54.16" }], procedures: [line, line] });
  const { warnings } = adviceOn(twice, { missing: [], update: false, now });
  expect(warnings.map(({ code, path }) => [code, path])).toEqual([
    ["diagnosis-twice", "/diagnoses/1/code"],
    ["procedure-twice", "/procedures/1"],
  ]);
});

test("a type of a file that the revision does not have is warned of, and one of a file it has is not", () => {
  const fileTypes = [{ fileName: "MRI report.pdf" }, { fileName: "notes.pdf" }, { fileName: "notes.pdf " }];
  const files = [{ name: "notes.pdf" }, {}];
  const { warnings } = adviceOn(aReview({ fileTypes }), { missing: [], update: false, now, files });
  expect(warnings).toEqual([{ code: "file-not-sent", path: "/fileTypes/0/fileName", values: [] }]);
});
