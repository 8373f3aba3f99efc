import { verdictOf, type DeterminationLine, type LineTerms } from "#lib/task/model/determination";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { Outcome } from "#lib/task/model/task";
import type { Issue, Refusal } from "#lib/task/refusal";
import { caseProblems } from "#lib/messages/problems/reviewer";

/** The number of the authorization, where a line has one of its own. */
type OwnNumber = { readonly number?: string | undefined };
type ReasonCodes = { readonly reasons: readonly string[] };

/** What a person learned about one line: certified as requested, certified with changes, not certified, not required. */
export type RecordedLine =
  | ({ readonly action: "A1" } & OwnNumber)
  | ({ readonly action: "A6"; readonly authorized?: LineTerms | undefined } & OwnNumber & ReasonCodes)
  | ({ readonly action: "A3" } & ReasonCodes)
  | { readonly action: "NA" };

/** One answer for every line, or one for each. */
export type RecordedAnswers =
  | { readonly outcome: "approved" | "not-required" }
  | { readonly outcome: "denied"; readonly reasons?: readonly string[] | undefined }
  | { readonly outcome: "by-line"; readonly lines: readonly RecordedLine[] };

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

function alike(answers: Exclude<RecordedAnswers, { outcome: "by-line" }>): RecordedLine {
  switch (answers.outcome) {
    case "approved":
      return { action: "A1" };
    case "denied":
      return { action: "A3", reasons: answers.reasons ?? [] };
    case "not-required":
      return { action: "NA" };
  }
}

function issuesOf(line: RecordedLine, requested: LineTerms | undefined, index: number): readonly Issue[] {
  if (line.action !== "A6") return [];
  const terms = { ...requested, ...known(line.authorized) };
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

function lineOf(line: RecordedLine, requested: LineTerms, index: number): DeterminationLine {
  const common = { sequence: index + 1, action: line.action, requested: known(requested) };
  switch (line.action) {
    case "A1":
      return { ...common, authorized: known(requested), ...numberOf(line), reasons: [] };
    case "A6": {
      const authorized = known({ ...requested, ...known(line.authorized) });
      return { ...common, authorized, ...numberOf(line), reasons: line.reasons };
    }
    case "A3":
      return { ...common, reasons: line.reasons };
    case "NA":
      return { ...common, reasons: [] };
  }
}

function numberOf({ number }: OwnNumber): OwnNumber {
  return number === undefined ? {} : { number };
}

/** Only the terms that are present, because what is kept is compared as text. */
function known(terms: LineTerms | undefined): LineTerms {
  return Object.fromEntries(Object.entries(terms ?? {}).filter(([, value]) => value !== undefined));
}
