import type { ServiceReview } from "./service-review.d.ts";
import type { Task } from "./task.d.ts";

export type { ServiceReview } from "./service-review.d.ts";
export type { Task } from "./task.d.ts";
export type Determination = NonNullable<Task["determination"]>;
export type Gate = NonNullable<Task["gate"]>;

/** What the service refused, by the code and the data of its error. */
export declare class CallError extends Error {
  readonly code: number;
  /** `issues` of a -32602, `state` of a -32004, `requestId` of each but a -32003. */
  readonly data: Readonly<Record<string, unknown>>;
  constructor(failure: { code: number; message: string; data?: Record<string, unknown> });
}

export type ClientOptions = {
  /** The service's own address, without a path. */
  readonly url: string;
  /** The channel's key, or what gives a fresh access token for each call. */
  readonly key: string | (() => Promise<string>);
  /** Ends every call and every wait. */
  readonly signal?: AbortSignal | undefined;
  /** How often a call is tried that got no answer, 429, 503 or an internal error; 8 unless given. */
  readonly triesMax?: number | undefined;
};

export type FileToSend = { readonly name: string; readonly bytes: Uint8Array };

export type Request = {
  readonly practiceId: string;
  readonly serviceReview: ServiceReview;
  /** A note to the reviewer. */
  readonly note?: string | undefined;
  readonly files?: readonly FileToSend[] | undefined;
  /** The task whose authorization is renewed or extended; `certificationTypeCode` says which. */
  readonly renews?: string | undefined;
  /** Names the message for good. Keep it with your own record: sent again after a crash, nothing is done twice. */
  readonly messageId?: string | undefined;
  /** Where each later change of the task is told. */
  readonly webhook?: { readonly url: string; readonly token?: string } | undefined;
};

export type Waiting = {
  /** Waits for the next change alone, and not until the task ends or it is the agent's turn. */
  readonly once?: boolean | undefined;
  readonly onChange?: ((task: Task, before: Task) => void) | undefined;
};

/** A client of one channel. Every call that may pass when it is tried again, is: with the same message id. */
export declare class Client {
  constructor(options: ClientOptions);

  /** Opens a task. Throws a CallError where the service refuses. */
  send(request: Request): Promise<Task>;

  /** Replaces the service review of a task by a new revision; files stay, and new ones are added. */
  amend(task: Pick<Task, "id" | "practiceId">, change: Omit<Request, "practiceId" | "renews">): Promise<Task>;

  /** Asks to reverse what the payer has. A reviewer releases it. */
  void(task: Pick<Task, "id" | "practiceId">, reason: string, messageId?: string): Promise<Task>;

  /** Withdraws what the payer does not have. */
  cancel(task: Pick<Task, "id">): Promise<Task>;

  /** The task as it stands. */
  get(id: string): Promise<Task>;

  /**
   * Waits until there is nothing more to wait for: the task has ended, or it is the agent's turn. A person may take days;
   * the `signal` of the client ends the wait.
   */
  wait(task: Task, waiting?: Waiting): Promise<Task>;
}
