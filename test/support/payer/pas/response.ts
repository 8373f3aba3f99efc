import type { LineTerms } from "#lib/task/model/determination";
import type { PayerAnswer } from "#lib/payer/connector";
import { answerOf } from "#lib/payer/pas-fhir/answer";
import type { FrozenRequest } from "#lib/payer/pas-fhir/frozen-request";
import { extensions, systems } from "#lib/payer/pas-fhir/vocabulary";
import { someCall } from "./build.ts";
import type { Json } from "./reply.ts";

/** What every item of these requests asks. */
export const terms: LineTerms = { code: "97110", quantity: 12, unit: "VS", from: "2026-12-01", to: "2026-12-31" };

/** A request of these items, as far as an answer is held against it. */
export function sentWith({
  items = [1, 2],
  cancelled = [],
}: { items?: number[]; cancelled?: number[] } = {}): FrozenRequest {
  return {
    call: someCall,
    bundleId: "urn:uuid:bundle",
    trace: { system: "urn:trnorg:9123456789", value: "task-1-T" },
    claimUrl: "urn:uuid:claim",
    patientUrl: "urn:uuid:patient",
    memberId: "M1000",
    patient: { names: [{ family: "Testperson", given: ["Robin"] }], sex: "female", birthDate: "1980-02-29" },
    test: false,
    items: new Map(items.map((sequence) => [sequence, terms])),
    providers: new Map(),
    cancelled: new Set(cancelled),
  };
}

/** A concept of one code. */
export const concept = (system: string, code: string) => ({ coding: [{ system, code }] });

/** An adjudication with this review action. */
export const review = (action: string, more: Json[] = []) => [
  {
    extension: [
      {
        url: extensions.reviewAction,
        extension: [
          { url: extensions.reviewActionCode, valueCodeableConcept: concept(systems.reviewAction, action) },
          ...more,
        ],
      },
    ],
  },
];

/** An item of a ClaimResponse. */
export const item = (itemSequence: number, action: string, members: Json = {}) => ({
  itemSequence,
  adjudication: review(action),
  ...members,
});

/** What is authorized instead: another procedure, fewer visits, fewer days. */
export const halved = {
  productOrService: { coding: [{ code: "97112" }] },
  quantity: { value: 6, code: "VS" },
  servicedPeriod: { start: "2026-12-01", end: "2026-12-15" },
};

/** What a reply with these members means for that request. */
export function meant(response: Json, sent: FrozenRequest = sentWith()): PayerAnswer {
  const resource = {
    resourceType: "ClaimResponse",
    status: "active",
    use: "preauthorization",
    patient: { reference: sent.patientUrl },
    request: { reference: sent.claimUrl },
    created: "2026-12-02T10:00:00-06:00",
    ...response,
  };
  const bundle = { resourceType: "Bundle", type: "collection", entry: [{ fullUrl: "urn:uuid:1", resource }] };
  return answerOf(sent, {
    kind: "reply",
    status: 200,
    contentType: "application/fhir+json",
    headers: {},
    retryAfterMs: undefined,
    bytes: Buffer.from(JSON.stringify(bundle)),
  });
}

/** The lines of a decision; the type of any other answer. */
export const lines = (answer: PayerAnswer) => (answer.type === "decided" ? answer.determination.lines : answer.type);
