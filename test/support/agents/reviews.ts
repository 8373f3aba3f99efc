/** The interface document's smallest intake; this payer has no route, so it goes by hand. */
export const smallReview = { payer: { id: "60054" }, procedures: [{ code: "72148" }] };

/** All that a pas-fhir route needs. Invented people. */
export const fullReview = {
  payer: { id: "87042" },
  requestTypeCode: "HS",
  serviceTypeCode: "62",
  placeOfServiceCode: "22",
  fromDate: inDays(50),
  toDate: inDays(130),
  subscriber: { memberId: "HM4471029", lastName: "Okafor", firstName: "Adaeze" },
  patient: {
    lastName: "Okafor",
    firstName: "Adaeze",
    birthDate: "1979-04-02",
    genderCode: "F",
    subscriberRelationshipCode: "18",
  },
  requestingProvider: {
    npi: "1234567893",
    lastName: "Lindqvist",
    firstName: "Maja",
    taxId: "460112233",
    phone: "6055550142",
  },
  renderingProviders: [{ npi: "1234567893", lastName: "Lindqvist", firstName: "Maja" }],
  diagnoses: [{ code: "M54.16", qualifierCode: "ABK" }],
  procedures: [{ code: "72148", quantity: 1, quantityTypeCode: "UN" }],
};

/** The day so many days from today: what a review asks for lies ahead whenever the tests run, so no check finds it past. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
