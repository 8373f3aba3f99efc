import type { Branch, ClaimResponse, Leaf } from "./resources.ts";
import { extensions } from "./vocabulary.ts";

/** What a decision rests on and PAS lets stand once in its place. */
const once: ReadonlySet<string> = new Set([
  extensions.administrationReferenceNumber,
  extensions.authorizationNumber,
  extensions.itemAuthorizedDate,
  extensions.itemAuthorizedDetail,
  extensions.itemPreAuthPeriod,
  extensions.itemRequestedServiceDate,
]);

/** The same of the members of an extension. */
const onceWithin: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [extensions.itemAuthorizedDetail, new Set(["quantity", "productOrServiceCode"])],
  [extensions.reviewAction, new Set([extensions.reviewActionCode, "number"])],
]);

/** Whether an answer says two different things in one place that holds one: then nobody knows which of them counts. */
export function statesTwice(response: ClaimResponse): boolean {
  const places = [response, ...(response.item ?? []), ...(response.addItem ?? [])];
  const adjudications = places.flatMap(({ adjudication = [] }) => adjudication);
  return [...places, ...adjudications].some(
    ({ extension = [] }) => differsWithin(extension, once) || isTorn(extension),
  );
}

function isTorn(list: readonly Branch[]): boolean {
  return list.some(({ url, extension = [] }) => differsWithin(extension, onceWithin.get(url) ?? new Set()));
}

function differsWithin(list: readonly Leaf[], single: ReadonlySet<string>): boolean {
  const stated = Map.groupBy(
    list.filter(({ url }) => single.has(url)),
    ({ url }) => url,
  );
  return [...stated.values()].some((same) => new Set(same.map((each) => JSON.stringify(each))).size > 1);
}

/** FHIR R4 "Modifier Extensions": who does not know one must not act on what it stands on. PAS has none in an answer. */
export function isModified(response: ClaimResponse): boolean {
  const places = [response, ...(response.item ?? []), ...(response.addItem ?? [])];
  const parts = places.flatMap((place) => [place, ...(place.adjudication ?? [])]);
  return parts.some(({ modifierExtension = [] }) => modifierExtension.length > 0);
}
