import type { Change } from "#lib/task/model/changes";
import type { LifecycleRefusal } from "#lib/task/model/lifecycle-refusal";
import type { CaseCheck } from "#lib/gate/model/check";

export type { Change };

/** A field of the input that is not accepted, as a JSON pointer, and what is wrong with it. */
export type Issue = {
  readonly path: string;
  readonly problem: string;
  /** What may have been meant. */
  readonly suggestions?: readonly { readonly id: string; readonly name?: string | undefined }[];
};

/** Why a verb refused. `not-authorised` and `not-found` have no details: what may not be seen does not exist. */
export type Refusal =
  | { readonly type: "not-authorised" }
  | { readonly type: "not-found" }
  | { readonly type: "invalid"; readonly issues: readonly Issue[] }
  /** Somebody has answered at this gate already. `by` is their name, shown only to reviewers of the practice. */
  /** `isOwn`: whoever asks decided it earlier, such as on another page. */
  | {
      readonly type: "already-decided";
      readonly by: string;
      readonly isOwn: boolean;
      readonly answer: string;
      readonly at: Date;
    }
  /** The form's key was used for another decision of this person. */
  | { readonly type: "key-reused" }
  /** The practice requires whoever releases this to verify their identity again. */
  | { readonly type: "proof-needed" }
  /** The requesting channel has no owner, so it is unknown who may not release its requests. */
  | { readonly type: "no-owner" }
  /** The case has changed since the page was drawn. */
  | { readonly type: "changed"; readonly changes: readonly Change[]; readonly why: string }
  /** Nobody may release it as it is. */
  | { readonly type: "blocked"; readonly checks: readonly CaseCheck[] }
  /** These warnings were not on the page. */
  | { readonly type: "warned"; readonly checks: readonly CaseCheck[] }
  /** The practice's audit log lacks entries, so what is accepted now might be lost. */
  | { readonly type: "record-stopped" }
  /** Commits wait for no standby, so what is accepted now would be lost with one machine. */
  | { readonly type: "not-replicated" }
  | LifecycleRefusal;
