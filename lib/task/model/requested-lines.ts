import type { LineTerms } from "./determination.ts";
import type { ServiceReview } from "./service-review.ts";

/** What is requested on each line, in order. A line without quantity or dates has those of the request. */
export function requestedLines(review: ServiceReview): readonly LineTerms[] {
  return review.procedures.map((line) => {
    const counted = line.quantity === undefined ? review : line;
    const dated = line.fromDate === undefined && line.toDate === undefined ? review : line;
    return {
      code: line.code,
      quantity: counted.quantity,
      unit: counted.quantityTypeCode,
      from: dated.fromDate,
      to: dated.toDate,
    };
  });
}
