import type { WireTask } from "../fixtures/agent.ts";
import type { Caller, Scene } from "./callers.ts";

/** One way to post an action. */
export type Attempt = {
  readonly what?: string;
  /** The page it is posted to. */
  readonly path: string;
  /** What a page would send. An action's own form, unless it takes something else. */
  readonly form?: Readonly<Record<string, string | readonly string[]>>;
  readonly args?: readonly unknown[];
  /**
   * What it does when one of those who may sends it: changes tables, leads to another address, or nothing that is
   * seen here (`where` says which test shows it).
   */
  readonly does: "changes" | "leads on" | { readonly where: string };
};

export type Action = {
  /** Who may; from everybody else it changes nothing. `all`: it is for whoever comes, and is only sent. */
  readonly for: readonly Caller[] | "all";
  /**
   * In this order, each by everybody who may not and then by one of those who may, who is `scene.doer`. Each of those who
   * may has a scene of their own.
   */
  readonly attempts: (scene: Scene, next: () => Promise<WireTask>) => Promise<readonly Attempt[]> | readonly Attempt[];
};

export const one = (path: string, form: Attempt["form"] = {}, does: Attempt["does"] = "changes") => [
  { path, form, does },
];

export const elsewhere = (where: string) => ({ does: { where } }) as const;
