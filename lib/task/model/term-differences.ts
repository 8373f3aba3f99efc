import type { LineTerms } from "./determination.ts";

/** What can be asked and authorized on a line, in the order in which people read it. */
export const termNames = ["code", "modifiers", "quantity", "dates", "provider", "place"] as const;

export type TermName = (typeof termNames)[number];

/**
 * In what the authorized terms of a line differ from those that were asked. What either side leaves out does not differ:
 * a payer that says nothing of a provider has authorized no other one.
 */
export function differingTerms(requested: LineTerms, authorized: LineTerms): readonly TermName[] {
  const isOther = (...names: readonly ("code" | "quantity" | "unit" | "from" | "to" | "place")[]) =>
    names.some((name) => isStated(requested[name], authorized[name]) && requested[name] !== authorized[name]);
  const differs: Readonly<Record<TermName, boolean>> = {
    code: isOther("code"),
    modifiers: isOtherList(requested.modifiers, authorized.modifiers),
    quantity: isOther("quantity", "unit"),
    dates: isOther("from", "to"),
    provider: isOtherList(requested.providers, authorized.providers),
    place: isOther("place"),
  };
  return termNames.filter((name) => differs[name]);
}

function isStated(...both: readonly unknown[]): boolean {
  return both.every((value) => value !== undefined);
}

type List = LineTerms["providers"];

function isOtherList(requested: List, authorized: List): boolean {
  if (!requested || !authorized) return false;
  return requested.toSorted().join(" ") !== authorized.toSorted().join(" ");
}
