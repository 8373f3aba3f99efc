/** Whom a call is made as, and what it names: a practice, or one of its tasks. */
export type Subject = { readonly key: string; readonly practiceId: string; readonly taskId?: string | undefined };

export type Method = "tasks/get" | "message/send";

/** What one run of the generator does. `fill` sends a number of messages and gives the tasks they made. */
export type Job = {
  readonly port: number;
  readonly method: Method;
  readonly clients: number;
  readonly subjects: readonly Subject[];
  readonly serviceReview: object;
  /** How many of its messages a get asks for with the task. */
  readonly historyLength?: number;
} & (
  | { readonly kind: "measure"; readonly warmMs: number; readonly measureMs: number }
  | { readonly kind: "fill"; readonly count: number }
);

/** Replies a second, and milliseconds from a request's first byte to its whole reply. */
export type Measurement = {
  readonly requestsPerS: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Replies in all, those of the warm-up included. */
  readonly replies: number;
  /** Share of one core the generator itself took. */
  readonly generatorCpu: number;
};

export type Outcome =
  | { readonly measured: Measurement }
  | { readonly filled: readonly Subject[] }
  | { readonly failed: string };
