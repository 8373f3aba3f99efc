import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceReview } from "./service-review.ts";
import type { Task } from "./task.ts";

export type { ServiceReview } from "./service-review.ts";
export type * from "./task.ts";

/** What the service refused, by the code and the data of its error. */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly code: number;
  /** `issues` of a -32602, `state` of a -32004, `requestId` of each but a -32003. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor({
    code,
    message,
    data = {},
  }: {
    code: number;
    message: string;
    data?: Readonly<Record<string, unknown>>;
  }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export type ClientOptions = {
  /** The service's own address, without a path. */
  readonly url: string;
  /** The channel's key, or what gives a fresh access token for each call. */
  readonly key: string | (() => Promise<string>);
  /** Ends every call and every wait. */
  readonly signal?: AbortSignal | undefined;
  /** How often a call is tried that got no answer, 429, 503 or an internal error; 8 unless given. */
  readonly triesMax?: number;
};

export type Request = {
  readonly practiceId: string;
  readonly serviceReview: ServiceReview;
  /** A note to the reviewer. */
  readonly note?: string | undefined;
  readonly files?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Names the message for good. Keep it with your own record: sent again after a crash, nothing is done twice. */
  readonly messageId?: string;
  /** Where each later change of the task is told. */
  readonly webhook?: { readonly url: string; readonly token?: string };
};

export type Waiting = {
  /** Waits for the next change alone, and not until the task ends or it is the agent's turn. */
  readonly once?: boolean;
  readonly onChange?: (task: Task, before: Task) => void;
};

/** Longest that the service holds one answer back here; a proxy may end what is silent for a minute. */
const waitSeconds = 45;
const answerMsMax = (waitSeconds + 30) * 1000;

/** A client of one channel. Every call that may pass when it is tried again, is: with the same message id. */
export class Client {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Opens a task. Throws a CallError where the service refuses. */
  async send(request: Request): Promise<Task> {
    return this.#send(request, undefined);
  }

  /** Replaces the service review of a task by a new revision; files stay, and new ones are added. */
  async amend(task: Pick<Task, "id" | "practiceId">, change: Omit<Request, "practiceId">): Promise<Task> {
    return this.#send({ ...change, practiceId: task.practiceId }, task.id);
  }

  /** Asks to reverse what the payer has. A reviewer releases it. */
  async void(task: Pick<Task, "id" | "practiceId">, reason: string, messageId = crypto.randomUUID()): Promise<Task> {
    const data = { skill: "prior_auth_void", practiceId: task.practiceId, taskId: task.id, reason };
    return this.#call("message/send", { message: { role: "user", messageId, parts: [{ kind: "data", data }] } });
  }

  /** Withdraws what the payer does not have. */
  async cancel({ id }: Pick<Task, "id">): Promise<Task> {
    return this.#call("tasks/cancel", { id });
  }

  /** The task as it stands. */
  async get(id: string): Promise<Task> {
    return this.#call("tasks/get", { id });
  }

  /**
   * Waits until there is nothing more to wait for: the task has ended, or it is the agent's turn. A person may take days;
   * the `signal` of the client ends the wait.
   */
  async wait(task: Task, { once = false, onChange }: Waiting = {}): Promise<Task> {
    let now = task;
    while (now.status.state === "working") {
      const metadata = { unlessVersion: now.version, waitSeconds };
      const told = await this.#call<Task & { readonly unchanged?: true }>("tasks/get", { id: now.id, metadata });
      if (told.unchanged) continue;
      onChange?.(told, now);
      now = told;
      if (once) break;
    }
    return now;
  }

  async #send(request: Request, taskId: string | undefined): Promise<Task> {
    const { practiceId, serviceReview, note, files = [], messageId = crypto.randomUUID(), webhook } = request;
    const parts = [
      { kind: "data", data: { skill: "prior_auth_intake", practiceId, serviceReview } },
      ...(note === undefined ? [] : [{ kind: "text", text: note }]),
      ...files.map(({ name, bytes }) => ({
        kind: "file",
        file: { name, bytes: Buffer.from(bytes).toString("base64") },
      })),
    ];
    const message = { role: "user", messageId, taskId, parts };
    return this.#call("message/send", { message, configuration: { pushNotificationConfig: webhook } });
  }

  async #call<Result = Task>(method: string, params: object): Promise<Result> {
    const { triesMax = 8, signal } = this.#options;
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#post(body).catch((error: unknown) => ({ lost: error }));
      if ("result" in answer) return answer.result as Result;
      const mayPass = "lost" in answer || mayPassLater.has(answer.error.code);
      if (signal?.aborted || !mayPass || tries >= triesMax) {
        throw "lost" in answer ? answer.lost : new CallError(answer.error);
      }
      const pauseMs = Math.min(500 * 2 ** (tries - 1), 10_000);
      const askedMs = "lost" in answer ? undefined : answer.retryAfterMs;
      await sleep(askedMs ?? pauseMs * (0.5 + Math.random() / 2), undefined, { signal });
    }
  }

  async #post(body: string): Promise<Answer> {
    const { url, key, signal } = this.#options;
    const credential = typeof key === "string" ? key : await key();
    const timeout = AbortSignal.timeout(answerMsMax);
    const response = await fetch(new URL("/api/a2a", url), {
      method: "POST",
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      body,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const after = Number(response.headers.get("retry-after") ?? Number.NaN);
    // Safe because the service answers every call with a JSON-RPC reply; what a proxy answers instead is no JSON and throws.
    const reply = (await response.json()) as Reply;
    if ("error" in reply)
      return { error: reply.error, retryAfterMs: Number.isFinite(after) ? after * 1000 : undefined };
    return { result: reply.result };
  }
}

/** There is too much to do just now, or the service failed. */
const mayPassLater: ReadonlySet<number> = new Set([-32_000, -32_603]);

type Failure = { readonly code: number; readonly message: string; readonly data?: Readonly<Record<string, unknown>> };
type Reply = { readonly result: unknown } | { readonly error: Failure };
type Answer = { readonly result: unknown } | { readonly error: Failure; readonly retryAfterMs: number | undefined };
