import type { Change } from "#lib/task/model/changes";
import type { LifecycleRefusal } from "#lib/task/model/lifecycle-refusal";
import type { CaseCheck } from "#lib/gate/case-check";

export type { Change };

/** A field of the input that will not do, as a JSON pointer and what is wrong with it. */
export type Issue = { readonly path: string; readonly problem: string };

/**
 * Why a verb did not do what was asked. `not-authorised` and `not-found` carry
 * nothing: what may not be seen does not exist.
 */
export type Refusal =
  | { readonly type: "not-authorised" }
  | { readonly type: "not-found" }
  | { readonly type: "invalid"; readonly issues: readonly Issue[] }
  /** Somebody answered this gate first; `by` is their name, shown to reviewers of the practice only. */
  | { readonly type: "already-decided"; readonly by: string; readonly answer: string; readonly at: Date }
  /** The form's key was used for another decision of this person. */
  | { readonly type: "key-reused" }
  /** The practice asks whoever releases this to prove again who they are. */
  | { readonly type: "proof-needed" }
  /** Nobody answers for the channel that asked for it, so nobody can tell who may not release it. */
  | { readonly type: "no-owner" }
  /** The case changed since the page was drawn. */
  | { readonly type: "changed"; readonly changes: readonly Change[]; readonly why: string }
  /** Nobody may release it as it stands. */
  | { readonly type: "blocked"; readonly checks: readonly CaseCheck[] }
  /** These warnings were not on the page that was decided on. */
  | { readonly type: "warned"; readonly checks: readonly CaseCheck[] }
  /** The practice's record lacks what was in it; what is accepted now might be lost. */
  | { readonly type: "record-stopped" }
  | LifecycleRefusal;
