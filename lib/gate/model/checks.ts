import { levels, type CaseFacts, type Check, type CheckType, type Rule } from "./check.ts";
import { dateRules } from "./checks-dates.ts";
import { evidenceRules } from "./checks-evidence.ts";
import { otherCaseRules } from "./checks-other-cases.ts";
import { quantityRules } from "./checks-quantities.ts";
import { requestRules } from "./checks-request.ts";
import { routeRules } from "./checks-route.ts";

const rules: readonly Rule[] = [
  ...routeRules,
  ...otherCaseRules,
  ...requestRules,
  ...dateRules,
  ...quantityRules,
  ...evidenceRules,
];

/**
 * Everything to consider before releasing a case, blocks first, or `only` what these rules find. Works for whatever the
 * agent wrote.
 */
export function checksOf(facts: CaseFacts, only?: ReadonlySet<CheckType>): readonly Check[] {
  const found = rules
    .filter(({ type, ofVoids }) => (facts.action === "transmit" || ofVoids) && (only?.has(type) ?? true))
    .flatMap(({ type, find }) =>
      find(facts).map((each) => ({ type, level: levels[type], paths: [], values: [], ...each })),
    );
  return [...found.filter(({ level }) => level === "block"), ...found.filter(({ level }) => level === "warn")];
}

/** All warnings; a practice chooses which of them it only notes. */
export const warningTypes: readonly CheckType[] = rules
  .map(({ type }) => type)
  .filter((type) => levels[type] === "warn");
