import canonicalize from "canonicalize";
import type { ClaimItem, ClaimDiagnosis, CodeableConcept, Extension, Quantity } from "fhir/r4";
import type { ServiceReview, Procedure } from "#lib/task/model/service-review";
import { added, cancelledItem, certificationOf, isCancelled, revisedItem, untouched } from "./marks.ts";
import type { PasVersion } from "./settings.ts";
import { extensions, procedureSystems, revenueSystems, systems } from "./vocabulary.ts";
import { codeSystemOf } from "#lib/task/model/formats";
import { assert } from "#lib/platform/result";
import { coded, concept, defined, described, timing } from "./parts.ts";
import type { CareTeamMember } from "./parties.ts";
import { modifiersOf } from "#lib/task/model/requested-lines";

/** The items of a first request, one for each procedure in its order. */
export function itemsOf(review: ServiceReview, context: ItemContext): ClaimItem[] {
  return review.procedures.map((procedure, index) => ({ ...itemOf(procedure, review, context), sequence: index + 1 }));
}

/**
 * The items of an update. Every item ever sent keeps its sequence, whether it is unchanged, changed or canceled, and new items
 * follow. A procedure continues an earlier item if code and modifiers are the same, among several the one with the same
 * dates; another code is a new item (PAS 2.2.1 "Updating Authorization Requests").
 */
export function itemsAfter(wanted: readonly ClaimItem[], before: readonly ClaimItem[]): ClaimItem[] {
  const successors = matchItems(
    wanted,
    before.filter((item) => !isCancelled(item)),
  );
  const last = Math.max(0, ...before.map(({ sequence }) => sequence));
  const fresh = wanted.filter((item) => ![...successors.values()].includes(item));
  return [
    ...before.map((item) => {
      if (isCancelled(item)) return untouched(item);
      const next = successors.get(item);
      return next ? requestedItem({ ...next, sequence: item.sequence }, item) : cancelledItem(item);
    }),
    ...fresh.map((item, index) => added({ ...item, sequence: last + 1 + index })),
  ];
}

/** Every item canceled, which is how PAS 2.0.1 cancels a whole request. */
export function itemsCancelled(before: readonly ClaimItem[]): ClaimItem[] {
  return before.map((item) => (isCancelled(item) ? untouched(item) : cancelledItem(item)));
}

/** Which wanted item continues which earlier one: the closest first, of equals the lowest sequence. */
function matchItems(wanted: readonly ClaimItem[], before: readonly ClaimItem[]): ReadonlyMap<ClaimItem, ClaimItem> {
  const successors = new Map<ClaimItem, ClaimItem>();
  const taken = new Set<ClaimItem>();
  for (const keyOf of [contentOf, datedService, service]) {
    for (const item of wanted.filter((each) => !taken.has(each))) {
      const earlier = before.find((each) => !successors.has(each) && keyOf(each) === keyOf(item));
      if (earlier) taken.add(successors.set(earlier, item) && item);
    }
  }
  return successors;
}

function requestedItem(item: ClaimItem, before: ClaimItem): ClaimItem {
  const types = [certificationOf(before), certificationOf(item)];
  const same = contentOf(item) === contentOf(before) && (types[0] === types[1] || types[0] === "S");
  return same ? untouched(before) : revisedItem(item, before);
}

/** The content of an item, without its sequence and the marks of an update. */
function contentOf({ sequence: _, modifierExtension: __, extension, ...item }: ClaimItem): string {
  const marks: readonly string[] = [extensions.infoChanged, extensions.certificationType];
  return canonicalize({ ...item, extension: (extension ?? []).filter(({ url }) => !marks.includes(url)) }) ?? "";
}

function datedService(item: ClaimItem): string {
  return canonicalize([service(item), item.servicedDate ?? null, item.servicedPeriod ?? null]) ?? "";
}

function service({ productOrService, modifier = [] }: ClaimItem): string {
  return canonicalize([productOrService.coding, modifier]) ?? "";
}

/** What the items of a Claim refer to. */
type ItemContext = {
  readonly version: PasVersion;
  readonly diagnoses: readonly ClaimDiagnosis[];
  readonly careTeam: readonly CareTeamMember[];
  /** The address of the order behind a procedure, where it names one. */
  readonly orders: ReadonlyMap<Procedure, string>;
  /** The number of an earlier authorization, for each procedure that has none of its own. */
  readonly authorizationNumber?: string | undefined;
};

/** One procedure as an item of a Claim, without the sequence it gets there. */
function itemOf(procedure: Procedure, review: ServiceReview, context: ItemContext): Omit<ClaimItem, "sequence"> {
  const { serviceTypeCode, placeOfServiceCode } = review;
  const from = procedure.fromDate ?? review.fromDate;
  assert(serviceTypeCode && placeOfServiceCode && from, "a complete review fills its items");
  const { unitPrice } = procedure;
  const modifier = modifiersOf(procedure).map((code) => concept(modifierSystem(code), code));
  return defined<Omit<ClaimItem, "sequence">>({
    extension: [...kindOf(review), ...numbersOf(procedure, review, context), ...detailsOf(procedure, context)],
    careTeamSequence: careTeamOf(procedure, context),
    diagnosisSequence: context.diagnoses.map((diagnosis) => diagnosis.sequence),
    revenue:
      procedure.revenueCode === undefined ? undefined : concept(revenueSystems[context.version], procedure.revenueCode),
    category: concept(systems.serviceType, serviceTypeCode),
    productOrService: serviceOf(procedure),
    modifier: modifier.length > 0 ? modifier : undefined,
    ...timing("serviced", from, procedure.fromDate === undefined ? review.toDate : procedure.toDate),
    locationCodeableConcept: concept(systems.placeOfService, placeOfServiceCode),
    quantity: quantityOf(procedure, review),
    bodySite: procedure.toothCode === undefined ? undefined : concept(systems.tooth, procedure.toothCode),
    unitPrice: unitPrice === undefined ? undefined : { value: unitPrice, currency: "USD" },
  });
}

/** What is asked for: a code in its system, with the agent's own description. Asks for a code of a known system. */
export function serviceOf({ code, description }: Procedure): CodeableConcept {
  return described(codeIn(code), description);
}

/** The end of a range of codes. */
export function codeEndOf({ codeEnd }: Procedure): Extension[] | undefined {
  if (codeEnd === undefined) return undefined;
  return [{ url: extensions.productOrServiceCodeEnd, valueCodeableConcept: codeIn(codeEnd) }];
}

/** How much of one procedure is asked for; that of the whole request where it has only one. */
export function quantityOf(
  procedure: Procedure,
  { quantity, quantityTypeCode, procedures }: ServiceReview,
): Quantity | undefined {
  const own = procedure.quantity !== undefined || procedures.length > 1;
  const value = own ? procedure.quantity : quantity;
  const code = own ? procedure.quantityTypeCode : quantityTypeCode;
  if (value === undefined) return undefined;
  // Without a unit from the agent none is sent: a guess of "units" would be wrong for days or visits.
  return code === undefined ? { value } : { value, system: systems.quantity, code };
}

/** X12 UM01 and UM02 of the item. */
function kindOf({ requestTypeCode = "HS", certificationTypeCode = "I" }: ServiceReview): readonly Extension[] {
  return [
    coded(extensions.serviceItemRequestType, systems.requestType, requestTypeCode),
    coded(extensions.certificationType, systems.certification, certificationTypeCode),
  ];
}

/** The requester's own number of the line, and the number of an earlier authorization of the service. */
function numbersOf(procedure: Procedure, review: ServiceReview, context: ItemContext): readonly Extension[] {
  const { traceNumber, authorizationNumber = context.authorizationNumber } = procedure;
  const system = `urn:trnorg:${originatorOf(review)}`;
  return [
    ...(traceNumber === undefined
      ? []
      : [{ url: extensions.itemTraceNumber, valueIdentifier: { system, value: traceNumber } }]),
    ...(authorizationNumber === undefined
      ? []
      : [{ url: extensions.authorizationNumber, valueString: authorizationNumber }]),
  ];
}

function detailsOf(procedure: Procedure, { orders }: ItemContext): readonly Extension[] {
  const { epsdt, revenueUnitRateLimit } = procedure;
  const { nursingHomeLevelOfCareCode: level, nursingHomeResidentialStatusCode: status } = procedure;
  const order = orders.get(procedure);
  return [
    ...(codeEndOf(procedure) ?? []),
    ...(epsdt === undefined ? [] : [{ url: extensions.epsdtIndicator, valueBoolean: epsdt }]),
    ...(status === undefined
      ? []
      : [coded(extensions.nursingHomeResidentialStatus, systems.nursingHomeResidentialStatus, status)]),
    ...(level === undefined ? [] : [coded(extensions.nursingHomeLevelOfCare, systems.nursingHomeLevelOfCare, level)]),
    ...(revenueUnitRateLimit === undefined
      ? []
      : [{ url: extensions.revenueUnitRateLimit, valueDecimal: revenueUnitRateLimit }]),
    ...(order === undefined ? [] : [{ url: extensions.requestedService, valueReference: { reference: order } }]),
  ];
}

/** The sequences of the care team members who do this service; none where all of them do. */
function careTeamOf({ renderingProviderNpis: npis = [] }: Procedure, { careTeam }: ItemContext): number[] | undefined {
  const sequences = careTeam.flatMap(({ npi }, index) => (npi !== undefined && npis.includes(npi) ? [index + 1] : []));
  return sequences.length > 0 ? sequences : undefined;
}

/** X12 TRN03: 1 and the tax id, or 9 and the NPI without its check digit, which names the same provider. */
export function originatorOf({ requestingProvider }: ServiceReview): string {
  assert(requestingProvider?.npi !== undefined, "a complete review names its requesting provider");
  const { npi, taxId } = requestingProvider;
  return taxId === undefined ? `9${npi.slice(0, 9)}` : `1${taxId}`;
}

function codeIn(code: string): CodeableConcept {
  const system = codeSystemOf(code);
  assert(system, "a complete review has codes of known systems");
  return concept(procedureSystems[system], code);
}

/** CPT modifiers are digits or A1 to A9-like physical status P1 to P6; the rest are HCPCS. */
function modifierSystem(code: string): string {
  return /^\d\d$|^P[1-6]$|^[1-4]P$/.test(code) ? procedureSystems.CPT : procedureSystems.HCPCS;
}
