import type { LineTerms } from "./determination.ts";
import type { ServiceReview } from "./service-review.ts";

/** What was asked for on each line, in order; where a line leaves quantity or dates out, those of the request hold. */
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
