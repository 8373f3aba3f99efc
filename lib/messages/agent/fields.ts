/** What a member of a service review says, and a value as an agent would send it. */
export type FieldText = {
  readonly says: string;
  readonly example: unknown;
  /** What a pattern cannot say: a calendar date, or a form in words. */
  readonly form?: string | undefined;
};

/** The form of a calendar date, which the published JSON Schema names too. */
export const dateForm = "date, YYYY-MM-DD";

/** Members that mean the same wherever they are. */
const anywhere = {
  addressLine1: { says: "Street and number", example: "410 Harbor Way" },
  addressLine2: { says: "Second line of the address", example: "Suite 200" },
  city: { says: "City", example: "Sioux Falls" },
  stateCode: { says: "State, by the two letters of the postal service", example: "SD" },
  zipCode: { says: "ZIP code", example: "57104" },
  phone: { says: "Telephone", example: "6055550118" },
  fax: { says: "Fax", example: "6055550119" },
  npi: { says: "National Provider Identifier", example: "2000481020", form: "ten digits with a valid check digit" },
  taxId: { says: "Tax ID without hyphens", example: "460000001" },
  lastName: { says: "Last name", example: "Haugen" },
  firstName: { says: "First name", example: "Berit" },
  middleName: { says: "Middle name", example: "Ann" },
  namePrefix: { says: "Title before the name", example: "Dr" },
  nameSuffix: { says: "Generation or title after the name", example: "Jr" },
  languageCode: { says: "Preferred language", example: "es-US" },
  organizationName: {
    says: "Name of an organization, in place of a person's",
    example: "Lakeshore Spine & Orthopedics",
  },
  specialtyCode: { says: "Specialty, as a taxonomy code", example: "207X00000X" },
  contactName: { says: "Whom the payer asks for", example: "Pat Lindgren" },
  roleCode: { says: "Role of a rendering provider (X12 98)", example: "72" },
  fromDate: { says: "First day", example: "2026-12-01", form: dateForm },
  toDate: { says: "Last day", example: "2027-01-30", form: dateForm },
  quantity: { says: "How many units", example: 1 },
  quantityTypeCode: {
    says: "Unit of the quantity (X12 673). Without one, pas-fhir submits none and service-review asks for it",
    example: "UN",
  },
  nursingHomeResidentialStatusCode: { says: "Residential status in a nursing home (X12 1345)", example: "2" },
  authorizationNumber: { says: "Number of an earlier authorization", example: "AUTH-591A061605" },
  description: { says: "What the code means, in your words", example: "MRI of the lower back" },
} as const satisfies Readonly<Record<string, FieldText>>;

/** Members by their JSON pointer in the service review; `[]` stands for any place in a list. */
const byPointer: Readonly<Record<string, FieldText>> = {
  "/payer/id": { says: "The payer, by the id that the practice's payer connection has", example: "HLHP1" },
  "/payer/name": { says: "The payer's name, for the reviewer", example: "Harborlight Health Plan" },
  "/requestTypeCode": { says: "What is asked for: services, an admission, specialty care (X12 1525)", example: "HS" },
  "/certificationTypeCode": { says: "First request, renewal, extension or change (X12 1322)", example: "I" },
  "/serviceTypeCode": { says: "Type of service (X12 1365)", example: "62" },
  "/placeOfServiceCode": { says: "Where it is done, by the CMS code", example: "22" },
  "/serviceLevelCode": { says: "How soon it is needed (X12 1338)", example: "U" },
  "/urgentAttestation": {
    says: "That, or why, it is urgent; for the reviewer, not submitted",
    example: "Foot drop since Monday",
  },
  "/subscriber/memberId": { says: "Member ID on the insurance card", example: "HL20551873" },
  "/patient/birthOrder": { says: "Order among children born together", example: 1 },
  "/patient/birthDate": { says: "Date of birth", example: "1971-05-19", form: dateForm },
  "/patient/genderCode": { says: "Gender as the payer has it (X12 1068)", example: "F" },
  "/patient/subscriberRelationshipCode": {
    says: "The patient's relationship to the subscriber (X12 1069)",
    example: "18",
  },
  "/coverage/lineOfBusiness": {
    says: "Such as `medicare-advantage`; may decide who reviews the request, and is not submitted",
    example: "medicare-advantage",
  },
  "/coverage/groupNumber": { says: "Group number", example: "G-4417" },
  "/coverage/groupName": { says: "Group name", example: "Prairie Schools" },
  "/coverage/planNumber": { says: "Plan number", example: "P-20" },
  "/coverage/planName": { says: "Plan name", example: "Harborlight Advantage" },
  "/diagnoses[]/code": { says: "ICD-10-CM code", example: "M54.16", form: "ICD-10-CM, with or without the dot" },
  "/diagnoses[]/qualifierCode": { says: "What kind of diagnosis it is (X12 1270)", example: "ABK" },
  "/diagnoses[]/description": { says: "What the code means, in your words", example: "Radiculopathy, lumbar region" },
  "/diagnoses[]/date": { says: "When it was diagnosed", example: "2026-10-12", form: dateForm },
  "/procedures[]/code": { says: "CPT, HCPCS, ICD-10-PCS or NDC code", example: "72148" },
  "/procedures[]/codeEnd": { says: "Last code of a range that begins with `code`", example: "72149" },
  "/procedures[]/qualifierCode": { says: "Code system, where the code does not say it (X12 235)", example: "HC" },
  "/procedures[]/modifierCode1": { says: "First modifier", example: "LT" },
  "/procedures[]/modifierCode2": { says: "Second modifier", example: "59" },
  "/procedures[]/modifierCode3": { says: "Third modifier", example: "GP" },
  "/procedures[]/modifierCode4": { says: "Fourth modifier", example: "KX" },
  "/procedures[]/revenueCode": { says: "Revenue code (NUBC)", example: "0610" },
  "/procedures[]/unitPrice": { says: "Price of a unit, in US dollars", example: 420 },
  "/procedures[]/renderingProviderNpis": {
    says: "Which of `renderingProviders` provide this service; all of them if absent",
    example: ["2000481020"],
  },
  "/procedures[]/traceNumber": { says: "Your own number for this line", example: "L-1" },
  "/procedures[]/epsdt": {
    says: "Early and Periodic Screening, Diagnostic and Treatment (42 CFR 441 subpart B)",
    example: false,
  },
  "/procedures[]/nursingHomeLevelOfCareCode": { says: "Level of care in a nursing home (X12 1337)", example: "1" },
  "/procedures[]/revenueUnitRateLimit": { says: "Highest price of a unit, in US dollars", example: 500 },
  "/procedures[]/toothCode": {
    says: "Tooth, in the universal numbering of the ADA, where the payer asks for it",
    example: "14",
  },
  "/procedures[]/order/type": { says: "What kind of order it is", example: "service" },
  "/procedures[]/order/date": { says: "When it was ordered", example: "2026-11-18", form: dateForm },
  "/procedures[]/order/directions": { says: "How a medication is taken, in words", example: "One tablet daily" },
  "/providerNotes[]/message": { says: "A note to the payer", example: "New foot drop after seven weeks of therapy." },
  "/providerNotes[]/date": { says: "Day the note was written; not submitted", example: "2026-11-18", form: dateForm },
  "/admissionTypeCode": {
    says: "Priority of an admission or visit (NUBC); then the request describes a stay",
    example: "3",
  },
  "/admissionSourceCode": { says: "Point of origin of an admission (NUBC)", example: "1" },
  "/patientStatusCode": { says: "Patient's status (NUBC)", example: "30" },
  "/dischargeDate": { says: "Expected day of discharge", example: "2026-12-04", form: dateForm },
  "/appeal/type": { says: "How a determination is contested; with the message's `taskId`", example: "reconsideration" },
  "/appeal/reason": { says: "Why it is contested", example: "Six weeks of therapy failed." },
  "/facility/name": { says: "Facility where the service is provided", example: "Prairie View Hospital" },
  "/accident/date": { says: "Day of the accident", example: "2026-11-02", form: dateForm },
  "/accident/typeCode": { says: "Kind of accident (X12 1362)", example: "AA" },
  "/conditions[]/categoryCode": { says: "What the condition is about (X12 1136)", example: "ZC" },
  "/conditions[]/applies": { says: "Whether the conditions apply", example: true },
  "/conditions[]/codes": { says: "The conditions (X12 1321)", example: ["01"] },
  "/homeHealth/prognosisCode": { says: "Prognosis (X12 923)", example: "3" },
  "/homeHealth/startDate": { says: "Start of home health care", example: "2026-12-01", form: dateForm },
  "/retrospectiveReason": { says: "Why it is asked after the service", example: "Admitted at night" },
  "/emergencyReason": { says: "What made it an emergency", example: "Loss of bladder control" },
  "/fileTypes[]/fileName": { says: "A file of the request, by the name it was sent with", example: "notes.pdf" },
  "/fileTypes[]/loincCode": {
    says: "What it is (LOINC); the code of the payer's request if it answers one",
    example: "11506-3",
  },
  "/fileTypes[]/reportTypeCode": {
    says: "What it is (X12 755, PWK01); the code of the payer's request if it answers one",
    example: "09",
  },
  "/externalReference": { says: "Your own reference; not submitted", example: "EHR-20931" },
};

/** What the member at this pointer says; undefined for one that nobody has described. */
export function fieldText(pointer: string): FieldText | undefined {
  const name = pointer.slice(pointer.lastIndexOf("/") + 1);
  const shared: Readonly<Record<string, FieldText>> = anywhere;
  return byPointer[pointer] ?? (Object.hasOwn(shared, name) ? shared[name] : undefined);
}
