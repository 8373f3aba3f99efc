import type { RouteSettings } from "#lib/payer/model/destination";
import type { Build, Call } from "#lib/payer/connector";
import type { ServiceReview } from "#lib/task/model/service-review";

/** A review complete for PAS; what a test is about replaces its members. */
export function aReview(members: Partial<ServiceReview> = {}): ServiceReview {
  return {
    payer: { id: "P1000" },
    procedures: [{ code: "97110", quantity: 12, quantityTypeCode: "VS" }],
    serviceTypeCode: "PT",
    placeOfServiceCode: "11",
    fromDate: "2026-12-01",
    toDate: "2026-12-31",
    subscriber: { memberId: "M1000" },
    patient: {
      lastName: "Testperson",
      firstName: "Robin",
      birthDate: "1980-02-29",
      genderCode: "F",
      subscriberRelationshipCode: "18",
    },
    requestingProvider: { npi: "1234567893", lastName: "Sample", firstName: "Kim" },
    diagnoses: [{ code: "M54.16", qualifierCode: "ABK" }],
    ...members,
  };
}

type Members = Partial<Omit<Build, "destination">> & {
  readonly url?: string;
  readonly environment?: "live" | "test";
  readonly settings?: RouteSettings;
};

/** Everything `build` looks at, for a first request on a test route. */
export function aBuild({
  url = "https://payer.test/fhir",
  environment = "test",
  settings = {},
  ...members
}: Members = {}): Build {
  return {
    taskId: "019335d2-7a1c-7c3d-8a4b-1c2d3e4f5a6b",
    action: "transmit",
    update: false,
    revision: 1,
    review: aReview(),
    practice: { id: "elm-street", name: "Elm Street Physical Therapy", timeZone: "America/Chicago" },
    destination: {
      routeId: "route-1",
      version: 1,
      connector: "pas-fhir",
      payerId: "P1000",
      payerName: "Sample Health Plan",
      url,
      environment,
      settings,
    },
    attachments: [],
    sent: [],
    openedAt: new Date("2026-11-20T10:00:00.000Z"),
    ...members,
  };
}

/** A call of which only its identity matters. */
export const someCall: Call = { method: "POST", url: "", contentType: "", body: new Uint8Array() };
