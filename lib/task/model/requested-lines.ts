import type { LineTerms } from "./determination.ts";
import type { Procedure, ServiceReview } from "./service-review.ts";

/** What is requested on each line, in order. A line without quantity, dates or providers has those of the request. */
export function requestedLines(review: ServiceReview): readonly LineTerms[] {
  const rendering = (review.renderingProviders ?? []).flatMap(({ npi, taxId }) => npi ?? taxId ?? []);
  return review.procedures.map((line) => {
    const counted = line.quantity === undefined ? review : line;
    const dated = line.fromDate === undefined && line.toDate === undefined ? review : line;
    return {
      code: line.code,
      quantity: counted.quantity,
      unit: counted.quantityTypeCode,
      from: dated.fromDate,
      to: dated.toDate,
      ...providedBy(line.renderingProviderNpis ?? rendering),
      ...(review.placeOfServiceCode === undefined ? {} : { place: review.placeOfServiceCode }),
    };
  });
}

/** The providers of a line, each once; nothing where none is named. */
export function providedBy(ids: readonly string[]): Pick<LineTerms, "providers"> {
  return ids.length === 0 ? {} : { providers: [...new Set(ids)] };
}

/** The modifiers of a line, in their order. */
export function modifiersOf({
  modifierCode1,
  modifierCode2,
  modifierCode3,
  modifierCode4,
}: Procedure): readonly string[] {
  return [modifierCode1, modifierCode2, modifierCode3, modifierCode4].filter((code) => code !== undefined);
}
