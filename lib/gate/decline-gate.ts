import { declineReasons } from "#lib/messages/labels/decline-reasons";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { type DeclineCode } from "#lib/task/model/decline-code";
import type { ShownGate } from "#lib/task/model/lifecycle/command";
import { ok, refuse, type Result } from "#lib/platform/result";
import { visibleLength } from "#lib/platform/visible-length";
import { caseProblems } from "#lib/messages/problems/reviewer";
import { decideOnce, type DecisionResult } from "./decide-once.ts";
import { explainStale } from "./explain-stale.ts";
import type { Refusal } from "#lib/task/refusal";

export type Decline = {
  readonly taskId: string;
  readonly seen: ShownGate;
  readonly code?: DeclineCode | undefined;
  /** In the reviewer's words. Required for codes that do not explain themselves. */
  readonly reason?: string | undefined;
  readonly key?: string | undefined;
};

/**
 * Declines exactly what the page showed, with a reason for the agent. A first request ends as `declined`; an update or
 * a void leaves the case as the payer has it.
 */
export async function declineGate(
  ctx: Context<PersonActor>,
  { taskId, seen, code: chosen, reason: written, key }: Decline,
): Promise<Result<DecisionResult, Refusal>> {
  const code = chosen ?? "other";
  const reason = written ?? declineReasons[code];
  if (reason === undefined || visibleLength(reason) === 0) {
    const issue = chosen
      ? { path: "reason", problem: caseProblems.given }
      : { path: "code", problem: caseProblems.chosenOrWritten };
    return refuse({ type: "invalid", issues: [issue] });
  }
  const request = { taskId, key, intent: "decline", content: { seen, code, reason } };
  const changed = await decideOnce(ctx, request, async () =>
    ok({
      commands: [{ type: "decline", seen, by: ctx.actor.id, reason, reasonCode: code }],
      detail: { gate: seen.digest, gateId: seen.gateId, revision: seen.revision, reasonCode: code },
    }),
  );
  return changed.ok ? changed : explainStale(ctx, { taskId, seen }, changed.refusal);
}
