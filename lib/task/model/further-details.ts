import { codeText } from "#lib/messages/labels/codes";
import { dayText } from "#lib/messages/labels/instant";
import { detailLabels as labels } from "#lib/messages/labels/details";
import { phoneText } from "#lib/messages/labels/phone-text";
import type { Procedure, Provider, ServiceReview } from "./service-review.ts";

/** One optional detail of a review: its label and its value. */
export type Detail = readonly [label: string, value: string];

type Maybe = readonly [label: string, value: string | number | undefined];

/** The coverage details of a review, beyond the member ID. */
export function coverageDetails({ coverage }: ServiceReview): readonly Detail[] {
  const { fromDate, toDate } = coverage ?? {};
  return known([
    [labels.group, joined([coverage?.groupName, coverage?.groupNumber])],
    [labels.plan, joined([coverage?.planName, coverage?.planNumber])],
    [labels.lineOfBusiness, coverage?.lineOfBusiness],
    [labels.coverageFrom, dayOf(fromDate)],
    [labels.coverageTo, dayOf(toDate)],
  ]);
}

/** The details of stay, accident and the patient's situation, in the order of the sheet. */
export function furtherDetails(review: ServiceReview): readonly Detail[] {
  const { facility, accident, homeHealth, conditions = [] } = review;
  return known([
    [labels.earlierAuthorizationNumber, review.authorizationNumber],
    [labels.admissionType, worded("admissionType", review.admissionTypeCode)],
    [labels.admissionSource, review.admissionSourceCode],
    [labels.dischargeDate, dayOf(review.dischargeDate)],
    [labels.patientStatus, review.patientStatusCode],
    [labels.nursingHomeResidentialStatus, review.nursingHomeResidentialStatusCode],
    [
      labels.facility,
      joined([facility?.name, facility?.npi && `NPI ${facility.npi}`, facility?.phone && phoneText(facility.phone)]),
    ],
    [labels.facilityAddress, facility && addressText(facility)],
    [labels.accident, joined([dayOf(accident?.date), accident?.typeCode, accident?.stateCode])],
    [
      labels.homeHealth,
      joined([dayOf(homeHealth?.startDate), homeHealth?.prognosisCode && labels.prognosis(homeHealth.prognosisCode)]),
    ],
    ...conditions.map(({ categoryCode, applies, codes }): Maybe => [
      labels.condition(categoryCode),
      `${codes.join(", ")} ${applies ? labels.applies : labels.doesNotApply}`,
    ]),
    [labels.reasonForTheRetrospectiveRequest, review.retrospectiveReason],
    [labels.reasonForTheEmergency, review.emergencyReason],
    ...(review.fileTypes ?? []).map(({ fileName, loincCode, reportTypeCode }): Maybe => [
      labels.file(fileName),
      joined([loincCode && `LOINC ${loincCode}`, reportTypeCode && labels.reportType(reportTypeCode)]),
    ]),
  ]);
}

type Member = NonNullable<ServiceReview["subscriber"]> | NonNullable<ServiceReview["patient"]>;

/** The details of a member, beyond name and number. */
export function memberDetails(member: Member | undefined): readonly Detail[] {
  if (!member) return [];
  const { namePrefix, middleName, nameSuffix, phone, languageCode } = member;
  return known([
    [labels.namePrefix, namePrefix],
    [labels.middleName, middleName],
    [labels.nameSuffix, nameSuffix],
    [labels.address, addressText(member)],
    [labels.phone, phone && phoneText(phone)],
    [labels.language, languageCode],
    // Safe because only a patient has a birth order.
    [labels.birthOrder, (member as NonNullable<ServiceReview["patient"]>).birthOrder],
  ]);
}

/** The details of a provider, beyond name, numbers and contact. */
export function providerDetails(provider: Provider): readonly Detail[] {
  return known([
    [labels.middleName, provider.middleName],
    [labels.role, provider.roleCode],
    [labels.address, addressText(provider)],
  ]);
}

/** The details of one line, beyond code, quantity and dates. */
export function procedureDetails(procedure: Procedure): readonly Detail[] {
  const { order, unitPrice, revenueUnitRateLimit, epsdt } = procedure;
  return known([
    [labels.codeRangeTo, procedure.codeEnd],
    [labels.tooth, procedure.toothCode],
    [labels.unitPrice, dollars(unitPrice)],
    [labels.renderingNPIs, procedure.renderingProviderNpis?.join(", ")],
    [labels.lineNumberOfTheRequester, procedure.traceNumber],
    [labels.earlierAuthorizationNumber, procedure.authorizationNumber],
    [labels.epsdt, epsdt === undefined ? undefined : epsdt ? labels.yes : labels.no],
    [labels.nursingHomeLevelOfCare, procedure.nursingHomeLevelOfCareCode],
    [labels.nursingHomeResidentialStatus, procedure.nursingHomeResidentialStatusCode],
    [labels.revenueUnitRateLimit, dollars(revenueUnitRateLimit)],
    [labels.order, order && joined([order.type, dayOf(order.date), order.directions])],
  ]);
}

type PostalAddress = Pick<Provider, "addressLine1" | "addressLine2" | "city" | "stateCode" | "zipCode">;

function addressText({ addressLine1, addressLine2, city, stateCode, zipCode }: PostalAddress): string | undefined {
  return joined([addressLine1, addressLine2, city, joined([stateCode, zipCode], " ")]);
}

function dayOf(isoDay: string | undefined): string | undefined {
  return isoDay === undefined ? undefined : dayText(isoDay);
}

function worded(kind: Parameters<typeof codeText>[0], code: string | undefined): string | undefined {
  return code === undefined ? undefined : codeText(kind, code);
}

/** With all the digits that were given: prices of a unit may be parts of a cent. */
const inDollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 20 });

function dollars(amount: number | undefined): string | undefined {
  return amount === undefined ? undefined : inDollars.format(`${amount}`);
}

function joined(parts: readonly (string | undefined)[], by = ", "): string | undefined {
  const present = parts.filter((each) => each !== undefined && each !== "");
  return present.length > 0 ? present.join(by) : undefined;
}

function known(list: readonly Maybe[]): readonly Detail[] {
  return list.flatMap(([label, value]) => (value === undefined || value === "" ? [] : [[label, `${value}`] as const]));
}
