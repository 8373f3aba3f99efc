import { fixText, missingTexts, warningTexts } from "#lib/messages/agent/advice";
import type { Advice } from "#lib/task/advice";

/** Why each missing member is missing, on the wire. */
export function problemsView(advice: Advice | undefined): readonly object[] | undefined {
  if (!advice || advice.problems.length === 0) return undefined;
  return advice.problems.map(({ path, reason, rule }) => ({
    path,
    problem: missingTexts[reason].problem,
    fix: fixText(reason, rule),
  }));
}

/** What a reviewer will be warned of and the agent can mend, on the wire. */
export function warningsView(advice: Advice | undefined): readonly object[] | undefined {
  if (!advice || advice.warnings.length === 0) return undefined;
  return advice.warnings.map(({ code, path, values }) => ({ code, path, problem: warningTexts[code](values) }));
}
