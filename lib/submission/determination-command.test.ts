import { describe, expect, test } from "vitest";
import { namesOneAuthorization, numbersOf } from "#lib/task/model/determination";
import type { ServiceReview } from "#lib/task/model/service-review";
import { aReview } from "#test/support/payer/pas/build";
import { differenceBetween } from "./determination-command.ts";

const ours = aReview();
const { patient, subscriber } = ours;

describe("two requests can't be one authorization", () => {
  test.each<[string, Partial<ServiceReview>, string]>([
    ["for the member's brother", { patient: { ...patient, firstName: "Ralph", genderCode: "M" } }, "patient"],
    ["for somebody born on another day", { patient: { ...patient, birthDate: "1983-05-01" } }, "patient"],
    ["for the same patient and no service in common", { procedures: [{ code: "97112" }] }, "service"],
  ])("%s", (_, members, difference) => {
    expect(differenceBetween(ours, aReview(members))).toBe(difference);
  });

  test("for members of different numbers, where nobody is named", () => {
    const unnamed = (memberId: string) => aReview({ patient: undefined, subscriber: { memberId } });
    expect(differenceBetween(unnamed("M1"), unnamed("M2"))).toBe("patient");
    expect(differenceBetween(unnamed("M1"), unnamed("m1 "))).toBeUndefined();
  });
});

describe("two requests may be one authorization", () => {
  test.each<[string, Partial<ServiceReview>]>([
    ["for other days of the same service", { fromDate: "2027-01-01", toDate: "2027-01-31" }],
    ["where one has more services", { procedures: [{ code: "97112" }, { code: "97110", quantity: 2 }] }],
    ["where the patient has another member number now", { subscriber: { ...subscriber, memberId: "M2000" } }],
    ["where one writes the name otherwise", { patient: { ...patient, lastName: "TESTPERSON", firstName: "R." } }],
    ["where one names no patient", { patient: undefined }],
  ])("%s", (_, members) => {
    expect(differenceBetween(ours, aReview(members))).toBeUndefined();
  });
});

test("what payers write in place of a number is none", () => {
  expect(["NOTREQUIRED", "NA", "0000", "99", ""].filter(namesOneAuthorization)).toEqual([]);
  expect(["AUTH1", "90017", "A0000123"].filter(namesOneAuthorization)).toHaveLength(3);
});

test("a determination's numbers are those of the whole and of its lines, each once, however they are written", () => {
  const line = { sequence: 1, action: "A1", reasons: [] } as const;
  const lines = [line, { ...line, number: "pa 77-1" }, { ...line, number: "PA-78" }];
  expect(numbersOf({ authorizationNumber: "PA-77/1", lines })).toEqual(["PA771", "PA78"]);
});
