import { ok, refuse, type Result } from "#lib/platform/result";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { ResolvedRoute } from "#lib/practice/store/resolved-route";
import { lockMember } from "#lib/task/store/other-cases";
import type { Override } from "#lib/task/model/lifecycle/event";
import { caseChecks, isBlocked } from "./case-checks.ts";
import type { LoadedTask } from "#lib/task/change";
import type { Refusal } from "#lib/task/refusal";

/** The keys of the warnings that the page showed, and the override reason. */
export type OverWarnings = { readonly shown?: readonly string[] | undefined; readonly why?: string | undefined };

/** What is kept with the vote, and what the audit log records: never the text of the reason. */
export type ReleaseClearance = { readonly override?: Override; readonly detail?: Readonly<Record<string, unknown>> };

/**
 * Whether the action at the gate may be released as the case is now. The answer holds until the commit, so of two equal
 * requests released at once, only one is. Refused as `blocked` if nobody may release it, `warned` if a warning that
 * needs a reason was not on the page, and `invalid` if the reason is missing.
 */
export async function clearRelease(
  { tx, row }: LoadedTask,
  { route, review }: { readonly route: ResolvedRoute; readonly review: ServiceReview },
  { shown = [], why }: OverWarnings,
): Promise<Result<ReleaseClearance, Refusal>> {
  const { memberId } = review.subscriber ?? {};
  if (memberId !== undefined) await lockMember(tx, { practiceId: row.practice_id, memberId });
  const { checks } = await caseChecks(tx, { row, review, route });
  if (isBlocked(checks)) return refuse({ type: "blocked", checks: checks.filter(({ level }) => level === "block") });
  const asking = checks.filter(({ needsReason }) => needsReason);
  const unseen = asking.filter(({ key }) => !shown.includes(key));
  if (unseen.length > 0) return refuse({ type: "warned", checks: unseen });
  if (asking.length === 0) return ok({});
  const reason = why?.trim();
  if (!reason) return refuse({ type: "invalid", issues: [{ path: "why", problem: "must be filled in" }] });
  const warnings = [...new Set(asking.map(({ type }) => type))];
  return ok({ override: { warnings, reason }, detail: { warnings, withReason: true } });
}
