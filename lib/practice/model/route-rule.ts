import type { Procedure, ServiceReview } from "#lib/task/model/service-review";

/** Procedure codes from one to another, both included. */
export type CodeRange = { readonly from: string; readonly to: string };

/** A range as people type it. */
export function rangeText({ from, to }: CodeRange): string {
  return from === to ? from : `${from}-${to}`;
}

/**
 * Which requests to a payer go over another payer connection, because the payer has others review them. A condition that
 * is empty fits every request.
 */
export type RouteRule = {
  /** What people call it, such as "Advanced imaging". */
  readonly name: string;
  /** Service type codes (X12 1365). */
  readonly serviceTypes: readonly string[];
  readonly codes: readonly CodeRange[];
  /** As requests name them in `coverage.lineOfBusiness`; any text. */
  readonly linesOfBusiness: readonly string[];
  /** The payer id of the payer connection to use. */
  readonly connection: string;
};

/** The rule that chose a connection, with its place among the payer's rules, counted from 1. */
export type ChosenRule = RouteRule & { readonly position: number };

/** The first rule that fits the whole request; undefined where the payer's own connection is used. */
export function firstFit(rules: readonly RouteRule[], review: ServiceReview): ChosenRule | undefined {
  const index = rules.findIndex(
    (rule) => fitsRequest(rule, review) && review.procedures.every((procedure) => fitsProcedure(rule, procedure)),
  );
  const rule = rules[index];
  return rule && { ...rule, position: index + 1 };
}

/** A rule that would fit if the request asked for some of its procedures only, and their indexes. */
export type PartialFit = { readonly rule: ChosenRule; readonly procedures: readonly number[] };

/**
 * The first rule before the one that was chosen that fits some procedures of the request and not all. Nothing is chosen by
 * it: a request goes to one payer as a whole.
 */
export function partialFit(
  rules: readonly RouteRule[],
  review: ServiceReview,
  chosen: ChosenRule | undefined,
): PartialFit | undefined {
  const before = rules.slice(0, chosen ? chosen.position - 1 : rules.length);
  for (const [index, rule] of before.entries()) {
    if (!fitsRequest(rule, review)) continue;
    const fitting = review.procedures.flatMap((procedure, at) => (fitsProcedure(rule, procedure) ? [at] : []));
    if (fitting.length > 0) return { rule: { ...rule, position: index + 1 }, procedures: fitting };
  }
  return undefined;
}

function fitsRequest({ serviceTypes, linesOfBusiness }: RouteRule, { serviceTypeCode, coverage }: ServiceReview) {
  return isAmong(serviceTypes, serviceTypeCode) && isAmong(linesOfBusiness, coverage?.lineOfBusiness);
}

function isAmong(list: readonly string[], value: string | undefined): boolean {
  if (list.length === 0) return true;
  return value !== undefined && list.some((each) => folded(each) === folded(value));
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}

function fitsProcedure({ codes }: RouteRule, { code, codeEnd = code }: Procedure): boolean {
  return codes.length === 0 || codes.some((range) => isWithin(range, code) && isWithin(range, codeEnd));
}

/** Whether a code lies in a range: codes of one form alone have an order, so 0042T to 0055T does not hold 0043U. */
export function isWithin({ from, to }: CodeRange, code: string): boolean {
  const [low, high, given] = [from, to, code].map((each) => each.trim().toUpperCase());
  if (low === undefined || high === undefined || given === undefined) return false;
  return formOf(low) === formOf(given) && formOf(high) === formOf(given) && low <= given && given <= high;
}

/** Where a code has digits; its letters are part of the form but at the front, where HCPCS counts by them. */
function formOf(code: string): string {
  return code.replaceAll(/\d/g, "9").replace(/^[A-Z]+/, (letters) => "A".repeat(letters.length));
}
