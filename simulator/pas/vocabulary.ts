import type { Node } from "#simulator/json";

/*
 * Written from the official PAS 2.2.1 examples and kept apart from the
 * connector's own list, so that an error in one is found by the other.
 */
const structure = "http://hl7.org/fhir/us/davinci-pas/StructureDefinition";

export const urls = {
  requestType: `${structure}/extension-serviceItemRequestType`,
  certificationType: `${structure}/extension-certificationType`,
  levelOfService: `${structure}/extension-levelOfServiceCode`,
  claimScope: `${structure}/extension-careTeamClaimScope`,
  reference: `${structure}/extension-administrationReferenceNumber`,
  authorization: `${structure}/extension-authorizationNumber`,
  reviewAction: `${structure}/extension-reviewAction`,
  reviewActionCode: `${structure}/extension-reviewActionCode`,
  issued: `${structure}/extension-itemPreAuthIssueDate`,
  period: `${structure}/extension-itemPreAuthPeriod`,
  reviewer: `${structure}/extension-claimResponseReviewer`,
  followUp: `${structure}/extension-errorFollowupAction`,
  errorPath: `${structure}/extension-errorPath`,
  infoChanged: `${structure}/extension-infoChanged`,
  infoCancelled: `${structure}/modifierextension-infoCancelled`,
  documentInformation: `${structure}/extension-documentInformation`,
  authorizedDetail: `${structure}/extension-itemAuthorizedDetail`,
  serviceLine: `${structure}/extension-serviceLineNumber`,
  senders: `${structure}/extension-TransmissionIdentifiers`,
  condition: `${structure}/extension-conditionCode`,
  homeHealth: `${structure}/extension-homeHealthCareInformation`,
  encounter: "http://hl7.org/fhir/5.0/StructureDefinition/extension-Claim.encounter",
  epsdt: `${structure}/extension-epsdtIndicator`,
  itemTrace: `${structure}/extension-itemTraceNumber`,
  levelOfCare: `${structure}/extension-nursingHomeLevelOfCare`,
  residentialStatus: `${structure}/extension-nursingHomeResidentialStatus`,
  rateLimit: `${structure}/extension-revenueUnitRateLimit`,
  requestedService: `${structure}/extension-requestedService`,
  codeEnd: `${structure}/extension-productOrServiceCodeEnd`,
} as const;

export const profileUrls = {
  response: `${structure}/profile-pas-response-bundle`,
  inquiryResponse: `${structure}/profile-pas-inquiry-response-bundle`,
  claimUpdate: `${structure}/profile-claim-update`,
  subscription: `${structure}/profile-subscription`,
  communicationRequest: `${structure}/profile-communicationrequest`,
  claimResponse: `${structure}/profile-claimresponse`,
  claimInquiryResponse: `${structure}/profile-claiminquiryresponse`,
} as const;

export const codes = {
  claimType: "http://terminology.hl7.org/CodeSystem/claim-type",
  priority: "http://terminology.hl7.org/CodeSystem/processpriority",
  adjudication: "http://terminology.hl7.org/CodeSystem/adjudication",
  supporting: "http://hl7.org/fhir/us/davinci-pas/CodeSystem/PASTempCodes",
  memberIdType: "http://terminology.hl7.org/CodeSystem/v2-0203",
  relatedClaim: "http://terminology.hl7.org/CodeSystem/ex-relatedclaimrelationship",
  loinc: "http://loinc.org",
  reportType: "https://codesystem.x12.org/005010/755",
  relationship: "https://codesystem.x12.org/005010/1069",
  serviceType: "https://codesystem.x12.org/005010/1365",
  requestType: "https://codesystem.x12.org/005010/1525",
  certification: "https://codesystem.x12.org/005010/1322",
  level: "https://codesystem.x12.org/005010/1338",
  quantity: "https://codesystem.x12.org/005010/673",
  action: "https://codesystem.x12.org/005010/306",
  reason: "https://codesystem.x12.org/external/886",
  reject: "https://codesystem.x12.org/005010/901",
  followUp: "https://codesystem.x12.org/005010/889",
  accident: "https://codesystem.x12.org/005010/1362",
  conditionCategory: "https://codesystem.x12.org/005010/1136",
  condition: "https://codesystem.x12.org/005010/1321",
  prognosis: "https://codesystem.x12.org/005010/923",
  levelOfCare: "https://codesystem.x12.org/005010/1337",
  residentialStatus: "https://codesystem.x12.org/005010/1345",
  ndc: "http://hl7.org/fhir/sid/ndc",
  tooth: "http://terminology.hl7.org/CodeSystem/ADAUniversalToothDesignationSystem",
} as const;

export const topicUrl = "http://hl7.org/fhir/us/davinci-pas/SubscriptionTopic/PASSubscriptionTopic";

export const npiSystem = "http://hl7.org/fhir/sid/us-npi";

/** PAS value set X12278RequestedServiceType. */
export const serviceSystems: readonly string[] = [
  "https://codesystem.x12.org/005010/1365",
  "http://www.ama-assn.org/go/cpt",
  "http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets",
  "http://www.cms.gov/Medicare/Coding/ICD10",
  "http://hl7.org/fhir/sid/ndc",
  "http://terminology.hl7.org/CodeSystem/data-absent-reason",
];

/** PAS value set X12278RequestedServiceModifierType. */
export const modifierSystems: readonly string[] = [
  "http://www.ama-assn.org/go/cpt",
  "http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets",
];

/** PAS value set X12278DiagnosisCodes, without the systems that ended in 2015. */
export const diagnosisSystems: readonly string[] = ["http://hl7.org/fhir/sid/icd-10-cm"];

/** PAS value set X12278LocationType. */
export const locationSystems: readonly string[] = [
  "https://www.cms.gov/Medicare/Coding/place-of-service-codes/Place_of_Service_Code_Set",
  "https://www.nubc.org/CodeSystem/TypeOfBill",
];

export const supportingCategories: readonly string[] = [
  "patientEvent",
  "admissionDates",
  "dischargeDates",
  "additionalInformation",
  "freeFormMessage",
];

/** On everything the simulator answers: this is test data. */
export const testTag = { system: "http://terminology.hl7.org/CodeSystem/v3-ActReason", code: "HTEST" } as const;

/** The profile a resource is of, and the mark of test data. */
export function metaOf(profile: string): Node {
  return { profile: [profile], tag: [{ ...testTag }] };
}

export function concept(system: string, code: string): Node {
  return { coding: [{ system, code }] };
}
