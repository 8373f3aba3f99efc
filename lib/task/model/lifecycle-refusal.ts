import type { CommandType } from "./lifecycle/command.ts";
import type { State } from "./task.ts";

/** Why the lifecycle will not do as it is told. A refusal is an answer: returned, never thrown. */
export type LifecycleRefusal =
  | { readonly type: "out-of-state"; readonly state: State; readonly command: CommandType }
  | { readonly type: "not-withdrawable"; readonly state: State; readonly use?: "prior_auth_void" | undefined }
  /** The gate is not the one that was shown, or it is no longer open. */
  | { readonly type: "stale"; readonly state: State }
  | { readonly type: "gate-expired"; readonly state: State }
  | { readonly type: "needs-adoption"; readonly state: State }
  /** Who answers for the channel releases nothing of what it asks. */
  | { readonly type: "owns-channel"; readonly state: State }
  /** This person's release stands, and others are still needed. */
  | { readonly type: "released-already"; readonly state: State; readonly given: number; readonly needed: number }
  /** There is no release of this person to take back. */
  | { readonly type: "not-released"; readonly state: State }
  | { readonly type: "release-too-old"; readonly state: State }
  | { readonly type: "not-claimable"; readonly state: State }
  /** Another attempt holds the transmission now; this one's word no longer counts. */
  | { readonly type: "attempt-superseded"; readonly state: State };
