import { keyOf, type Check, type CaseCheck } from "#lib/gate/model/check";
import { checksOf } from "#lib/gate/model/checks";
import { assert } from "#lib/platform/result";
import type { ServiceReview } from "#lib/task/model/service-review";
import { dayIn } from "#lib/platform/zoned-time";
import { connectors, takesFiles } from "#lib/payer/connectors";
import type { Db } from "#lib/db/db";
import { delegatedInPart, type PracticeSettings, type ResolvedRoute } from "#lib/practice/shared/resolved-route";
import { loadOtherCases, type MembersCase } from "#lib/task/store/other-cases";
import { rowToTask, type TaskRow } from "#lib/task/store/task-rows";
import { shortIdOf } from "#lib/task/model/short-id";

/** A case at its gate, as it was just read. */
export type GateCase = { readonly row: TaskRow; readonly review: ServiceReview; readonly route: ResolvedRoute };

/** The checks that a release must pass or override, and the other cases they compare with. */
export type CheckResult = { readonly checks: readonly CaseCheck[]; readonly others: readonly MembersCase[] };

/** The checks that apply to releasing a held case now. The page and the release itself use the same. */
export async function caseChecks(db: Db, held: GateCase): Promise<CheckResult> {
  const { row, review, route } = held;
  const { practice, destination, configured } = route;
  const { gate_action: action } = row;
  assert(action, "what is held has its action");
  const connector = connectors[destination.connector];
  const dayOf = (at: Date) => dayIn(practice.timeZone, at);
  const others = action === "transmit" ? await othersOf(db, held) : [];
  // The payer has what an appeal is about.
  const isComplete = action === "void" || review.appeal !== undefined;
  const checks = checksOf({
    action,
    update: row.gate_is_update ?? false,
    review,
    today: dayOf(row.now),
    openedOn: dayOf(row.created_at),
    missing: isComplete ? [] : connector.check(review),
    required: isComplete ? [] : (destination.requiredFields ?? []),
    appealBy: rowToTask(db, row).payer.recourse?.terms?.by,
    providers: practice.providers,
    leftOut: row.gate_is_manual ? [] : connector.leftOut(review, destination.settings),
    files: {
      count: row.attachment_count,
      left: row.attachment_count > 0 && !row.gate_is_manual && !takesFiles(destination),
    },
    practiceActive: practice.active,
    route: {
      configured,
      reachable: destination.connector === "manual" || destination.url !== undefined,
      changed: destination.routeId !== (row.gate_route_id ?? ""),
    },
    delegatedInPart: row.payer_receipt === "no" ? delegatedInPart(route, review) : undefined,
    others: others.map(({ createdAt, ...other }) => ({
      ...other,
      openedOn: dayOf(createdAt),
      isEarlier: other.taskId === row.earlier_task_id,
    })),
  });
  return {
    checks: checks.map((check) => ({
      ...check,
      key: keyOf(check),
      needsReason: needsReason(check, practice),
      otherShortId: check.other && shortIdOf(check.other),
    })),
    others: others.filter(({ taskId }) => checks.some(({ other }) => other === taskId)),
  };
}

async function othersOf(db: Db, { row, review }: GateCase): Promise<readonly MembersCase[]> {
  const { memberId } = review.subscriber ?? {};
  if (memberId === undefined) return [];
  const codes = review.procedures.map(({ code }) => code);
  return loadOtherCases(db, { taskId: row.id, practiceId: row.practice_id, memberId, codes });
}

/** Whether a release needs an override reason: for every warning except those that the practice only notes. */
export function needsReason(
  { type, level }: Check,
  { notedWarnings }: Pick<PracticeSettings, "notedWarnings">,
): boolean {
  return level === "warn" && !notedWarnings.includes(type);
}

export function isBlocked(checks: readonly Check[]): boolean {
  return checks.some(({ level }) => level === "block");
}
