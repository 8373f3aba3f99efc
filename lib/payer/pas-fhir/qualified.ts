import { pasUnclearReasons } from "#lib/messages/reasons/pas-reply";
import { kindSchema, outcomeSchema, type Branch, type ClaimResponse } from "./resources.ts";
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
