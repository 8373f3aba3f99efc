import { verdictOf, type DeterminationLine, type LineTerms } from "#lib/task/model/determination";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { Outcome } from "#lib/task/model/task";
import type { Issue, Refusal } from "#lib/task/refusal";
import { caseProblems } from "#lib/messages/problems/reviewer";

/** What a person can record for a line: certified as requested, certified with changes, not certified, not required. */
export type RecordedAction = "A1" | "A6" | "A3" | "NA";

/** What a person learned about one line. `authorized` counts only for a line that was certified with changes. */
export type RecordedLine = {
  readonly action: RecordedAction;
  readonly authorized?: LineTerms | undefined;
  readonly number?: string | undefined;
  readonly reasons: readonly string[];
};

/** One answer for every line, or one for each. */
export type RecordedAnswers =
  | { readonly outcome: "approved" | "denied" | "not-required"; readonly reasons?: readonly string[] | undefined }
  | { readonly outcome: "by-line"; readonly lines: readonly RecordedLine[] };

const actionOf = { approved: "A1", denied: "A3", "not-required": "NA" } as const;

/**
 * The lines of a determination that a person records, and the outcome they add up to, by the same rules as for an
 * electronic answer. Refused as `invalid` if a requested line has no answer, or a line with changes has no terms.
 */
export function recordedLines(
  requested: readonly LineTerms[],
  answers: RecordedAnswers,
): Result<{ outcome: Outcome; lines: readonly DeterminationLine[] }, Refusal> {
  const given = answers.outcome === "by-line" ? answers.lines : requested.map(() => alike(answers));
  const issues =
    given.length === requested.length
      ? given.flatMap((line, index) => issuesOf(line, requested[index], index))
      : [{ path: "lines", problem: caseProblems.everyLine(requested.length) }];
  const verdict = verdictOf(given.map(({ action }) => action));
  if (issues.length > 0 || verdict.type !== "final") return refuse({ type: "invalid", issues });
  return ok({
    outcome: verdict.outcome,
    lines: given.map((line, index) => lineOf(line, requested[index] ?? {}, index)),
  });
}

function alike({ outcome, reasons = [] }: Exclude<RecordedAnswers, { outcome: "by-line" }>): RecordedLine {
  return { action: actionOf[outcome], reasons };
}

function issuesOf(
  { action, authorized }: RecordedLine,
  requested: LineTerms | undefined,
  index: number,
): readonly Issue[] {
  if (action !== "A6") return [];
  const terms = { ...requested, ...known(authorized) };
  if (terms.from && terms.to && terms.from > terms.to) {
    return [{ path: `lines.${index}.to`, problem: caseProblems.notBeforeFirstDay }];
  }
  return isChanged(requested, terms) ? [] : [{ path: `lines.${index}.action`, problem: caseProblems.nothingChanged }];
}

/** Whether anything is other than asked, also where one of the two leaves it open. */
function isChanged(requested: LineTerms = {}, terms: LineTerms): boolean {
  const single = (["code", "quantity", "unit", "from", "to", "place"] as const).some(
    (name) => terms[name] !== requested[name],
  );
  const sorted = ({ providers = [] }: LineTerms) => providers.toSorted().join(" ");
  return single || sorted(terms) !== sorted(requested);
}

function lineOf({ action, authorized, number, reasons }: RecordedLine, requested: LineTerms, index: number) {
  const terms = action === "A6" ? { ...requested, ...known(authorized) } : action === "A1" ? requested : undefined;
  return {
    sequence: index + 1,
    action,
    requested: known(requested),
    ...(terms ? { authorized: known(terms) } : {}),
    ...(number === undefined ? {} : { number }),
    reasons,
  };
}

/** Only the terms that are present, because what is kept is compared as text. */
function known(terms: LineTerms | undefined): LineTerms {
  return Object.fromEntries(Object.entries(terms ?? {}).filter(([, value]) => value !== undefined));
}
