import type { Node } from "#simulator/json";
import type { Problem } from "./request.ts";
import { testTag } from "./vocabulary.ts";

type Issue = { readonly code: string; readonly text: string; readonly at?: string };

/** The refusal of a request that is not valid, PAS "Transaction Error Handling": one issue for each rule, its path in `expression`. */
export function operationOutcome(
  issues: readonly (Problem | Issue)[],
  severity: "error" | "information" = "error",
): Node {
  return {
    resourceType: "OperationOutcome",
    meta: { tag: [{ ...testTag }] },
    issue: issues.map(({ code, at, text }) => ({
      severity,
      code,
      details: { text: at === undefined ? text : `${at} ${text}` },
      ...(at === undefined ? {} : { expression: [at] }),
    })),
  };
}
