import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { stateOf, type State, type Task } from "#lib/task/model/task";
import { findDecision, keepDecision } from "#lib/gate/store/decision-keys";
import { changeTask, practicesOf, type Change, type LoadedTask } from "#lib/task/change";
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

type Decide = (loaded: LoadedTask) => Promise<Result<Change, Refusal>>;

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
  const asked = { intent, contentDigest: digestOf({ intent, content }) };
  const mine = { personId: ctx.actor.id, key: key ?? "" };
  let before: DecisionResult | undefined;
  const changed = await changeTask(ctx, { taskId, practices: practicesOf(ctx) }, async (loaded) => {
    const { tx, row } = loaded;
    const kept = key === undefined ? undefined : await findDecision(tx, mine);
    if (kept) {
      const same = kept.taskId === row.id && kept.contentDigest === asked.contentDigest;
      if (!same) return refuse({ type: "key-reused" });
      before = answerOf(kept.answer);
      return ok("nothing");
    }
    const decided = await decide(loaded);
    if (!decided.ok || key === undefined) return decided;
    const alongside = (_: LoadedTask, after: Task) => {
      const answer = JSON.stringify(outcomeOf(after));
      return keepDecision(tx, mine, { ...asked, taskId: row.id, practiceId: row.practice_id, answer, at: row.now });
    };
    return ok({ ...decided.value, alongside });
  });
  if (!changed.ok) return changed;
  return ok(before ?? outcomeOf(changed.value.task));
}

function outcomeOf(task: Task): DecisionResult {
  return {
    state: stateOf(task),
    ...(task.motion.kind === "released" ? { claimableAt: task.motion.claimableAt } : {}),
  };
}

function answerOf(answer: string): DecisionResult {
  // Safe because only `decideOnce` writes this column, from this type.
  const { state, claimableAt } = JSON.parse(answer) as { state: State; claimableAt?: string };
  return { state, ...(claimableAt === undefined ? {} : { claimableAt: new Date(claimableAt) }) };
}

function digestOf(asked: object): string {
  return createHash("sha256")
    .update(canonicalize(asked) ?? "")
    .digest("hex");
}
