import type { CodeSystem } from "#lib/task/model/formats";
import type { PasVersion } from "./settings.ts";

const pas = "http://hl7.org/fhir/us/davinci-pas";
const profile = (name: string) => `${pas}/StructureDefinition/profile-${name}`;
const extension = (name: string) => `${pas}/StructureDefinition/extension-${name}`;
const x12 = (list: string) => `https://codesystem.x12.org/005010/${list}`;

/** Profiles of PAS (hl7.fhir.us.davinci-pas), under the same addresses in 2.0.1 and 2.2.1. */
export const profiles = {
  requestBundle: profile("pas-request-bundle"),
  inquiryBundle: profile("pas-inquiry-request-bundle"),
  claim: profile("claim"),
  claimUpdate: profile("claim-update"),
  claimInquiry: profile("claim-inquiry"),
  requestor: profile("requestor"),
  insurer: profile("insurer"),
  organization: profile("organization"),
  coverage: profile("coverage"),
  subscriber: profile("subscriber"),
  beneficiary: profile("beneficiary"),
  practitioner: profile("practitioner"),
  practitionerRole: profile("practitionerrole"),
  encounter: profile("encounter"),
  location: profile("location"),
  serviceRequest: profile("servicerequest"),
  deviceRequest: profile("devicerequest"),
  medicationRequest: profile("medicationrequest"),
  nutritionOrder: profile("nutritionorder"),
} as const;

/** A document's profile: PAS had none of its own before 2.2. */
export const documentProfiles = {
  "2.0.1": "http://hl7.org/fhir/us/core/StructureDefinition/us-core-documentreference",
  "2.2.1": profile("documentreference"),
} as const satisfies Record<PasVersion, string>;

/** Extensions of PAS. */
export const extensions = {
  transmissionIdentifiers: extension("TransmissionIdentifiers"),
  levelOfServiceCode: extension("levelOfServiceCode"),
  infoChanged: extension("infoChanged"),
  infoCancelled: `${pas}/StructureDefinition/modifierextension-infoCancelled`,
  documentInformation: extension("documentInformation"),
  careTeamClaimScope: extension("careTeamClaimScope"),
  diagnosisRecordedDate: extension("diagnosisRecordedDate"),
  conditionCode: extension("conditionCode"),
  homeHealthCareInformation: extension("homeHealthCareInformation"),
  /** Of FHIR R5, where a Claim names its encounter. */
  encounter: "http://hl7.org/fhir/5.0/StructureDefinition/extension-Claim.encounter",
  patientStatus: extension("patientStatus"),
  nursingHomeResidentialStatus: extension("nursingHomeResidentialStatus"),
  nursingHomeLevelOfCare: extension("nursingHomeLevelOfCare"),
  epsdtIndicator: extension("epsdtIndicator"),
  productOrServiceCodeEnd: extension("productOrServiceCodeEnd"),
  revenueUnitRateLimit: extension("revenueUnitRateLimit"),
  requestedService: extension("requestedService"),
  serviceItemRequestType: extension("serviceItemRequestType"),
  certificationType: extension("certificationType"),
  administrationReferenceNumber: extension("administrationReferenceNumber"),
  authorizationNumber: extension("authorizationNumber"),
  reviewAction: extension("reviewAction"),
  reviewActionCode: extension("reviewActionCode"),
  itemPreAuthIssueDate: extension("itemPreAuthIssueDate"),
  itemPreAuthPeriod: extension("itemPreAuthPeriod"),
  /** Of PAS 1, which payers may still send. */
  itemAuthorizedDate: extension("itemAuthorizedDate"),
  admissionDates: extension("admissionDates"),
  dischargeDate: extension("dischargeDate"),
  itemAuthorizedDetail: extension("itemAuthorizedDetail"),
  itemAuthorizedProvider: extension("itemAuthorizedProvider"),
  claimResponseReviewer: extension("claimResponseReviewer"),
  errorPath: extension("errorPath"),
  errorFollowupAction: extension("errorFollowupAction"),
  errorElement: extension("errorElement"),
  serviceLineNumber: extension("serviceLineNumber"),
  itemRequestedServiceDate: extension("itemRequestedServiceDate"),
  itemTraceNumber: extension("itemTraceNumber"),
} as const;

/** Code and identifier systems, as the official PAS examples and value sets name them. */
export const systems = {
  uri: "urn:ietf:rfc:3986",
  npi: "http://hl7.org/fhir/sid/us-npi",
  taxId: "http://terminology.hl7.org/NamingSystem/USEIN",
  identifierType: "http://terminology.hl7.org/CodeSystem/v2-0203",
  payerIdType: "http://hl7.org/fhir/us/carin-bb/CodeSystem/C4BBIdentifierType",
  taxonomy: "http://nucc.org/provider-taxonomy",
  claimType: "http://terminology.hl7.org/CodeSystem/claim-type",
  priority: "http://terminology.hl7.org/CodeSystem/processpriority",
  relatedClaim: "http://terminology.hl7.org/CodeSystem/ex-relatedclaimrelationship",
  documentCategory: "http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category",
  relationship: "http://terminology.hl7.org/CodeSystem/subscriber-relationship",
  temporary: `${pas}/CodeSystem/PASTempCodes`,
  icd10cm: "http://hl7.org/fhir/sid/icd-10-cm",
  placeOfService: "https://www.cms.gov/Medicare/Coding/place-of-service-codes/Place_of_Service_Code_Set",
  participation: "http://terminology.hl7.org/CodeSystem/v3-ParticipationType",
  dataAbsent: "http://terminology.hl7.org/CodeSystem/data-absent-reason",
  entity: x12("98"),
  prognosis: x12("923"),
  conditionCategory: x12("1136"),
  condition: x12("1321"),
  /** The teeth as X12 TOO01 JP has them; FHIR's own example system numbers them otherwise. */
  tooth: "http://terminology.hl7.org/CodeSystem/ADAUniversalToothDesignationSystem",
  accident: x12("1362"),
  nursingHomeLevelOfCare: x12("1337"),
  nursingHomeResidentialStatus: x12("1345"),
  encounterClass: "http://terminology.hl7.org/CodeSystem/v3-ActCode",
  coverageClass: "http://terminology.hl7.org/CodeSystem/coverage-class",
  admissionType: "https://www.nubc.org/CodeSystem/PriorityTypeOfAdmitOrVisit",
  admissionSource: "https://www.nubc.org/CodeSystem/PointOfOrigin",
  patientStatus: "https://www.nubc.org/CodeSystem/PatDischargeStatus",
  language: "urn:ietf:bcp:47",
  reviewAction: x12("306"),
  quantity: x12("673"),
  reportTransmission: x12("756"),
  relationshipX12: x12("1069"),
  attachment: x12("755"),
  loinc: "http://loinc.org",
  certification: x12("1322"),
  serviceLevel: x12("1338"),
  serviceType: x12("1365"),
  requestType: x12("1525"),
} as const;

/** Revenue codes of NUBC (value set AHANUBCRevenueCodes), whose system is another in each version. */
export const revenueSystems = {
  "2.0.1": "https://www.nubc.org/revenue-code",
  "2.2.1": "https://www.nubc.org/CodeSystem/RevenueCodes",
} as const satisfies Record<PasVersion, string>;

/** Where a procedure code of each known form lives; PAS sends HCPCS level I as CPT or HCPCS, level II as HCPCS. */
export const procedureSystems = {
  CPT: "http://www.ama-assn.org/go/cpt",
  HCPCS: "http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets",
  "ICD-10-PCS": "http://www.cms.gov/Medicare/Coding/ICD10",
  NDC: "http://hl7.org/fhir/sid/ndc",
} as const satisfies Record<CodeSystem, string>;

/**
 * On every bundle of a test route: FHIR's own tag for "this is test data"
 * (v3-ActReason HTEST, FHIR R4 security labels). An answer need not repeat it.
 */
export const testMarker = {
  system: "http://terminology.hl7.org/CodeSystem/v3-ActReason",
  code: "HTEST",
} as const;

/** What a subscription to decisions is to (PAS "Subscription"). */
export const pasTopic = "http://hl7.org/fhir/us/davinci-pas/SubscriptionTopic/PASSubscriptionTopic";
