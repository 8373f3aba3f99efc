/** Who moves next. */
export type Actor = "agent" | "reviewer" | "service" | "payer" | "none";

/** The exact states of a task. More may come: treat one you do not know by `status.state`. */
export type State =
  | "needs-information"
  | "transmit-held"
  | "transmit-released"
  | "transmitting"
  | "transmit-unconfirmed"
  | "transmitted"
  | "payer-needs-information"
  | "determined"
  | "void-held"
  | "void-released"
  | "voiding"
  | "void-unconfirmed"
  | "voided"
  | "withdrawn"
  | "declined"
  | "failed";

export type Problem = { readonly path: string; readonly problem: string; readonly fix: string };
export type Warning = { readonly code: string; readonly path: string; readonly problem: string };
export type Part = { readonly kind: string; readonly text?: string; readonly data?: Readonly<Record<string, unknown>> };

/** Where a task stands, in A2A's words. */
export type Status = {
  readonly state: "working" | "input-required" | "completed" | "canceled" | "failed" | "rejected";
  readonly timestamp: string;
  readonly message?: { readonly parts: readonly Part[] };
};

/** The gate that the task stands at, or the last one. */
export type Gate = {
  readonly id: string;
  readonly action: "transmit" | "void";
  readonly status: "open" | "released" | "declined" | "sent-back" | "recalled" | "expired" | "superseded" | "withdrawn";
  readonly digest: string;
  /** `auto-reviewer`: no person released it. Only of test data. */
  readonly releasedBy?: "auto-reviewer";
  readonly reason?: string;
  readonly reasonCode?: string;
  readonly fields?: readonly string[];
};

/** What the payer decided. One of `test` authorizes nothing. */
export type Determination = {
  readonly outcome: "approved" | "modified" | "partially-approved" | "denied" | "not-required";
  readonly environment: "live" | "test";
  readonly authorizationNumber?: string;
  readonly validFrom?: string;
  readonly validTo?: string;
  readonly revision: number;
  readonly lines: readonly { readonly sequence: number; readonly action?: string; readonly label?: string }[];
  readonly notes: readonly string[];
};

/** A task as the service tells it. Members that are not named here come too. */
export type Task = {
  readonly id: string;
  readonly contextId: string;
  readonly state: State;
  readonly version: number;
  readonly pollAfterSeconds?: number;
  readonly status: Status;
  readonly practiceId: string;
  readonly environment: "live" | "test";
  readonly nextAction: { readonly by: Actor; readonly what: string };
  readonly gate: Gate | null;
  /** JSON pointers into the service review. */
  readonly missing?: readonly string[];
  readonly problems?: readonly Problem[];
  readonly warnings?: readonly Warning[];
  readonly payerReference?: string;
  readonly determination?: Determination;
  readonly clock?: { readonly known: boolean; readonly dueAt?: string; readonly overdue?: boolean };
  readonly artifacts: readonly { readonly artifactId: string; readonly parts: readonly Part[] }[];
};
