import { codeSystemOf } from "#lib/task/model/formats";
import type { ServiceReview } from "#lib/task/model/service-review";
import { diagnosisNeeds, memberNeeds, needs, providersNeeds } from "#lib/payer/x12-needs";

/**
 * JSON pointers into the service review of what this wire still needs, in the
 * order of the sheet. Its contract requires nothing by itself; this is what X12
 * 278 needs under it. A pointer to something present names a value that cannot
 * travel, such as a thirteenth diagnosis.
 */
export function check(review: ServiceReview): readonly string[] {
  return [
    ...memberNeeds(review, { gender: false }),
    ...providersNeeds(review),
    ...diagnosisNeeds(review),
    ...needs([
      ["/serviceTypeCode", review.serviceTypeCode === undefined],
      ["/placeOfServiceCode", review.placeOfServiceCode === undefined],
      ["/fromDate", review.fromDate === undefined && review.procedures.some(({ fromDate }) => fromDate === undefined)],
      ["/quantityTypeCode", review.quantity !== undefined && review.quantityTypeCode === undefined],
    ]),
    ...procedureNeeds(review),
  ];
}

/**
 * HC says itself for CPT and HCPCS; what else a code is from, only its sender knows. So is the unit of a quantity: X12 has
 * no quantity without one, and "units" would be wrong for days or visits.
 */
function procedureNeeds({ procedures }: ServiceReview): readonly string[] {
  return procedures.flatMap(({ code, qualifierCode, quantity, quantityTypeCode }, index) => {
    const system = codeSystemOf(code);
    return needs([
      [`/procedures/${index}/qualifierCode`, qualifierCode === undefined && system !== "CPT" && system !== "HCPCS"],
      [`/procedures/${index}/quantityTypeCode`, quantity !== undefined && quantityTypeCode === undefined],
    ]);
  });
}
