// @ts-check
// The client of the prior authorization service. Its types are in index.d.ts; node 20 or later runs this file as it is.

/** @import { Client as Shape, ClientOptions, FileToSend, Request, Task, Waiting } from "./index.d.ts" */
/** @typedef {{ code: number, message: string, data?: Record<string, unknown> }} Failure */
/** @typedef {{ result: unknown } | { error: Failure, status: number, retryAfterMs?: number | undefined }} Answer */

/** Longest that the service holds one answer back here; a proxy may end what is silent for a minute. */
const waitSeconds = 45;
const answerMsMax = (waitSeconds + 30) * 1000;

/** There is too much to do just now, or the service failed. */
const mayPassLater = new Set([-32_000, -32_603]);

/** The body came too slowly, as on a network that changed: nothing is wrong with what was sent. */
const tooSlow = 408;

/** What the service refused, by the code and the data of its error. */
export class CallError extends Error {
  /** @param {Failure} failure */
  constructor({ code, message, data = {} }) {
    super(message);
    this.name = "CallError";
    this.code = code;
    this.data = data;
  }
}

/**
 * A client of one channel. Every call that may pass when it is tried again, is: with the same message id.
 *
 * @implements {Shape}
 */
export class Client {
  /** @type {ClientOptions} */
  #options;

  /** @param {ClientOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /** @param {Request} request */
  async send(request) {
    return this.#send(request, undefined);
  }

  /** @type {Shape["amend"]} */
  async amend(task, change) {
    return this.#send({ ...change, practiceId: task.practiceId }, task.id);
  }

  /** @type {Shape["void"]} */
  async void(task, reason, messageId = crypto.randomUUID()) {
    const data = { skill: "prior_auth_void", practiceId: task.practiceId, taskId: task.id, reason };
    return this.#task("message/send", { message: { role: "user", messageId, parts: [{ kind: "data", data }] } });
  }

  /** @type {Shape["cancel"]} */
  async cancel({ id }) {
    return this.#task("tasks/cancel", { id });
  }

  /** @param {string} id */
  async get(id) {
    return this.#task("tasks/get", { id });
  }

  /** @type {Shape["wait"]} */
  async wait(task, { once = false, onChange } = {}) {
    let now = task;
    while (now.status.state === "working" && now.nextAction.by !== "agent") {
      const metadata = { unlessVersion: now.version, waitSeconds };
      const changed = await this.#task("tasks/get", { id: now.id, metadata });
      if ("unchanged" in changed) continue;
      onChange?.(changed, now);
      now = changed;
      if (once) break;
    }
    return now;
  }

  /**
   * @param {Request} request
   * @param {string | undefined} taskId
   */
  async #send({ practiceId, serviceReview, note, files = [], renews, webhook, ...named }, taskId) {
    const parts = [
      { kind: "data", data: { skill: "prior_auth_intake", practiceId, serviceReview } },
      ...(note === undefined ? [] : [{ kind: "text", text: note }]),
      ...files.map(filePart),
    ];
    const referenceTaskIds = renews === undefined ? undefined : [renews];
    const messageId = named.messageId ?? crypto.randomUUID();
    const message = { role: "user", messageId, taskId, referenceTaskIds, parts };
    return this.#task("message/send", { message, configuration: { pushNotificationConfig: webhook } });
  }

  /**
   * Each of the three methods gives a task.
   *
   * @param {string} method
   * @param {object} params
   * @returns {Promise<Task>}
   */
  async #task(method, params) {
    const { triesMax = 8, signal } = this.#options;
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#post(body).catch((/** @type {unknown} */ error) => ({ lost: error }));
      if ("result" in answer) return /** @type {Task} */ (answer.result);
      const mayPass = "lost" in answer || answer.status === tooSlow || mayPassLater.has(answer.error.code);
      if (signal?.aborted || !mayPass || tries >= triesMax) {
        throw "lost" in answer ? answer.lost : new CallError(answer.error);
      }
      const pauseMs = Math.min(500 * 2 ** (tries - 1), 10_000);
      const statedMs = "lost" in answer ? undefined : answer.retryAfterMs;
      await sleep(statedMs ?? pauseMs * (0.5 + Math.random() / 2), signal);
    }
  }

  /**
   * @param {string} body
   * @returns {Promise<Answer>}
   */
  async #post(body) {
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
    // The service answers every call with a JSON-RPC reply; what a proxy answers instead is no JSON and throws.
    const reply = await response.json();
    if (!("error" in reply)) return { result: reply.result };
    const retryAfterMs = Number.isFinite(after) ? after * 1000 : undefined;
    return { error: reply.error, status: response.status, retryAfterMs };
  }
}

/** @param {FileToSend} file */
function filePart({ name, bytes }) {
  let text = "";
  // In pieces, because a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { kind: "file", file: { name, bytes: btoa(text) } };
}

/**
 * @param {number} ms
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<void>}
 */
function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
