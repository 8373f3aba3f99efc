import { daysBetween, type CaseFacts, type CheckType, type CheckFinding, type OtherCase, type Rule } from "./check.ts";
import type { Procedure, ServiceReview } from "#lib/task/model/service-review";

/** Services this close together are probably one, requested twice. */
const nearDays = 14;

const ofType = (type: CheckType): Rule => ({
  type,
  find: (facts) =>
    facts.others.flatMap((other) => {
      const found = relationTo(facts, other);
      return found?.type === type ? [{ other: other.taskId, values: found.values }] : [];
    }),
});

/** Rules about other cases of the same member. Each other case is named once, by its most serious finding. */
export const otherCaseRules: readonly Rule[] = [
  ofType("exact-duplicate"),
  ofType("same-request-open"),
  ofType("existing-approval"),
  ofType("near-duplicate"),
];

function relationTo(
  facts: CaseFacts,
  other: OtherCase,
): { readonly type: CheckType; readonly values: NonNullable<CheckFinding["values"]> } | undefined {
  const shared = sharedCodes(facts.review, other.review);
  const values = [shared.join(", ")];
  const same = isSameRequest(facts.review, other.review);
  const over = isOver(other, facts.today);
  // An update is no second request for what the payer already has.
  if (same && other.left && !over && !facts.update) return { type: "exact-duplicate", values };
  if (same && !other.determination) return { type: "same-request-open", values };
  // That the earlier case asks for the same is what a renewal is.
  if (other.isEarlier) return undefined;
  if (shared.length > 0 && isApproval(other) && !over) {
    const { validTo } = other.determination ?? {};
    return { type: "existing-approval", values: validTo === undefined ? values : [...values, validTo] };
  }
  return shared.length > 0 && isNear(facts, other) ? { type: "near-duplicate", values } : undefined;
}

/** The other case can no longer lead to a service: it was denied, or the approved days have passed. */
function isOver({ determination }: OtherCase, today: string): boolean {
  if (!determination) return false;
  const { outcome, validTo } = determination;
  return outcome === "denied" || (validTo !== undefined && validTo < today);
}

function isApproval({ determination }: OtherCase): boolean {
  const outcome = determination?.outcome;
  return outcome === "approved" || outcome === "modified" || outcome === "partially-approved";
}

function sharedCodes(one: ServiceReview, two: ServiceReview): readonly string[] {
  const codes = new Set(two.procedures.map(({ code }) => code));
  return [...new Set(one.procedures.map(({ code }) => code))].filter((code) => codes.has(code));
}

/** The same payer, lines, quantities and days, in any order. */
function isSameRequest(one: ServiceReview, two: ServiceReview): boolean {
  if (one.payer.id !== two.payer.id || one.procedures.length !== two.procedures.length) return false;
  const [left, right] = [linesOf(one), linesOf(two)];
  return left.every((line, index) => line === right[index]);
}

function linesOf(review: ServiceReview): readonly string[] {
  return review.procedures.map((line) => JSON.stringify(termsOf(line, review))).toSorted();
}

function termsOf(line: Procedure, review: ServiceReview) {
  const { modifierCode1, modifierCode2, modifierCode3, modifierCode4, code } = line;
  const modifiers = [modifierCode1, modifierCode2, modifierCode3, modifierCode4].filter((each) => each !== undefined);
  const counted = line.quantity === undefined ? review : line;
  const { from, to } = daysOf(line, review);
  return [code, modifiers.toSorted(), counted.quantity ?? null, counted.quantityTypeCode ?? null, from, to];
}

/** A single day of service is a range of one day. */
function daysOf(line: Procedure, review: ServiceReview) {
  const { fromDate, toDate } = line.fromDate === undefined && line.toDate === undefined ? review : line;
  return { from: fromDate ?? toDate ?? null, to: toDate ?? fromDate ?? null };
}

function isNear(facts: CaseFacts, other: OtherCase): boolean {
  return facts.review.procedures.some((line) =>
    other.review.procedures.some(
      (its) =>
        its.code === line.code &&
        daysApart(days(daysOf(line, facts.review), facts.openedOn), days(daysOf(its, other.review), other.openedOn)) <=
          nearDays,
    ),
  );
}

type Days = { readonly from: string; readonly to: string };

/** A request without days is taken to mean the day it was opened. */
function days({ from, to }: ReturnType<typeof daysOf>, openedOn: string): Days {
  return { from: from ?? openedOn, to: to ?? openedOn };
}

function daysApart(one: Days, two: Days): number {
  return Math.max(0, daysBetween(one.to, two.from), daysBetween(two.to, one.from));
}
