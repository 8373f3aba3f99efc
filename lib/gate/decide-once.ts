import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { stateOf, type State, type Task } from "#lib/task/model/task";
import { findDecision } from "#lib/gate/store/decision-keys";
import { changeTask, practicesOf, tryChange, unchanged, type Change, type LoadedTask } from "#lib/task/change";
import type { Refusal } from "#lib/task/refusal";

/**
 * The case after a decision. `claimableAt` is set while the release can still be undone; `isManual` where a person
 * submits what was released.
 */
export type DecisionResult = {
  readonly state: State;
  readonly claimableAt?: Date | undefined;
  readonly isManual?: true | undefined;
};

/** A decision, and the key of the form that asks for it. Without a key, each call is a new decision. */
export type DecisionRequest = {
  readonly taskId: string;
  readonly key?: string | undefined;
  readonly intent: string;
  /** Everything that the decision consists of. */
  readonly content: object;
};

type Decide = (loaded: LoadedTask) => Promise<Result<Change<DecisionResult>, Refusal>>;

/**
 * Makes a reviewer's decision once, however often it arrives with the same key, also at the same time. A repetition
 * gets the first answer. The same key with other content is refused as `key-reused`. Only accepted decisions are
 * remembered, in their own commit; a refused one is tried again.
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
    const records = [...(decided.value.records ?? []), { type: "decision-key", key: mine, decision } as const];
    return ok({ ...decided.value, records });
  });
  if (!changed.ok) return changed;
  return ok(changed.value.value ?? outcomeOf(changed.value.task));
}

function outcomeOf(task: Task): DecisionResult {
  const { stage } = task;
  return {
    state: stateOf(task),
    ...(stage.kind === "released" ? { claimableAt: stage.claimableAt } : {}),
    ...(stage.kind === "released" && stage.gate.manual ? { isManual: true } : {}),
  };
}

function answerOf(answer: string): DecisionResult {
  // Safe because only `decideOnce` writes this column, from this type.
  const { claimableAt, ...rest } = JSON.parse(answer) as { state: State; claimableAt?: string; isManual?: true };
  return { ...rest, ...(claimableAt === undefined ? {} : { claimableAt: new Date(claimableAt) }) };
}

function digestOf(request: object): string {
  return createHash("sha256")
    .update(canonicalize(request) ?? "")
    .digest("hex");
}
