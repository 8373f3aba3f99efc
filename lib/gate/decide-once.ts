import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { stateOf, type State, type Task } from "#lib/task/model/task";
import { findDecision } from "#lib/gate/store/decision-keys";
import { changeTask, practicesOf, tryChange, unchanged, type Change, type LoadedTask } from "#lib/task/change";
import type { Refusal } from "#lib/task/refusal";

/** Where the case stands after a decision; `claimableAt` while it waits out its recall window. */
export type DecisionResult = { readonly state: State; readonly claimableAt?: Date | undefined };

/** What is decided, and the key that was made with its form; without one each call is new. */
export type DecisionRequest = {
  readonly taskId: string;
  readonly key?: string | undefined;
  readonly intent: string;
  /** All that the decision says. */
  readonly content: object;
};

type Decide = (loaded: LoadedTask) => Promise<Result<Change<DecisionResult>, Refusal>>;

/**
 * Makes a decision of a reviewer once, however often it is asked for with the
 * same key and at whatever the same time: who asks again is told what came of
 * it the first time. The key with another content is `key-reused`. Only what
 * was decided is remembered, in the same commit; what was refused is tried anew.
 */
export async function decideOnce(
  ctx: Context<PersonActor>,
  { taskId, key, intent, content }: DecisionRequest,
  decide: Decide,
): Promise<Result<DecisionResult, Refusal>> {
  const request = { intent, contentDigest: digestOf({ intent, content }) };
  const changed = await changeTask<DecisionResult>(ctx, { taskId, practices: practicesOf(ctx) }, async (loaded) => {
    if (key === undefined) return decide(loaded);
    const mine = { personId: ctx.actor.id, key };
    const kept = await findDecision(loaded.tx, mine);
    if (kept) {
      const same = kept.taskId === loaded.row.id && kept.contentDigest === request.contentDigest;
      return same ? ok(unchanged(answerOf(kept.answer))) : refuse({ type: "key-reused" });
    }
    const decided = await decide(loaded);
    if (!decided.ok) return decided;
    const tried = tryChange(loaded, decided.value);
    if (!tried.ok) return tried;
    const decision = { ...request, taskId: loaded.row.id, answer: JSON.stringify(outcomeOf(tried.value.task)) };
    return ok({ ...decided.value, records: [{ type: "decision-key", key: mine, decision }] });
  });
  if (!changed.ok) return changed;
  return ok(changed.value.value ?? outcomeOf(changed.value.task));
}

function outcomeOf(task: Task): DecisionResult {
  const { stage } = task;
  return {
    state: stateOf(task),
    ...(stage.kind === "released" ? { claimableAt: stage.claimableAt } : {}),
  };
}

function answerOf(answer: string): DecisionResult {
  // Safe because only `decideOnce` writes this column, from this type.
  const { state, claimableAt } = JSON.parse(answer) as { state: State; claimableAt?: string };
  return { state, ...(claimableAt === undefined ? {} : { claimableAt: new Date(claimableAt) }) };
}

function digestOf(request: object): string {
  return createHash("sha256")
    .update(canonicalize(request) ?? "")
    .digest("hex");
}
