import type {
  Bundle,
  Claim,
  ClaimDiagnosis,
  ClaimItem,
  ClaimSupportingInfo,
  CodeableConcept,
  Extension,
  Period,
} from "fhir/r4";
import { codeSystemOf } from "#lib/domain/formats";
import { assert } from "#lib/domain/result";
import type { Diagnosis, Procedure, ServiceReview } from "#lib/domain/service-review";
import type { Build, Call } from "#lib/payer/connector";
import { manualPacket } from "#lib/payer/manual";
import { piecesOf } from "#lib/payer/notes";
import { traceNumber, uuidOf } from "#lib/payer/trace";
import { check } from "./check.ts";
import { defined } from "./defined.ts";
import { namesOf, partiesOf, type Entry, type Parties } from "./parties.ts";
import { extensions, procedureSystems, profiles, systems, testMarker } from "./vocabulary.ts";

/**
 * The calls of one action: a `Claim/$submit` of a first request, as PAS 2.2.1
 * lays it out, or the sheet for a void, which goes by hand. Pure and
 * deterministic: identifiers derive from task, revision and action, the
 * timestamp is `openedAt`. Asks for a review that `check` has nothing against.
 */
export function build(from: Build): readonly Call[] {
  switch (from.action) {
    case "transmit":
      return [submit(from)];
    case "void":
      return [manualPacket(from)];
  }
}

/** The address of one PAS operation under a route's FHIR base. */
export function operationUrl({ url }: Build["destination"], operation: "$submit" | "$inquire"): string {
  assert(url !== undefined, "a PAS route has a base address");
  return `${url.replace(/\/+$/, "")}/Claim/${operation}`;
}

/** The system and value that name the action to the payer: X12 TRN03 as PAS writes it, and TRN02. */
function traceIdentifier(from: Pick<Build, "taskId" | "revision" | "action" | "review">): {
  system: string;
  value: string;
} {
  return { system: `urn:trnorg:${originator(from.review)}`, value: traceNumber(from) };
}

/** The tag that keeps test data apart; absent on a live route. */
function markerOf({ environment }: Build["destination"]): { tag?: { system: string; code: string }[] } {
  return environment === "test" ? { tag: [{ ...testMarker }] } : {};
}

function submit(from: Build): Call {
  assert(check(from.review).length === 0, "only a review complete for PAS is built");
  const parties = partiesOf(from);
  const claim: Entry = { fullUrl: namesOf(from)("claim"), resource: claimOf(from, parties) };
  const bundle: Bundle = {
    resourceType: "Bundle",
    meta: { profile: [profiles.requestBundle], ...markerOf(from.destination) },
    identifier: { system: systems.uri, value: `urn:uuid:${uuidOf(traceNumber(from))}` },
    type: "collection",
    timestamp: from.openedAt.toISOString(),
    // Safe because every entry was built from the resource type it names.
    entry: [claim, ...parties.entries] as NonNullable<Bundle["entry"]>,
  };
  return {
    method: "POST",
    url: operationUrl(from.destination, "$submit"),
    contentType: "application/fhir+json",
    body: Buffer.from(JSON.stringify(bundle, null, 2), "utf8"),
  };
}

function claimOf(from: Build, parties: Parties): Claim {
  const { review } = from;
  const urgent = review.serviceLevelCode === "U" || review.serviceLevelCode === "03";
  const level =
    review.serviceLevelCode && coded(extensions.levelOfServiceCode, systems.serviceLevel, review.serviceLevelCode);
  return defined<Claim>({
    resourceType: "Claim",
    meta: { profile: [profiles.claim] },
    extension: level ? [level] : undefined,
    identifier: [traceIdentifier(from)],
    status: "active",
    type: concept(systems.claimType, review.requestTypeCode === "AR" ? "institutional" : "professional"),
    use: "preauthorization",
    patient: parties.patient,
    created: from.openedAt.toISOString(),
    insurer: parties.insurer,
    provider: parties.requestor,
    priority: concept(systems.priority, urgent ? "stat" : "normal"),
    careTeam: parties.careTeam.length > 0 ? careTeamOf(parties) : undefined,
    supportingInfo: supportingInfoOf(review),
    diagnosis: (review.diagnoses ?? []).map((diagnosis, index) => diagnosisOf(diagnosis, index, review)),
    insurance: [{ sequence: 1, focal: true, coverage: parties.coverage }],
    item: review.procedures.map((procedure, index) => itemOf(procedure, index, review)),
  });
}

function careTeamOf({ careTeam }: Parties): NonNullable<Claim["careTeam"]> {
  return careTeam.map(({ provider, specialtyCode }, index) =>
    defined({
      extension: [{ url: extensions.careTeamClaimScope, valueBoolean: true }],
      sequence: index + 1,
      provider,
      qualification: specialtyCode === undefined ? undefined : concept(systems.taxonomy, specialtyCode),
    }),
  );
}

function supportingInfoOf(review: ServiceReview): ClaimSupportingInfo[] | undefined {
  const event = review.requestTypeCode === "AR" ? "admissionDates" : "patientEvent";
  const notes = (review.providerNotes ?? []).flatMap(({ message }) => piecesOf(message));
  const list = [
    ...(review.fromDate === undefined
      ? []
      : [{ category: concept(systems.temporary, event), ...timing("timing", review.fromDate, review.toDate) }]),
    ...notes.map((valueString) => ({ category: concept(systems.temporary, "freeFormMessage"), valueString })),
  ];
  return list.length > 0 ? list.map((information, index) => ({ sequence: index + 1, ...information })) : undefined;
}

/** The first diagnosis is the principal one where none is marked so; PAS has no code for "other". */
function diagnosisOf(
  { code, qualifierCode, description, date }: Diagnosis,
  index: number,
  { diagnoses = [] }: ServiceReview,
): ClaimDiagnosis {
  const marked = diagnoses.some((diagnosis) => diagnosis.qualifierCode === "ABK");
  const principal = qualifierCode === "ABK" || (!marked && index === 0 && qualifierCode === undefined);
  const type = principal ? "principal" : qualifierCode === "ABJ" ? "admitting" : undefined;
  return defined<ClaimDiagnosis>({
    extension: date === undefined ? undefined : [{ url: extensions.diagnosisRecordedDate, valueDate: date }],
    sequence: index + 1,
    diagnosisCodeableConcept: described(concept(systems.icd10cm, dotted(code)), description),
    type: type === undefined ? undefined : [concept(systems.temporary, type)],
  });
}

function itemOf(procedure: Procedure, index: number, review: ServiceReview): ClaimItem {
  const { serviceTypeCode, placeOfServiceCode, requestTypeCode = "HS", certificationTypeCode = "I" } = review;
  const from = procedure.fromDate ?? review.fromDate;
  const system = codeSystemOf(procedure.code);
  assert(serviceTypeCode && placeOfServiceCode && from && system, "a complete review fills its items");
  const modifiers = [
    procedure.modifierCode1,
    procedure.modifierCode2,
    procedure.modifierCode3,
    procedure.modifierCode4,
  ];
  const modifier = modifiers.flatMap((code) => (code === undefined ? [] : [concept(modifierSystem(code), code)]));
  return defined<ClaimItem>({
    extension: [
      coded(extensions.serviceItemRequestType, systems.requestType, requestTypeCode),
      coded(extensions.certificationType, systems.certification, certificationTypeCode),
    ],
    sequence: index + 1,
    diagnosisSequence: (review.diagnoses ?? []).map((_, at) => at + 1),
    revenue: procedure.revenueCode === undefined ? undefined : concept(systems.revenue, procedure.revenueCode),
    category: concept(systems.serviceType, serviceTypeCode),
    productOrService: described(concept(procedureSystems[system], procedure.code), procedure.description),
    modifier: modifier.length > 0 ? modifier : undefined,
    ...timing("serviced", from, procedure.fromDate === undefined ? review.toDate : procedure.toDate),
    locationCodeableConcept: concept(systems.placeOfService, placeOfServiceCode),
    quantity: quantityOf(procedure, review),
  });
}

function quantityOf(
  procedure: Procedure,
  { quantity, quantityTypeCode, procedures }: ServiceReview,
): ClaimItem["quantity"] {
  const own = procedure.quantity !== undefined || procedures.length > 1;
  const value = own ? procedure.quantity : quantity;
  const code = (own ? procedure.quantityTypeCode : quantityTypeCode) ?? "UN";
  return value === undefined ? undefined : { value, system: systems.quantity, code };
}

function timing<Name extends "timing" | "serviced">(name: Name, start: string, end: string | undefined) {
  // Safe because each name yields exactly the two members FHIR has for it.
  return (end === undefined ? { [`${name}Date`]: start } : { [`${name}Period`]: { start, end } }) as {
    [Key in `${Name}Date`]?: string;
  } & { [Key in `${Name}Period`]?: Period };
}

/** CPT modifiers are digits or A1 to A9-like physical status P1 to P6; the rest are HCPCS. */
function modifierSystem(code: string): string {
  return /^\d\d$|^P[1-6]$|^[1-4]P$/.test(code) ? procedureSystems.CPT : procedureSystems.HCPCS;
}

/** X12 TRN03: 1 and the tax id, or 9 and the NPI without its check digit, which names the same provider. */
function originator({ requestingProvider }: ServiceReview): string {
  assert(requestingProvider?.npi !== undefined, "a complete review names its requesting provider");
  const { npi, taxId } = requestingProvider;
  return taxId === undefined ? `9${npi.slice(0, 9)}` : `1${taxId}`;
}

function dotted(code: string): string {
  return code.length > 3 && !code.includes(".") ? `${code.slice(0, 3)}.${code.slice(3)}` : code;
}

function described(codeable: CodeableConcept, text: string | undefined): CodeableConcept {
  return text === undefined || text === "" ? codeable : { ...codeable, text };
}

function concept(system: string, code: string): CodeableConcept {
  return { coding: [{ system, code }] };
}

function coded(url: string, system: string, code: string): Extension {
  return { url, valueCodeableConcept: concept(system, code) };
}
