import type { Subject } from "../job.ts";

/** How an agent learns that one of its tasks changed. */
export const ways = ["nobody asks", "poll every 10 s", "poll by pollAfterSeconds", "wait for 60 s", "webhook"] as const;
export type Mode = (typeof ways)[number];

/** What the agents' process does until it is told to stop. */
export type Errand = {
  readonly mode: Mode;
  readonly port: number;
  readonly tasks: readonly Subject[];
  /** What `pollAfterSeconds` comes to, for tasks that have stood as long as these. */
  readonly paceMs: number;
  /** Where the receiver of webhooks listens. */
  readonly receiverPort: number;
  /** The signing secrets of the channels; each delivery has to be signed with one of them. */
  readonly secrets: readonly string[];
  /** "all came" is said with the last of so many deliveries. */
  readonly expected?: number;
};

export type ToAgents = Errand | "stop";

/** Bytes are those of HTTP in both directions, without TLS and TCP. */
export type Tally = {
  readonly calls: number;
  readonly deliveries: number;
  readonly bytes: number;
  /** Milliseconds from each change of a task until its agent had the new state. */
  readonly learnedMs: readonly number[];
  /** When the first and the last delivery came, by `Date.now()`. */
  readonly firstMs: number;
  readonly lastMs: number;
};

/** "under way" is said once every task has been asked for. */
export type FromAgents = "ready" | "under way" | "all came" | { readonly tally: Tally } | { readonly failed: string };
