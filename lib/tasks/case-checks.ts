import { keyOf, type Check } from "#lib/domain/check";
import { checksOf } from "#lib/domain/checks";
import { assert } from "#lib/domain/result";
import type { ServiceReview } from "#lib/domain/service-review";
import { dayIn } from "#lib/domain/zoned-time";
import { connectors } from "#lib/payer/connectors";
import type { PracticeSettings, Way } from "#lib/store/destinations";
import type { TaskRow } from "#lib/store/task-rows";
import type { CaseCheck } from "./views.ts";

/** A case at its gate, as it was just read. */
export type Held = { readonly row: TaskRow; readonly review: ServiceReview; readonly way: Way };

/** What speaks against releasing a held case now; the same to the page and to the release itself. */
export async function caseChecks({ row, review, way }: Held): Promise<readonly CaseCheck[]> {
  const { practice, destination, configured } = way;
  const { gate_action: action } = row;
  assert(action, "what is held has its action");
  const connector = connectors[destination.connector];
  const today = dayIn(practice.timeZone, row.now);
  const checks = checksOf({
    action,
    update: row.gate_is_update ?? false,
    review,
    today,
    openedOn: dayIn(practice.timeZone, row.created_at),
    missing: action === "transmit" ? connector.check(review) : [],
    files: {
      count: row.attachment_count,
      left: row.attachment_count > 0 && !row.gate_by_hand && !connector.carriesFiles,
    },
    practiceActive: practice.active,
    route: {
      configured,
      reachable: destination.connector === "manual" || destination.url !== undefined,
      changed: destination.version !== row.gate_route_version,
    },
    others: [],
  });
  return checks.map((check) => ({ ...check, key: keyOf(check), needsReason: needsReason(check, practice) }));
}

/** Whether a release over it says why: every warning the practice does not merely note. */
export function needsReason(
  { type, level }: Check,
  { notedWarnings }: Pick<PracticeSettings, "notedWarnings">,
): boolean {
  return level === "warn" && !notedWarnings.includes(type);
}

export function isBlocked(checks: readonly Check[]): boolean {
  return checks.some(({ level }) => level === "block");
}
