import canonicalize from "canonicalize";
import type { ClaimDiagnosis, ClaimItem } from "fhir/r4";
import { codeSystemOf } from "#lib/task/model/formats";
import { assert } from "#lib/platform/result";
import type { Procedure, ServiceReview } from "#lib/task/model/service-review";
import { coded, concept, described, timing } from "./coded.ts";
import { defined } from "./defined.ts";
import { added, cancelledItem, certificationOf, isCancelled, revisedItem, untouched } from "./marks.ts";
import { extensions, procedureSystems, systems } from "./vocabulary.ts";

/** The items of a first request, one for each procedure in its order. */
export function itemsOf(review: ServiceReview, diagnoses: readonly ClaimDiagnosis[]): ClaimItem[] {
  return review.procedures.map((procedure, index) => itemOf({ procedure, sequence: index + 1, review, diagnoses }));
}

/**
 * The items of an update: every item ever sent keeps its sequence, whether it
 * is asked as before, asked otherwise or no longer asked, and what is new
 * follows. A procedure is the one sent before when code and modifiers are the
 * same, of several the one with the same dates; another code is another item
 * (PAS 2.2.1 "Updating Authorization Requests").
 */
export function itemsAfter(wanted: readonly ClaimItem[], before: readonly ClaimItem[]): ClaimItem[] {
  const successors = matched(
    wanted,
    before.filter((item) => !isCancelled(item)),
  );
  const last = Math.max(0, ...before.map(({ sequence }) => sequence));
  const fresh = wanted.filter((item) => ![...successors.values()].includes(item));
  return [
    ...before.map((item) => {
      if (isCancelled(item)) return untouched(item);
      const next = successors.get(item);
      return next ? asked({ ...next, sequence: item.sequence }, item) : cancelledItem(item);
    }),
    ...fresh.map((item, index) => added({ ...item, sequence: last + 1 + index })),
  ];
}

/** Every item cancelled: how PAS 2.0.1 takes a whole request back. */
export function itemsCancelled(before: readonly ClaimItem[]): ClaimItem[] {
  return before.map((item) => (isCancelled(item) ? untouched(item) : cancelledItem(item)));
}

/** Which wanted item continues which earlier one: the closest first, of equals the lowest sequence. */
function matched(wanted: readonly ClaimItem[], before: readonly ClaimItem[]): ReadonlyMap<ClaimItem, ClaimItem> {
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

function asked(item: ClaimItem, before: ClaimItem): ClaimItem {
  const types = [certificationOf(before), certificationOf(item)];
  const same = contentOf(item) === contentOf(before) && (types[0] === types[1] || types[0] === "S");
  return same ? untouched(before) : revisedItem(item, before);
}

/** All an item asks, without its sequence and the marks an update puts on it. */
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

type Asked = {
  readonly procedure: Procedure;
  readonly sequence: number;
  readonly review: ServiceReview;
  readonly diagnoses: readonly ClaimDiagnosis[];
};

function itemOf({ procedure, sequence, review, diagnoses }: Asked): ClaimItem {
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
    sequence,
    diagnosisSequence: diagnoses.map((diagnosis) => diagnosis.sequence),
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

/** CPT modifiers are digits or A1 to A9-like physical status P1 to P6; the rest are HCPCS. */
function modifierSystem(code: string): string {
  return /^\d\d$|^P[1-6]$|^[1-4]P$/.test(code) ? procedureSystems.CPT : procedureSystems.HCPCS;
}
