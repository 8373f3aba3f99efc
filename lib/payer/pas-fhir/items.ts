import canonicalize from "canonicalize";
import type { ClaimItem } from "fhir/r4";
import type { ServiceReview } from "#lib/task/model/service-review";
import { itemOf, type ItemContext } from "./item.ts";
import { added, cancelledItem, certificationOf, isCancelled, revisedItem, untouched } from "./marks.ts";
import { extensions } from "./vocabulary.ts";

/** The items of a first request, one for each procedure in its order. */
export function itemsOf(review: ServiceReview, context: ItemContext): ClaimItem[] {
  return review.procedures.map((procedure, index) => ({ ...itemOf(procedure, review, context), sequence: index + 1 }));
}

/**
 * The items of an update. Every item ever sent keeps its sequence, whether it is unchanged, changed or canceled, and new items
 * follow. A procedure continues an earlier item if code and modifiers are the same, among several the one with the same
 * dates; another code is a new item (PAS 2.2.1 "Updating Authorization Requests").
 */
export function itemsAfter(wanted: readonly ClaimItem[], before: readonly ClaimItem[]): ClaimItem[] {
  const successors = matchItems(
    wanted,
    before.filter((item) => !isCancelled(item)),
  );
  const last = Math.max(0, ...before.map(({ sequence }) => sequence));
  const fresh = wanted.filter((item) => ![...successors.values()].includes(item));
  return [
    ...before.map((item) => {
      if (isCancelled(item)) return untouched(item);
      const next = successors.get(item);
      return next ? requestedItem({ ...next, sequence: item.sequence }, item) : cancelledItem(item);
    }),
    ...fresh.map((item, index) => added({ ...item, sequence: last + 1 + index })),
  ];
}

/** Every item canceled, which is how PAS 2.0.1 cancels a whole request. */
export function itemsCancelled(before: readonly ClaimItem[]): ClaimItem[] {
  return before.map((item) => (isCancelled(item) ? untouched(item) : cancelledItem(item)));
}

/** Which wanted item continues which earlier one: the closest first, of equals the lowest sequence. */
function matchItems(wanted: readonly ClaimItem[], before: readonly ClaimItem[]): ReadonlyMap<ClaimItem, ClaimItem> {
  const successors = new Map<ClaimItem, ClaimItem>();
  const taken = new Set<ClaimItem>();
  for (const keyOf of [contentOf, datedService, service]) {
    for (const item of wanted.filter((each) => !taken.has(each))) {
      const earlier = before.find((each) => !successors.has(each) && keyOf(each) === keyOf(item));
      if (earlier) taken.add(successors.set(earlier, item) && item);
    }
  }
  return successors;
}

function requestedItem(item: ClaimItem, before: ClaimItem): ClaimItem {
  const types = [certificationOf(before), certificationOf(item)];
  const same = contentOf(item) === contentOf(before) && (types[0] === types[1] || types[0] === "S");
  return same ? untouched(before) : revisedItem(item, before);
}

/** The content of an item, without its sequence and the marks of an update. */
function contentOf({ sequence: _, modifierExtension: __, extension, ...item }: ClaimItem): string {
  const marks: readonly string[] = [extensions.infoChanged, extensions.certificationType];
  return canonicalize({ ...item, extension: (extension ?? []).filter(({ url }) => !marks.includes(url)) }) ?? "";
}

function datedService(item: ClaimItem): string {
  return canonicalize([service(item), item.servicedDate ?? null, item.servicedPeriod ?? null]) ?? "";
}

function service({ productOrService, modifier = [] }: ClaimItem): string {
  return canonicalize([productOrService.coding, modifier]) ?? "";
}
