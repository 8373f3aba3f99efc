import { expect, test } from "vitest";
import type { ServiceReview } from "#lib/task/model/service-review";
import { aReview } from "#test/support/payer/pas/build";
import { check } from "./check.ts";

test("a complete review lacks nothing", () => {
  expect(check(aReview())).toEqual([]);
});

test("the smallest intake is told everything PAS needs, in the order of the sheet", () => {
  expect(check({ payer: { id: "P1" }, procedures: [{ code: "97110" }] })).toEqual([
    "/subscriber/memberId",
    "/patient/lastName",
    "/patient/firstName",
    "/patient/birthDate",
    "/patient/genderCode",
    "/patient/subscriberRelationshipCode",
    "/requestingProvider/npi",
    "/requestingProvider/lastName",
    "/diagnoses",
    "/serviceTypeCode",
    "/placeOfServiceCode",
    "/fromDate",
  ]);
});

const dated = { code: "97110", fromDate: "2026-12-01" };
const diagnoses = (count: number) => Array.from({ length: count }, () => ({ code: "M54.16" }));
const providers = (count: number) =>
  Array.from({ length: count }, () => ({ npi: "1234567893", organizationName: "Elm Street" }));

test.each<[string, Partial<ServiceReview>, readonly string[]]>([
  ["an accident has its day", { accident: { typeCode: "AA" } }, ["/accident/date"]],
  ["home health has prognosis and start", { homeHealth: {} }, ["/homeHealth/prognosisCode", "/homeHealth/startDate"]],
  ["what is said of a stay needs its admission type", { admissionSourceCode: "5" }, ["/admissionTypeCode"]],
  [
    "a facility without a stay is one of the fourteen of the care team",
    { renderingProviders: providers(14), facility: { name: "Elm Street Hospital" } },
    ["/facility"],
  ],
  ["a facility alone needs no stay", { facility: { name: "Elm Street Hospital" } }, []],
  ["nobody is discharged before admission", { dischargeDate: "2026-11-30" }, ["/dischargeDate"]],
  [
    "a line names rendering providers of the request alone",
    { procedures: [{ ...dated, renderingProviderNpis: ["1679576722"] }] },
    ["/procedures/0/renderingProviderNpis"],
  ],
  [
    "a range of codes begins and ends in one system",
    { procedures: [{ ...dated, codeEnd: "E0601" }] },
    ["/procedures/0/codeEnd"],
  ],
  [
    "a dependent needs the subscriber's name",
    { patient: { ...aReview().patient, subscriberRelationshipCode: "19" } },
    ["/subscriber/lastName", "/subscriber/firstName"],
  ],
  ["an organization's name is a name", { requestingProvider: { npi: "1234567893", organizationName: "Elm" } }, []],
  [
    "a rendering provider needs an NPI and a name",
    { renderingProviders: [{ npi: "1234567893", lastName: "A" }, {}] },
    ["/renderingProviders/1/npi", "/renderingProviders/1/lastName"],
  ],
  ["12 diagnoses travel", { diagnoses: diagnoses(12) }, []],
  ["a thirteenth diagnosis blocks instead of being cut off", { diagnoses: diagnoses(13) }, ["/diagnoses/12"]],
  [
    "there is one principal diagnosis",
    {
      diagnoses: [
        { code: "M54.16", qualifierCode: "ABK" },
        { code: "M54.2", qualifierCode: "ABK" },
      ],
    },
    ["/diagnoses/1/qualifierCode"],
  ],
  ["dates on every procedure need no date of the whole", { fromDate: undefined, procedures: [dated] }, []],
  [
    "one procedure without a date needs one",
    { fromDate: undefined, procedures: [dated, { code: "97112" }] },
    ["/fromDate"],
  ],
  [
    "a code of no known system cannot travel",
    { procedures: [{ code: "0W3P8ZZ" }, { code: "not-a-code" }] },
    ["/procedures/1/code"],
  ],
  [
    "a quantity for several procedures together has no place",
    { quantity: 3, procedures: [dated, { ...dated, quantity: 1 }] },
    ["/procedures/0/quantity"],
  ],
  [
    "a name of white space is none",
    { patient: { ...aReview().patient, firstName: " " }, requestingProvider: { npi: "1234567893", lastName: " " } },
    ["/patient/firstName", "/requestingProvider/lastName"],
  ],
  [
    "an admission needs its own dates",
    { requestTypeCode: "AR", fromDate: undefined, procedures: [dated] },
    ["/fromDate"],
  ],
  [
    "a period does not end before it starts",
    { toDate: "2026-11-30", procedures: [{ ...dated, toDate: "2026-11-30" }] },
    ["/toDate", "/procedures/0/toDate"],
  ],
  ["an end needs its start", { procedures: [{ code: "97110", toDate: "2026-12-31" }] }, ["/procedures/0/fromDate"]],
  ["a revision is no request", { certificationTypeCode: "S" }, ["/certificationTypeCode"]],
  ["a cancellation is no request", { certificationTypeCode: "3" }, ["/certificationTypeCode"]],
  ["an immediate appeal says how urgent it is", { certificationTypeCode: "1" }, ["/serviceLevelCode"]],
  ["and then it can go", { certificationTypeCode: "1", serviceLevelCode: "U" }, []],
  ["14 rendering providers travel", { renderingProviders: providers(14) }, []],
  ["a fifteenth does not", { renderingProviders: providers(15) }, ["/renderingProviders/14"]],
  ["a quantity of the whole is that of its one procedure", { quantity: 3, procedures: [dated] }, []],
])("%s", (_, members, missing) => {
  expect(check(aReview(members))).toEqual(missing);
});
