import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { askableFields } from "#lib/gate/model/askable-fields";
import type { ShownGate } from "#lib/task/model/lifecycle/command";
import { ok, refuse, type Result } from "#lib/platform/result";
import { loadRevision } from "#lib/task/store/load-task";
import type { LoadedTask } from "#lib/task/change";
import { caseProblems } from "#lib/messages/problems/reviewer";
import { decideOnce, type DecisionResult } from "./decide-once.ts";
import { explainStale } from "./explain-stale.ts";
import type { Refusal } from "#lib/task/refusal";

export type SendBack = {
  readonly taskId: string;
  readonly seen: ShownGate;
  readonly question: string;
  /** JSON pointers into the service review of what the question is about. */
  readonly fields?: readonly string[] | undefined;
  readonly key?: string | undefined;
};

/**
 * Returns a request to the agent with a question, and with the members of the service review that it is about. These
 * must be members that a reviewer may ask about. A void cannot be returned.
 */
export async function requestInformation(
  ctx: Context<PersonActor>,
  { taskId, seen, question, fields = [], key }: SendBack,
): Promise<Result<DecisionResult, Refusal>> {
  const request = { taskId, key, intent: "send-back", content: { seen, question, fields } };
  const changed = await decideOnce(ctx, request, async (loaded) => {
    if (!(await areAskable(loaded, seen, fields))) {
      return refuse({ type: "invalid", issues: [{ path: "fields", problem: caseProblems.requestFields }] });
    }
    return ok({
      commands: [{ type: "request-information", seen, by: ctx.actor.id, question, fields: [...new Set(fields)] }],
      detail: { gate: seen.digest, gateId: seen.gateId, revision: seen.revision },
    });
  });
  return changed.ok ? changed : explainStale(ctx, { taskId, seen }, changed.refusal);
}

/** Not checked for a stale page: the lifecycle refuses it anyway. */
async function areAskable({ tx, row }: LoadedTask, seen: ShownGate, fields: readonly string[]): Promise<boolean> {
  if (fields.length === 0 || seen.revision !== row.revision) return true;
  const place = { taskId: row.id, number: row.revision, practiceId: row.practice_id };
  const { review } = await loadRevision(tx, place);
  const askable = new Set(askableFields(review));
  return fields.every((field) => askable.has(field));
}
