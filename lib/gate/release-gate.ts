import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { votesWith } from "#lib/task/model/vote-rule";
import type { Command, ShownGate } from "#lib/task/model/lifecycle/command";
import { visibleLength } from "#lib/platform/visible-length";
import { ok, refuse, type Result } from "#lib/platform/result";
import { stateOf } from "#lib/task/model/task";
import { openRevision, rowAtGate } from "#lib/task/open-revision";
import { inGateTrace } from "#lib/gate/shared/gate-traces";
import { lockBallot, ownerNeeded } from "#lib/gate/store/votes";
import { tryChange, type Change, type LoadedTask } from "#lib/task/change";
import { problems } from "#lib/messages/problems/field";
import { decideOnce, type DecisionResult } from "./decide-once.ts";
import { expireGate } from "./expire-gate.ts";
import { explainStale } from "./explain-stale.ts";
import { hasRecentProof } from "#lib/access/model/proof";
import type { Refusal } from "#lib/task/refusal";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { ResolvedRoute } from "#lib/practice/shared/resolved-route";
import { lockMember } from "#lib/task/store/other-cases";
import type { Override } from "#lib/task/model/lifecycle/event";
import { caseChecks, isBlocked } from "./case-checks.ts";

/**
 * Releases exactly what the page showed, if nothing has changed since. The vote, the audit entry and, with the last
 * vote needed, the work for the worker commit together. Only the votes of people who may release at that moment count.
 * Whoever comes second is told who decided, or what changed. Refused if the requesting channel has no owner, if a check
 * blocks the release, if a warning was not on the page, or if an override reason is missing; if the practice asks for a
 * recent proof of identity and there is none; and if the actor may not review here, owns the channel, edited the request
 * or has released it already. A gate that has expired is closed as expired by the same call.
 */
export async function releaseGate(
  ctx: Context<PersonActor>,
  { taskId, seen, key, ...over }: { taskId: string; seen: ShownGate; key?: string | undefined } & OverWarnings,
): Promise<Result<DecisionResult, Refusal>> {
  const request = { taskId, key, intent: "release", content: { seen, why: over.why } };
  const part = { name: "release", gateId: seen.gateId, "pa.task": taskId, "pa.person": ctx.actor.id };
  const changed = await inGateTrace(ctx.store, part, () =>
    decideOnce(ctx, request, (loaded) => release(ctx, loaded, seen, over)),
  );
  if (changed.ok) return changed;
  if (changed.refusal.type === "gate-expired") await expireGate(ctx, { taskId });
  return explainStale(ctx, { taskId, seen }, changed.refusal);
}

async function release(
  { actor, store }: Context<PersonActor>,
  loaded: LoadedTask,
  seen: ShownGate,
  over: OverWarnings,
): Promise<Result<Change<DecisionResult>, Refusal>> {
  const { tx, row, task } = loaded;
  if (!row.gate_id) return refuse({ type: "stale", state: stateOf(task) });
  const gate = { gateId: row.gate_id, taskId: row.id, practiceId: row.practice_id };
  const { ballot, stepUp, ownerless, mayReview } = await lockBallot(tx, gate, actor.id);
  if (!mayReview) return refuse({ type: "not-found" });
  const { route, review } = await openRevision(loaded.tx, rowAtGate(row, task));
  // A manual submission waits for a person anyway, so it needs no time for undo.
  const recallMs = row.gate_is_manual ? 0 : route.practice.recallWindowS * 1000;
  const claimableAt = new Date(row.now.getTime() + recallMs);
  const command: Command = { type: "release", seen, claimableAt, ballot };
  // If the page is stale, nobody is asked to prove who they are.
  const tried = tryChange(loaded, { commands: [command] });
  if (!tried.ok) return tried;
  if (ownerless && ownerNeeded(store, row.now)) return refuse({ type: "no-owner" });
  const cleared = await clearRelease(loaded, { route, review }, over);
  if (!cleared.ok) return cleared;
  const { override, detail } = cleared.value;
  if (stepUp && !hasRecentProof(actor, row.now)) return refuse({ type: "proof-needed" });
  const votes = { votes: votesWith(ballot), needed: ballot.needed };
  return ok({
    commands: [{ ...command, override }],
    detail: { gate: seen.digest, gateId: seen.gateId, revision: seen.revision, ...votes, ...detail },
  });
}

/** The keys of the warnings that the page showed, and the override reason. */
type OverWarnings = { readonly shown?: readonly string[] | undefined; readonly why?: string | undefined };

/** What is kept with the vote, and what the audit log records: never the text of the reason. */
type ReleaseClearance = { readonly override?: Override; readonly detail?: Readonly<Record<string, unknown>> };

/**
 * Whether the action at the gate may be released as the case is now. The answer holds until the commit, so of two equal
 * requests released at once, only one is. Refused as `blocked` if nobody may release it, `warned` if a warning that
 * needs a reason was not on the page, and `invalid` if the reason is missing.
 */
async function clearRelease(
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
  const reason = why?.trim() ?? "";
  if (visibleLength(reason) === 0)
    return refuse({ type: "invalid", issues: [{ path: "why", problem: problems.filledIn }] });
  const warnings = [...new Set(asking.map(({ type }) => type))];
  return ok({ override: { warnings, reason }, detail: { warnings, withReason: true } });
}
