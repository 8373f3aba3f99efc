import type { Claim, ClaimItem, ClaimSupportingInfo } from "fhir/r4";
import {
  areCounted,
  at,
  claimIn,
  codeOf,
  everything,
  extensionOf,
  guide,
  isDay,
  submissions,
  type Rule,
} from "./rule.ts";

const absent = "http://terminology.hl7.org/CodeSystem/data-absent-reason";
const temporary = "http://hl7.org/fhir/us/davinci-pas/CodeSystem/PASTempCodes";
const x12 = (list: string) => `https://codesystem.x12.org/005010/${list}`;
const serviceSystems = [
  "http://www.ama-assn.org/go/cpt",
  "http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets",
  "http://www.cms.gov/Medicare/Coding/ICD10",
  "http://hl7.org/fhir/sid/ndc",
];

/** PAS profile-claim and profile-claim-inquiry: what every Claim has. */
export const claimRules: readonly Rule[] = [
  {
    name: "the Claim is an active preauthorization of a known type and priority",
    kinds: everything,
    isMet: ({ bundle }) => {
      const { status, use, type, priority, created } = claimIn(bundle);
      const kind = codeOf(type, "http://terminology.hl7.org/CodeSystem/claim-type") ?? "";
      return (
        status === "active" &&
        use === "preauthorization" &&
        ["institutional", "professional", "oral"].includes(kind) &&
        codeOf(priority, "http://terminology.hl7.org/CodeSystem/processpriority") !== undefined &&
        Boolean(created)
      );
    },
  },
  {
    name: "the Claim has one trace number with its system",
    kinds: everything,
    isMet: ({ bundle }) => {
      const [trace, ...more] = claimIn(bundle).identifier ?? [];
      return /^urn:trnorg:[19]\d{9}$/.test(trace?.system ?? "") && Boolean(trace?.value) && more.length === 0;
    },
  },
  {
    name: "patient, payer, requester and coverage are there, each of its kind",
    kinds: everything,
    isMet: ({ bundle }) => {
      const { patient, insurer, provider, insurance }: Partial<Claim> = claimIn(bundle);
      const kindOf = (reference: string | undefined) => at(bundle, reference)?.resourceType ?? "";
      return (
        kindOf(patient?.reference) === "Patient" &&
        kindOf(insurer?.reference) === "Organization" &&
        ["Organization", "PractitionerRole"].includes(kindOf(provider?.reference)) &&
        insurance?.length === 1 &&
        insurance.every(({ focal, coverage }) => focal && kindOf(coverage.reference) === "Coverage")
      );
    },
  },
  {
    name: "every member of the care team says whether it is the whole claim's, and at most 14 are",
    kinds: submissions,
    isMet: ({ bundle }) => {
      const { careTeam = [] } = claimIn(bundle);
      return (
        areCounted(careTeam) &&
        careTeam.length <= 14 &&
        careTeam.every((member) => extensionOf(member, "careTeamClaimScope")?.valueBoolean !== undefined)
      );
    },
  },
  {
    name: "at most 12 diagnoses travel, each in ICD-10-CM, one of them principal",
    kinds: submissions,
    isMet: ({ bundle }) => {
      const { diagnosis = [] } = claimIn(bundle);
      const principals = diagnosis.filter(({ type }) => codeOf(type?.[0], temporary) === "principal");
      return (
        areCounted(diagnosis) &&
        diagnosis.length <= 12 &&
        principals.length <= 1 &&
        diagnosis.every(
          ({ diagnosisCodeableConcept: concept }) => codeOf(concept, "http://hl7.org/fhir/sid/icd-10-cm") !== undefined,
        )
      );
    },
  },
  {
    name: "supporting information is counted, and each piece is what its category says",
    kinds: submissions,
    isMet: ({ bundle }) => {
      const { supportingInfo = [] } = claimIn(bundle);
      const categories = supportingInfo.map(({ category }) => codeOf(category, temporary) ?? "");
      return (
        areCounted(supportingInfo) &&
        ["patientEvent", "admissionDates"].every((one) => categories.filter((each) => each === one).length <= 1) &&
        supportingInfo.every((line, index) => (shapes[categories[index] ?? ""] ?? (() => false))(line))
      );
    },
  },
  {
    name: "a document is referred to, and described as X12 PWK does",
    kinds: submissions,
    versions: ["2.2.1"],
    isMet: ({ bundle }) => documentLines(claimIn(bundle).supportingInfo).every(isDescribed),
  },
  {
    name: "a document is referred to, and nothing is said of it that 2.0.1 has no place for",
    kinds: submissions,
    versions: ["2.0.1"],
    isMet: ({ bundle }) =>
      documentLines(claimIn(bundle).supportingInfo).every((line) => !extensionOf(line, "documentInformation")),
  },
  {
    name: "there are items, counted, each with everything a service needs",
    kinds: submissions,
    isMet: ({ bundle }) => {
      const { item = [], diagnosis = [] } = claimIn(bundle);
      const known = diagnosis.map(({ sequence }) => sequence);
      return (
        item.length > 0 &&
        areCounted(item) &&
        item.every((each) => isService(each) && (each.diagnosisSequence ?? []).every((one) => known.includes(one)))
      );
    },
  },
  {
    name: "an inquiry asks about services by code, or about any, and says nothing clinical",
    kinds: ["inquiry"],
    isMet: ({ bundle }) => {
      const { item = [], diagnosis, accident, supportingInfo = [], related } = claimIn(bundle);
      const any = item.map(({ productOrService }) => codeOf(productOrService, absent) === "not-applicable");
      const isStated = any.includes(true) ? item.length === 1 : item.every(isCoded);
      return (
        item.length > 0 &&
        areCounted(item) &&
        isStated &&
        item.every(({ diagnosisSequence }) => diagnosisSequence === undefined) &&
        supportingInfo.every((each) => hasDates(each) && each.valueString === undefined && !each.valueReference) &&
        [diagnosis, accident, related].every((each) => each === undefined)
      );
    },
  },
];

const shapes: Readonly<Record<string, (line: ClaimSupportingInfo) => boolean>> = {
  patientEvent: hasDates,
  admissionDates: hasDates,
  dischargeDates: ({ timingDate }) => isDay(timingDate),
  freeFormMessage: ({ valueString = "" }) => valueString !== "" && Array.from(valueString).length <= 264,
  additionalInformation: ({ valueReference, timingDate, timingPeriod }) =>
    Boolean(valueReference?.reference) && timingDate === undefined && timingPeriod === undefined,
};

function hasDates({ timingDate, timingPeriod, valueString, valueReference }: ClaimSupportingInfo): boolean {
  const dated = isDay(timingDate) || (isDay(timingPeriod?.start) && isDay(timingPeriod?.end));
  return dated && valueString === undefined && valueReference === undefined;
}

function documentLines(lines: readonly ClaimSupportingInfo[] = []): readonly ClaimSupportingInfo[] {
  return lines.filter(({ category }) => codeOf(category, temporary) === "additionalInformation");
}

function isDescribed(line: ClaimSupportingInfo): boolean {
  const about = (line.extension ?? []).filter(({ url }) => url === `${guide}/extension-documentInformation`);
  const part = (name: string) => about[0]?.extension?.find(({ url }) => url === name);
  return (
    about.length === 1 &&
    codeOf(part("reportTypeCode")?.valueCodeableConcept, x12("755")) !== undefined &&
    codeOf(part("transmissionMethod")?.valueCodeableConcept, x12("756")) === "EL" &&
    Boolean(part("controlNumber")?.valueString)
  );
}

function isCoded({ productOrService }: ClaimItem): boolean {
  return serviceSystems.some((system) => codeOf(productOrService, system) !== undefined);
}

function isService(item: ClaimItem): boolean {
  const { category, locationCodeableConcept, servicedDate, servicedPeriod, quantity } = item;
  const coded = (name: string, list: string) =>
    codeOf(extensionOf(item, name)?.valueCodeableConcept, x12(list)) !== undefined;
  return (
    coded("serviceItemRequestType", "1525") &&
    coded("certificationType", "1322") &&
    codeOf(category, x12("1365")) !== undefined &&
    isCoded(item) &&
    (locationCodeableConcept?.coding ?? []).length === 1 &&
    (isDay(servicedDate) || (isDay(servicedPeriod?.start) && isDay(servicedPeriod?.end))) &&
    (quantity === undefined || ((quantity.value ?? 0) > 0 && [undefined, x12("673")].includes(quantity.system)))
  );
}
