import type { Context } from "#lib/access/context";
import type { AutoReviewerActor } from "#lib/access/model/actor";
import { sandboxPayers } from "#lib/platform/env";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import { autoReleaseObstacle } from "#lib/gate/model/auto-release";
import { lockAutoReview } from "#lib/gate/shared/auto-review";
import { loadFrozen, openCalls } from "#lib/gate/shared/gates";
import { changeTask, type Change, type LoadedTask, type TaskChange } from "#lib/task/change";
import { stateOf } from "#lib/task/model/task";
import type { Refusal } from "#lib/task/refusal";
import { openRevision, rowAtGate } from "#lib/task/open-revision";
import { caseChecks, isBlocked } from "./case-checks.ts";

/**
 * Releases what stands at the gate without a person, for agents under test: only test data, only in a practice that has
 * turned this on, and only to a sandbox payer on this machine. The worker checks the same again before it submits, and
 * the database accepts no such release of anything live. What may not be released this way waits for a person: refused
 * as `out-of-state`, or `blocked` where nobody may release it.
 */
export async function autoRelease(
  ctx: Context<AutoReviewerActor>,
  { taskId, gateId }: { readonly taskId: string; readonly gateId: string },
): Promise<Result<TaskChange, Refusal>> {
  const { practiceId } = ctx.actor;
  return changeTask(ctx, { taskId, practices: [practiceId] }, async (loaded) => {
    const state = stateOf(loaded.task);
    if (loaded.row.gate_id !== gateId) return refuse({ type: "stale", state });
    const obstacle = await obstacleTo(loaded, gateId);
    if (obstacle !== undefined) return refuse({ type: "out-of-state", state, command: "release-automatically" });
    return release(loaded, gateId);
  });
}

/** Why the action at this gate must wait for a person, as the practice and the deployment are now. */
export async function obstacleTo(
  { tx, row }: Pick<LoadedTask, "tx" | "row">,
  gateId: string,
): Promise<string | undefined> {
  const place = { gateId, practiceId: row.practice_id };
  const settings = await lockAutoReview(tx, place);
  const gate = await loadFrozen(tx, place);
  const calls = await openCalls(tx, gate);
  return autoReleaseObstacle({
    ...settings,
    gateEnvironment: gate.environment,
    isManual: gate.isManual,
    urls: calls.map(({ url }) => url),
    sandboxPayers: sandboxPayers(),
  });
}

async function release(loaded: LoadedTask, gateId: string): Promise<Result<Change, Refusal>> {
  const { tx, task } = loaded;
  const row = rowAtGate(loaded.row, task);
  const { route, review } = await openRevision(tx, row);
  const { checks } = await caseChecks(tx, { row, review, route });
  if (isBlocked(checks)) return refuse({ type: "blocked", checks: checks.filter(({ level }) => level === "block") });
  assert(row.gate_digest !== null, "what is held has a gate");
  const seen = { gateId, revision: row.revision, digest: row.gate_digest };
  const claimableAt = new Date(row.now.getTime() + route.practice.recallWindowS * 1_000);
  const warnings = [...new Set(checks.map(({ type }) => type))];
  return ok({
    commands: [{ type: "release-automatically", seen, claimableAt }],
    detail: { gate: seen.digest, gateId, revision: seen.revision, warnings, environment: "test" },
  });
}
