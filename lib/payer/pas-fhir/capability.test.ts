import { expect, test } from "vitest";
import { takesSubmit } from "./capability.ts";

const listing = (operation: { name: string; definition?: string }, type = "Claim") => ({
  resourceType: "CapabilityStatement" as const,
  fhirVersion: "4.0.1",
  rest: [{ resource: [{ type, operation: [operation] }] }],
});

test.each([
  [{ name: "submit" }],
  [{ name: "$submit", definition: "http://hl7.org/fhir/OperationDefinition/Claim-submit" }],
  // As the guide's own CapabilityStatement lists it.
  [
    {
      name: "PAS Claim Request",
      definition: "http://hl7.org/fhir/us/davinci-pas/OperationDefinition/Claim-submit|2.2.1",
    },
  ],
])("an operation listed as %j is Claim/$submit", (operation) => {
  expect(takesSubmit(listing(operation))).toBe(true);
  expect(takesSubmit(listing(operation, "ClaimResponse"))).toBe(false);
});

test("no other operation on Claims is", () => {
  const inquiry = "http://hl7.org/fhir/us/davinci-pas/OperationDefinition/Claim-inquiry|2.2.1";
  expect(takesSubmit(listing({ name: "inquire", definition: inquiry }))).toBe(false);
});
