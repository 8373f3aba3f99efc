import type { Provider, ServiceReview } from "#lib/task/model/service-review";
import { isDifferentPerson, personOf, type Person } from "#lib/payer/same-person";
import type { ReplyParty, Review } from "./reply.ts";

/** The request that a review is compared with, and the ids under which its payer was named. */
type AskedParties = { readonly requested: ServiceReview; readonly payers: readonly string[] };

/**
 * Whom a review speaks of, where that is not whom was asked about: the member
 * id must be repeated; payer, patient, subscriber and requester are compared as
 * far as both sides say who they are. Undefined where nothing speaks against it.
 */
export function otherParty(
  { payer, subscriber, patient, requestingProvider }: Review,
  { requested, payers }: AskedParties,
): "member" | "patient" | "requester" | "payer" | undefined {
  if (!isMember(subscriber?.memberId, requested.subscriber?.memberId)) return "member";
  if (patient && isOtherPatient(patient, requested.patient ?? {})) return "patient";
  if (subscriber && isDifferentPerson(subscriberOf(requested), personOf(subscriber))) return "member";
  if (isOtherProvider(requestingProvider, requested.requestingProvider)) return "requester";
  const stated = payer?.id?.trim().toUpperCase() ?? "";
  return stated === "" || payers.some((id) => id.trim().toUpperCase() === stated) ? undefined : "payer";
}

/** Another person, or one who is something else to the policy's holder. */
function isOtherPatient(
  stated: NonNullable<Review["patient"]>,
  requested: Partial<NonNullable<ServiceReview["patient"]>>,
) {
  const [theirs, ours] = [stated.subscriberRelationshipCode?.trim() ?? "", requested.subscriberRelationshipCode ?? ""];
  return (theirs !== "" && ours !== "" && theirs !== ours) || isDifferentPerson(personOf(requested), personOf(stated));
}

function isMember(stated: string | undefined, requested: string | undefined): boolean {
  return requested !== undefined && stated?.toUpperCase() === requested.toUpperCase();
}

/** The holder of the policy: X12 1069 has 18 for a patient who is that. */
function subscriberOf({ subscriber = {}, patient = {} }: ServiceReview): Person {
  const isNamed = subscriber.lastName !== undefined || subscriber.firstName !== undefined;
  return personOf(!isNamed && patient.subscriberRelationshipCode === "18" ? patient : subscriber);
}

/** Only where both name an NPI or a tax id, and none is the same. */
function isOtherProvider(stated: ReplyParty | undefined, requested: Provider | undefined): boolean {
  const [theirs, ours] = [stated, requested].map((provider) => numbersOf(provider ?? {}));
  if (!theirs?.length || !ours?.length) return false;
  return !theirs.some((id) => ours.includes(id));
}

/** What tells a provider apart: NPI and tax id, and the name alone where there is neither. */
export function idsOf(provider: ReplyParty): readonly string[] {
  const numbers = numbersOf(provider);
  return numbers.length > 0 ? numbers : nameOf(provider);
}

/** What each who is asked to provide the services may be told apart by; who asks, where no other is named by a number. */
export function requestedProviders({ requestingProvider, renderingProviders = [] }: ServiceReview): readonly string[] {
  const rendering = new Set(renderingProviders.flatMap(numbersOf));
  const isRequested = rendering.size === 0 || numbersOf(requestingProvider ?? {}).some((id) => rendering.has(id));
  const named = [...(requestingProvider && isRequested ? [requestingProvider] : []), ...renderingProviders];
  return named.flatMap((provider) => [
    ...numbersOf(provider),
    ...nameOf({ ...provider, lastName: provider.lastName ?? provider.organizationName }),
  ]);
}

function numbersOf({ npi, taxId }: ReplyParty): readonly string[] {
  return [npi, taxId].flatMap((id = "") => (id.trim() === "" ? [] : [id.trim()]));
}

function nameOf({ lastName, firstName }: ReplyParty): readonly string[] {
  const names = [lastName, firstName].flatMap((part = "") => (part.trim() === "" ? [] : [part.trim().toUpperCase()]));
  return names.length > 0 ? [names.join(", ")] : [];
}
