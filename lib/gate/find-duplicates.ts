import { modifiersOf, requestedLines } from "#lib/task/model/requested-lines";
import type { CheckType } from "#lib/gate/model/check";
import type { LineTerms } from "#lib/task/model/determination";
import { assert } from "#lib/platform/result";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Outcome, State } from "#lib/task/model/task";
import type { MembersCase } from "#lib/task/store/other-cases";
import type { CheckResult } from "./case-checks.ts";
import { shortIdOf } from "#lib/task/model/short-id";

/** A line of another case. `same` if this case asks for exactly the same. */
export type ComparedLine = LineTerms & { readonly modifiers: readonly string[]; readonly same: boolean };

export type NamedCase = { readonly taskId: string; readonly shortId: string };

/** Another case beside this one, with the check that names it. */
export type Duplicate = NamedCase & {
  readonly type: CheckType;
  readonly state: State;
  readonly environment: "live" | "test";
  readonly channel: string;
  readonly payer: { readonly id: string; readonly name?: string | undefined; readonly same: boolean };
  readonly reference?: string | undefined;
  readonly createdAt: Date;
  readonly lines: readonly ComparedLine[];
  /** What the payer decided there, and the last day of the authorization. */
  readonly outcome?: Outcome | undefined;
  readonly validTo?: string | undefined;
};

/** The most other cases that are shown in full. */
const shownMax = 12;

/**
 * The cases that the checks name, the most serious first: compared with this one, or by name only beyond `shownMax`.
 */
export function duplicatesOf(
  review: ServiceReview,
  { checks, others }: CheckResult,
): { readonly duplicates: readonly Duplicate[]; readonly moreDuplicates: readonly NamedCase[] } {
  const named = checks.flatMap(({ type, other: taskId }) => (taskId === undefined ? [] : [{ type, taskId }]));
  const duplicates = named.slice(0, shownMax).map(({ type, taskId }) => {
    const other = others.find((found) => found.taskId === taskId);
    assert(other, "a check names a case that was compared");
    return compared(review, other, type);
  });
  const moreDuplicates = named.slice(shownMax).map(({ taskId }) => ({ taskId, shortId: shortIdOf(taskId) }));
  return { duplicates, moreDuplicates };
}

function compared(review: ServiceReview, other: MembersCase, type: CheckType): Duplicate {
  const { taskId, state, environment, channel, reference, createdAt, determination, payerName: name } = other;
  const { id } = other.review.payer;
  return {
    ...{ taskId, type, state, environment, channel, reference, createdAt },
    shortId: shortIdOf(taskId),
    payer: { id, name, same: id === review.payer.id },
    lines: likestLines(review, other),
    outcome: determination?.outcome,
    validTo: determination?.validTo,
  };
}

/** The lines of what the other case's payer has, or of what it asks for now, whichever has more of this one's. */
function likestLines(review: ServiceReview, { received, review: current }: MembersCase): readonly ComparedLine[] {
  const ours = new Set(linesOf(review).map((line) => JSON.stringify(line)));
  const codes = new Set(review.procedures.map(({ code }) => code));
  const likeness = (lines: readonly ComparedLine[]) =>
    lines.reduce((sum, { same, code }) => sum + (same ? 1000 : 0) + (codes.has(code ?? "") ? 1 : 0), 0);
  const [now, had = []] = [current, ...(received ? [received] : [])].map((request) =>
    linesOf(request).map((line) => ({ ...line, same: ours.has(JSON.stringify(line)) })),
  );
  assert(now, "a case asks for something now");
  return likeness(had) >= likeness(now) ? had : now;
}

/** The lines that a review asks for, each with the quantities and dates that apply to it, whoever provides them. */
export function linesOf(review: ServiceReview): readonly Omit<ComparedLine, "same">[] {
  const terms = requestedLines(review).map(({ providers: _, place: __, ...counted }) => counted);
  return review.procedures.map((line, index) => ({ ...terms[index], modifiers: modifiersOf(line) }));
}
