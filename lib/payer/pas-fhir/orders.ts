import canonicalize from "canonicalize";
import type { DeviceRequest, FhirResource, MedicationRequest, NutritionOrder, ServiceRequest, Timing } from "fhir/r4";
import type { Build } from "#lib/payer/connector";
import { nonBlank } from "#lib/payer/wire-text";
import type { Procedure, ServiceReview } from "#lib/task/model/service-review";
import { codeEndOf, quantityOf, serviceOf } from "./items.ts";
import type { Stay } from "./encounter.ts";
import type { Parties } from "./parties.ts";
import { defined, type Entry, namesOf, part } from "./parts.ts";
import { profiles } from "./vocabulary.ts";

/** The order behind each procedure that names one, by the procedure; `entries` holds each order once. */
export type Orders = {
  readonly references: ReadonlyMap<Procedure, string>;
  readonly entries: readonly Entry[];
};

/**
 * The orders of a request as resources of its bundle, which an item refers to as its requested service (PAS
 * extension-requestedService). An order is named by its content, so that an update names the same order alike.
 */
export function ordersOf(
  from: Build,
  { patient, requestor }: Pick<Parties, "patient" | "requestor">,
  { encounter }: Pick<Stay, "encounter">,
): Orders {
  const name = namesOf(from);
  const made = from.review.procedures.flatMap((procedure) => {
    const resource = orderOf(procedure, { from, patient, requestor, encounter });
    if (!resource) return [];
    const url = name(`order/${canonicalize(resource)}`);
    return [{ procedure, url, entries: part(url, resource).entries }];
  });
  const entries = new Map(made.flatMap((each) => each.entries.map((entry) => [entry.fullUrl, entry] as const)));
  return {
    references: new Map(made.map(({ procedure, url }) => [procedure, url])),
    entries: [...entries.values()],
  };
}

type Context = { readonly from: Build } & Pick<Parties, "patient" | "requestor"> & Pick<Stay, "encounter">;

function orderOf(procedure: Procedure, context: Context): FhirResource | undefined {
  switch (procedure.order?.type) {
    case undefined:
      return undefined;
    case "service":
      return serviceRequest(procedure, context);
    case "device":
      return deviceRequest(procedure, context);
    case "medication":
      return medicationRequest(procedure, context);
    case "nutrition":
      return nutritionOrder(procedure, context);
  }
}

function serviceRequest(procedure: Procedure, { from, patient, requestor }: Context): ServiceRequest {
  return defined<ServiceRequest>({
    resourceType: "ServiceRequest",
    meta: { profile: [profiles.serviceRequest] },
    extension: codeEndOf(procedure),
    status: "active",
    intent: "order",
    code: serviceOf(procedure),
    quantityQuantity: quantityOf(procedure, from.review),
    subject: patient,
    occurrenceTiming: timingOf(procedure, from.review),
    authoredOn: procedure.order?.date,
    requester: requestor,
  });
}

function deviceRequest(procedure: Procedure, { from, patient, requestor }: Context): DeviceRequest {
  return defined<DeviceRequest>({
    resourceType: "DeviceRequest",
    meta: { profile: [profiles.deviceRequest] },
    status: "active",
    intent: "order",
    codeCodeableConcept: serviceOf(procedure),
    subject: patient,
    occurrenceTiming: timingOf(procedure, from.review),
    authoredOn: procedure.order?.date,
    requester: requestor,
  });
}

function medicationRequest(procedure: Procedure, { from, patient, requestor, encounter }: Context): MedicationRequest {
  const directions = nonBlank(procedure.order?.directions);
  const quantity = quantityOf(procedure, from.review);
  return defined<MedicationRequest>({
    resourceType: "MedicationRequest",
    meta: { profile: [profiles.medicationRequest] },
    status: "active",
    intent: "order",
    reportedBoolean: false,
    medicationCodeableConcept: serviceOf(procedure),
    subject: patient,
    encounter,
    authoredOn: procedure.order?.date,
    requester: requestor,
    dosageInstruction:
      directions === undefined ? undefined : [defined({ text: directions, timing: timingOf(procedure, from.review) })],
    dispenseRequest: quantity && { quantity },
  });
}

/** FHIR demands the day of a nutrition order; where the agent gives none it is the day the request was made. */
function nutritionOrder(procedure: Procedure, { from, patient }: Context): NutritionOrder {
  return defined<NutritionOrder>({
    resourceType: "NutritionOrder",
    meta: { profile: [profiles.nutritionOrder] },
    status: "active",
    intent: "order",
    patient,
    dateTime: procedure.order?.date ?? from.openedAt.toISOString().slice(0, 10),
    enteralFormula: { baseFormulaType: serviceOf(procedure) },
  });
}

/** The days of an order as its service has them; how often within them is not in the interface. */
function timingOf(procedure: Procedure, review: ServiceReview): Timing | undefined {
  const start = procedure.fromDate ?? review.fromDate;
  const end = procedure.fromDate === undefined ? review.toDate : procedure.toDate;
  return start === undefined ? undefined : { repeat: { boundsPeriod: defined({ start, end: end ?? start }) } };
}
