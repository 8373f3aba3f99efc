import { bundleRules } from "./bundle.ts";
import { claimRules } from "./claim.ts";
import type { Rule, Sample } from "./rule.ts";
import { updateRules } from "./update.ts";

export const rules: readonly Rule[] = [...bundleRules, ...claimRules, ...updateRules];

/** The names of the PAS rules a bundle breaks. */
export function brokenRules(sample: Sample): readonly string[] {
  return rules
    .filter(({ kinds, versions }) => kinds.includes(sample.kind) && (versions?.includes(sample.version) ?? true))
    .filter(({ isMet }) => !isMet(sample))
    .map(({ name }) => name);
}
