/** The path of the collection under a route's base address. */
export const collection = "/v2/service-reviews";

/** On every answer of a demo plan, and on none of a live one; both share one host. */
export const testMarker = { header: "x-api-mock-response", value: "true" } as const;

/** Values of a review's `statusCode` that state the progress of the exchange with the payer, not the decision. */
export const progress = {
  "0": "working",
  R1: "working",
  "4": "complete",
  "19": "refused",
  "400": "refused",
} as const;

/** The members that an update may change; all others stay as in the first request. */
export const updatable = [
  "serviceLevelCode",
  "placeOfServiceCode",
  "fromDate",
  "toDate",
  "quantity",
  "quantityTypeCode",
  "renderingProviders",
  "diagnoses",
  "procedures",
  "providerNotes",
] as const;

const noteStart = "Trace number ";

/**
 * The provider note that carries our trace number: the wire has no member for
 * a client's own, and this is the only text of ours that it hands back.
 */
export function traceNote(trace: string): string {
  return `${noteStart}${trace}`;
}

/** The trace number in a provider note of ours. */
export function traceIn(note: string): string | undefined {
  return note.startsWith(noteStart) ? note.slice(noteStart.length) : undefined;
}

/** An id as the clearinghouse assigns it; anything else is no id and never becomes part of an address. */
export function isReviewId(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/.test(text);
}
