import { expect, test } from "vitest";
import type { ServiceReview } from "#lib/task/model/service-review";
import { missingSentence, missingText } from "./fields.ts";

const bare: ServiceReview = { payer: { id: "60054" }, procedures: [] };

test("what a request lacks is named as in the list of fields, and never by a JSON pointer", () => {
  expect(missingText("/subscriber/memberId")).toBe("Member ID");
  expect(missingText("/diagnoses/1")).toBe("Diagnosis 2");
  expect(missingText("/requestingProvider/npi")).toBe("Requesting provider, NPI");
  expect(missingText("/requestingProvider/taxId")).toBe("Requesting provider, tax ID");
});

test("a sentence names a few of the missing fields and counts the others", () => {
  expect(missingSentence(["/subscriber/memberId"], bare)).toBe("Missing for this payer: Member ID.");
  const many = ["/fromDate", "/toDate", "/diagnoses", "/quantity", "/placeOfServiceCode", "/serviceTypeCode"];
  expect(missingSentence(many, bare)).toBe(
    "Missing for this payer: First day, Last day, Diagnoses, Quantity, and 2 more.",
  );
});

test("what is there and wrong is never called missing", () => {
  const review = { ...bare, fromDate: "2027-02-06", toDate: "2026-12-08", procedures: [{ code: "?" }] };
  expect(missingSentence(["/toDate"], review)).toBe(
    "Missing or wrong for this payer: Last day (before the first day).",
  );
  expect(missingText("/procedures/0/code", review)).toMatch(/ \(not accepted as sent\)$/);
  expect(missingSentence(["/toDate"], bare)).toBe("Missing for this payer: Last day.");
});
