/*
 * What the required bindings of PAS allow, as far as it may be shipped. Of code lists that X12, NUBC, CMS or the AMA license
 * only the system is known here; of those of HL7 the codes as well.
 */

/** A system, and its codes where they are ours to ship. */
type AllowedCodes = { readonly system?: string; readonly codes?: readonly string[] };

const x12 = (list: string): readonly AllowedCodes[] => [{ system: `https://codesystem.x12.org/005010/${list}` }];
const of = (...systems: readonly string[]): readonly AllowedCodes[] => systems.map((system) => ({ system }));
const codes = (...list: readonly string[]): readonly AllowedCodes[] => [{ codes: list }];

const hcpcs = "http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets";
const cpt = "http://www.ama-assn.org/go/cpt";
const temporary = "http://hl7.org/fhir/us/davinci-pas/CodeSystem/PASTempCodes";
const contactSystems = codes("phone", "fax", "email", "pager", "url", "sms", "other");
const contactUses = codes("home", "work", "temp", "old", "mobile");
const request = codes("draft", "active", "on-hold", "revoked", "completed", "entered-in-error", "unknown");

/** Value sets of PAS and of FHIR R4 by the last part of their address. */
const byName: Readonly<Record<string, readonly AllowedCodes[]>> = {
  X12278RequestedServiceType: [
    ...of(cpt, hcpcs, "http://www.cms.gov/Medicare/Coding/ICD10", "http://hl7.org/fhir/sid/ndc"),
    ...of("https://codesystem.x12.org/005010/1365", "http://terminology.hl7.org/CodeSystem/icd9cm"),
    { system: "http://terminology.hl7.org/CodeSystem/data-absent-reason", codes: ["not-applicable"] },
  ],
  X12278RequestedServiceModifierType: of(cpt, hcpcs),
  X12278NutritionEnteralFormulaType: of(hcpcs),
  X12278DiagnosisCodes: of("http://hl7.org/fhir/sid/icd-10-cm"),
  X12278DiagnosisInformationType: of("http://loinc.org"),
  X12278DiagnosisType: [{ system: temporary, codes: ["admitting", "principal", "patientreasonforvisit"] }],
  X12278LocationType: of(
    "https://www.nubc.org/CodeSystem/TypeOfBill",
    "https://www.cms.gov/Medicare/Coding/place-of-service-codes/Place_of_Service_Code_Set",
  ),
  X12278ConditionCategory: x12("1136"),
  X12278ConditionCode: x12("1321"),
  PASInformationChangeMode: [{ system: temporary, codes: ["changed", "added"] }],
  "pas-pwk01-attachment-report-type-code": x12("755"),
  ClaimTypes: [
    {
      system: "http://terminology.hl7.org/CodeSystem/claim-type",
      codes: ["institutional", "professional", "oral"],
    },
  ],
  "identifier-use": codes("usual", "official", "temp", "secondary", "old"),
  "address-use": codes("home", "work", "temp", "old", "billing"),
  "address-type": codes("postal", "physical", "both"),
  "contact-point-system": contactSystems,
  "contact-point-use": contactUses,
  "name-use": codes("usual", "official", "temp", "nickname", "anonymous", "old", "maiden"),
  "administrative-gender": codes("male", "female", "other", "unknown"),
  "claim-use": codes("claim", "preauthorization", "predetermination"),
  "fm-status": codes("active", "cancelled", "draft", "entered-in-error"),
  "request-status": request,
  "request-intent": codes("proposal", "plan", "directive", "order", "original-order", "instance-order", "option"),
  "encounter-status": codes("planned", "arrived", "triaged", "in-progress", "onleave", "finished", "cancelled"),
  "bundle-type": codes("document", "message", "collection", "batch", "transaction", "searchset", "history"),
  "location-status": codes("active", "suspended", "inactive"),
  "document-reference-status": codes("current", "superseded", "entered-in-error"),
};

/** Lists of X12 messages whose codes PAS takes from where others publish them. */
const elsewhere: Readonly<Record<string, string>> = {
  "127": "http://nucc.org/provider-taxonomy",
  "1314": "https://www.nubc.org/CodeSystem/PointOfOrigin",
  "1315": "https://www.nubc.org/CodeSystem/PriorityTypeOfAdmitOrVisit",
  "1352": "https://www.nubc.org/CodeSystem/PatDischargeStatus",
};

/** Revenue codes, whose system is another in each version of PAS. */
const revenue: Readonly<Record<string, string>> = {
  "2.0.1": "https://www.nubc.org/revenue-code",
  "2.2.1": "https://www.nubc.org/CodeSystem/RevenueCodes",
};

/** What a value set allows; undefined where nothing of it is known here. */
function allowedBy(version: string, valueSet: string): readonly AllowedCodes[] | undefined {
  const [url = ""] = valueSet.split("|");
  const name = url.slice(url.lastIndexOf("/") + 1);
  if (name === "AHANUBCRevenueCodes") return of(revenue[version] ?? "");
  if (!url.startsWith("https://valueset.x12.org/")) return byName[name];
  const system = elsewhere[name];
  return system === undefined ? x12(name) : of(system);
}

/** Whether a code, Coding or CodeableConcept is of a value set that is bound as required. */
export function isBound(version: string, valueSet: string, value: unknown): boolean {
  const allowed = allowedBy(version, valueSet);
  if (!allowed) return true;
  const codings = codingsOf(value);
  return codings.some(({ system, code }) =>
    allowed.some(
      (each) =>
        // A plain code has no system of its own.
        (each.system === undefined || typeof value === "string" || each.system === system) &&
        (each.codes === undefined || each.codes.includes(code)),
    ),
  );
}

type CodedValue = { readonly system: string | undefined; readonly code: string };

function codingsOf(value: unknown): readonly CodedValue[] {
  if (typeof value === "string") return [{ system: undefined, code: value }];
  if (typeof value !== "object" || value === null) return [];
  // Safe because an element with a binding is a code, a Coding or a CodeableConcept.
  const { coding, system, code = "" } = value as Partial<CodedValue> & { readonly coding?: readonly CodedValue[] };
  return coding ?? [{ system, code }];
}
