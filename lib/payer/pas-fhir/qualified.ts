import { pasUnclearReasons } from "#lib/messages/reasons/pas-reply";
import { kindSchema, outcomeSchema, type Branch, type ClaimResponse, type Leaf } from "./resources.ts";
import { extensions } from "./vocabulary.ts";

/** Why an approval is none yet, or not of what was asked, by what stands beside its action codes; undefined if nothing does. */
export function qualificationOf(response: ClaimResponse): string | undefined {
  const { item = [], addItem = [] } = response;
  const places = [response, ...item, ...addItem];
  const lists = places.flatMap(({ adjudication = [], extension }) => [
    extension,
    ...adjudication.map((each) => each.extension),
  ]);
  const branches = lists.flatMap((list) => list ?? []);
  if (branches.some(needsSecondOpinion)) return pasUnclearReasons.secondOpinion;
  if (places.some(({ extension = [] }) => extension.some(({ url }) => url === extensions.reviewAction)))
    return pasUnclearReasons.actionElsewhere;
  if ([...item, ...addItem].some(({ detail = [] }) => detail.length > 0)) return pasUnclearReasons.details;
  // PAS 2.0.1 and FHIR let one item replace several, and nothing says how its quantity is shared among them.
  if (addItem.some(({ itemSequence }) => new Set(itemSequence).size > 1)) return pasUnclearReasons.severalReplaced;
  const quantities = branches.flatMap(({ extension = [] }) => extension.map(({ valueQuantity }) => valueQuantity));
  const isBound = [...quantities, ...addItem.map(({ quantity }) => quantity)].some((each) => each?.comparator);
  return isBound ? pasUnclearReasons.quantityBound : undefined;
}

/** PAS has the flag in the review action: a second opinion is needed before the service counts as approved. */
function needsSecondOpinion({ url, extension = [] }: Branch): boolean {
  return (
    url === extensions.reviewAction &&
    extension.some((each) => each.url === "secondSurgicalOpinionFlag" && each.valueBoolean === true)
  );
}

/** Whether a resource beside or inside an answer is an error, or may hold another answer. */
export function speaksOtherwise(resource: unknown): boolean {
  const kind = kindSchema.safeParse(resource).data?.resourceType ?? "";
  if (kind !== "OperationOutcome") return ["Bundle", "Parameters", "ClaimResponse"].includes(kind);
  const issues = outcomeSchema.safeParse(resource).data?.issue;
  return issues === undefined || issues.some(({ severity }) => severity !== "information" && severity !== "warning");
}

/** What a decision rests on and PAS lets stand once in its place. */
const once: ReadonlySet<string> = new Set([
  extensions.administrationReferenceNumber,
  extensions.authorizationNumber,
  extensions.itemAuthorizedDate,
  extensions.admissionDates,
  extensions.dischargeDate,
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
