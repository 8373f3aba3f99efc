import type { ServiceReview } from "#lib/task/model/service-review";
import type { Build, Call } from "#lib/payer/connector";
import { collectionUrl } from "./build.ts";
import { payerOf } from "./document.ts";

/** Asks for one review by its id at the clearinghouse. */
export function lookUp(destination: Build["destination"], id: string): Call {
  return get(`${collectionUrl(destination)}/${id}`);
}

/**
 * Searches for an unconfirmed request by payer, member, requester and dates. The contract requires member data in the query of
 * the address; it is sent only over TLS and never logged.
 */
export function search(destination: Build["destination"], review: ServiceReview): Call {
  const { subscriber, patient, requestingProvider } = review;
  const wanted = {
    "payer.id": payerOf(review, destination).id,
    "requestingProvider.npi": requestingProvider?.npi,
    "subscriber.memberId": subscriber?.memberId,
    "patient.lastName": patient?.lastName,
    "patient.firstName": patient?.firstName,
    "patient.birthDate": patient?.birthDate,
    "patient.subscriberRelationshipCode": patient?.subscriberRelationshipCode,
    requestTypeCode: review.requestTypeCode ?? "HS",
    fromDate: review.fromDate,
    toDate: review.toDate,
  };
  const query = new URLSearchParams(
    Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return get(`${collectionUrl(destination)}?${query.toString()}`);
}

function get(url: string): Call {
  return { method: "GET", url, contentType: "application/json", body: new Uint8Array() };
}
