import { expect, test } from "vitest";
import { missingSentence, missingText } from "./fields.ts";

test("what a request lacks is named as in the list of fields, and never by a JSON pointer", () => {
  expect(missingText("/subscriber/memberId")).toBe("Member ID");
  expect(missingText("/diagnoses/1")).toBe("Diagnosis 2");
  expect(missingText("/requestingProvider/npi")).toBe("Requesting provider, NPI");
  expect(missingText("/requestingProvider/taxId")).toBe("Requesting provider, tax ID");
});

test("a sentence names a few of the missing fields and counts the others", () => {
  expect(missingSentence(["/subscriber/memberId"])).toBe("Missing for this payer: Member ID.");
  const many = ["/fromDate", "/toDate", "/diagnoses", "/quantity", "/placeOfServiceCode", "/serviceTypeCode"];
  expect(missingSentence(many)).toBe("Missing for this payer: First day, Last day, Diagnoses, Quantity, and 2 more.");
});
