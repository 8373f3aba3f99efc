import type { CommandType } from "./lifecycle/command.ts";
import type { Action, State } from "./task.ts";

/** Why a command may not happen. A refusal is returned, never thrown. */
export type LifecycleRefusal =
  | { readonly type: "out-of-state"; readonly state: State; readonly command: CommandType }
  | { readonly type: "not-withdrawable"; readonly state: State; readonly use?: "prior_auth_void" | undefined }
  /** The gate is not the one that was shown, or it is no longer open. */
  | { readonly type: "stale"; readonly state: State }
  | { readonly type: "gate-expired"; readonly state: State; readonly action: Action }
  | { readonly type: "needs-adoption"; readonly state: State }
  /** The owner of the channel never releases what it requests. */
  | { readonly type: "owns-channel"; readonly state: State }
  /** This person edited the request, and the practice asks for several other people. */
  | { readonly type: "edited-it"; readonly state: State }
  /** This person has released already, and others are still needed. */
  | { readonly type: "released-already"; readonly state: State; readonly given: number; readonly needed: number }
  /** This person has given no release that could be withdrawn. */
  | { readonly type: "not-released"; readonly state: State }
  | { readonly type: "release-too-old"; readonly state: State }
  | { readonly type: "not-claimable"; readonly state: State }
  /** A later attempt has the submission; this one's result no longer counts. */
  | { readonly type: "attempt-superseded"; readonly state: State };
