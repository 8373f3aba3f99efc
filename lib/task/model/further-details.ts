import { codeText } from "./code-words.ts";
import type { Procedure, Provider, ServiceReview } from "./service-review.ts";

/** One optional detail of a review: its label and its value. */
export type Detail = readonly [label: string, value: string];

type Maybe = readonly [label: string, value: string | number | undefined];

/** The coverage details of a review, beyond the member ID. */
export function coverageDetails({ coverage }: ServiceReview): readonly Detail[] {
  const { fromDate, toDate } = coverage ?? {};
  return known([
    ["Group", joined([coverage?.groupName, coverage?.groupNumber])],
    ["Plan", joined([coverage?.planName, coverage?.planNumber])],
    ["Line of business", coverage?.lineOfBusiness],
    ["Coverage from", fromDate],
    ["Coverage to", toDate],
  ]);
}

/** The details of stay, accident and the patient's situation, in the order of the sheet. */
export function furtherDetails(review: ServiceReview): readonly Detail[] {
  const { facility, accident, homeHealth, conditions = [] } = review;
  return known([
    ["Earlier authorization number", review.authorizationNumber],
    ["Admission type", worded("admissionType", review.admissionTypeCode)],
    ["Admission source", review.admissionSourceCode],
    ["Discharge date", review.dischargeDate],
    ["Patient status", review.patientStatusCode],
    ["Nursing home residential status", review.nursingHomeResidentialStatusCode],
    ["Facility", joined([facility?.name, facility?.npi && `NPI ${facility.npi}`, facility?.phone])],
    ["Facility address", facility && addressText(facility)],
    ["Accident", joined([accident?.date, accident?.typeCode, accident?.stateCode])],
    [
      "Home health",
      joined([homeHealth?.startDate, homeHealth?.prognosisCode && `prognosis ${homeHealth.prognosisCode}`]),
    ],
    ...conditions.map(({ categoryCode, applies, codes }): Maybe => [
      `Condition ${categoryCode}`,
      `${codes.join(", ")} ${applies ? "applies" : "does not apply"}`,
    ]),
    ["Reason for the retrospective request", review.retrospectiveReason],
    ["Reason for the emergency", review.emergencyReason],
    ...(review.fileTypes ?? []).map(({ fileName, loincCode, reportTypeCode }): Maybe => [
      `File ${fileName}`,
      joined([loincCode && `LOINC ${loincCode}`, reportTypeCode && `report type ${reportTypeCode}`]),
    ]),
  ]);
}

type Member = NonNullable<ServiceReview["subscriber"]> | NonNullable<ServiceReview["patient"]>;

/** The details of a member, beyond name and number. */
export function memberDetails(member: Member | undefined): readonly Detail[] {
  if (!member) return [];
  const { namePrefix, middleName, nameSuffix, phone, languageCode } = member;
  return known([
    ["Name prefix", namePrefix],
    ["Middle name", middleName],
    ["Name suffix", nameSuffix],
    ["Address", addressText(member)],
    ["Phone", phone],
    ["Language", languageCode],
    // Safe because only a patient has a birth order.
    ["Birth order", (member as NonNullable<ServiceReview["patient"]>).birthOrder],
  ]);
}

/** The details of a provider, beyond name, numbers and contact. */
export function providerDetails(provider: Provider): readonly Detail[] {
  return known([
    ["Middle name", provider.middleName],
    ["Role", provider.roleCode],
    ["Address", addressText(provider)],
  ]);
}

/** The details of one line, beyond code, quantity and dates. */
export function procedureDetails(procedure: Procedure): readonly Detail[] {
  const { order, unitPrice, revenueUnitRateLimit, epsdt } = procedure;
  return known([
    ["Code range to", procedure.codeEnd],
    ["Tooth", procedure.toothCode],
    ["Unit price", dollars(unitPrice)],
    ["Rendering NPIs", procedure.renderingProviderNpis?.join(", ")],
    ["Line number of the requester", procedure.traceNumber],
    ["Earlier authorization number", procedure.authorizationNumber],
    ["EPSDT", epsdt === undefined ? undefined : epsdt ? "yes" : "no"],
    ["Nursing home level of care", procedure.nursingHomeLevelOfCareCode],
    ["Nursing home residential status", procedure.nursingHomeResidentialStatusCode],
    ["Revenue unit rate limit", dollars(revenueUnitRateLimit)],
    ["Order", order && joined([order.type, order.date, order.directions])],
  ]);
}

type Located = Pick<Provider, "addressLine1" | "addressLine2" | "city" | "stateCode" | "zipCode">;

function addressText({ addressLine1, addressLine2, city, stateCode, zipCode }: Located): string | undefined {
  return joined([addressLine1, addressLine2, city, joined([stateCode, zipCode], " ")]);
}

function worded(kind: Parameters<typeof codeText>[0], code: string | undefined): string | undefined {
  return code === undefined ? undefined : codeText(kind, code);
}

function dollars(amount: number | undefined): string | undefined {
  return amount === undefined ? undefined : `$${amount.toFixed(2)}`;
}

function joined(parts: readonly (string | undefined)[], by = ", "): string | undefined {
  const present = parts.filter((each) => each !== undefined && each !== "");
  return present.length > 0 ? present.join(by) : undefined;
}

function known(list: readonly Maybe[]): readonly Detail[] {
  return list.flatMap(([label, value]) => (value === undefined || value === "" ? [] : [[label, `${value}`] as const]));
}
