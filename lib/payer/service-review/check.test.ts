import { expect, test } from "vitest";
import type { ServiceReview } from "#lib/task/model/service-review";
import { aReview } from "#test/support/payer/service-review/build";
import { check } from "./check.ts";

test("a complete review lacks nothing", () => {
  expect(check(aReview())).toEqual([]);
});

test("the smallest intake is told everything X12 278 needs, in the order of the sheet", () => {
  expect(check({ payer: { id: "P1" }, procedures: [{ code: "97110" }] })).toEqual([
    "/subscriber/memberId",
    "/patient/lastName",
    "/patient/firstName",
    "/patient/birthDate",
    "/patient/subscriberRelationshipCode",
    "/requestingProvider/npi",
    "/requestingProvider/lastName",
    "/diagnoses",
    "/serviceTypeCode",
    "/placeOfServiceCode",
    "/fromDate",
  ]);
});

const diagnoses = (count: number) => Array.from({ length: count }, () => ({ code: "M54.16" }));

test.each<[string, Partial<ServiceReview>, readonly string[]]>([
  [
    "a dependent needs the subscriber's name",
    { patient: { ...aReview().patient, subscriberRelationshipCode: "19" } },
    ["/subscriber/lastName", "/subscriber/firstName"],
  ],
  [
    "a rendering provider needs an NPI and a name",
    { renderingProviders: [{ npi: "1234567893", organizationName: "A" }, {}] },
    ["/renderingProviders/1/npi", "/renderingProviders/1/lastName"],
  ],
  [
    "a name of white space is none",
    {
      patient: { ...aReview().patient, firstName: " ", subscriberRelationshipCode: "19" },
      subscriber: { memberId: "M1000", lastName: "Testperson", firstName: "\t" },
      requestingProvider: { npi: "1234567893", organizationName: " " },
    },
    ["/subscriber/firstName", "/patient/firstName", "/requestingProvider/lastName"],
  ],
  ["twelve diagnoses fit", { diagnoses: diagnoses(12) }, []],
  ["a thirteenth is not cut off silently", { diagnoses: diagnoses(13) }, ["/diagnoses/12"]],
  [
    "one diagnosis is the principal one",
    {
      diagnoses: [
        { code: "M54.16", qualifierCode: "ABK" },
        { code: "I10", qualifierCode: "ABK" },
      ],
    },
    ["/diagnoses/1/qualifierCode"],
  ],
  ["nothing has to be changed of a renewal, which a person submits", { certificationTypeCode: "R" }, []],
  [
    "dates on every procedure will do",
    { fromDate: undefined, procedures: [{ code: "97110", fromDate: "2026-12-01" }] },
    [],
  ],
  [
    "a code of no known system needs its qualifier",
    { procedures: [{ code: "0SG00ZJ" }, { code: "LOCAL-1", qualifierCode: "ZZ" }] },
    ["/procedures/0/qualifierCode"],
  ],
  [
    "a quantity needs its unit, which nobody but the sender knows",
    {
      quantity: 2,
      procedures: [
        { code: "97110", quantity: 6 },
        { code: "97112", quantity: 1, quantityTypeCode: "UN" },
      ],
    },
    ["/quantityTypeCode", "/procedures/0/quantityTypeCode"],
  ],
])("%s", (_, members, expected) => {
  expect(check(aReview(members))).toEqual(expected);
});
