import { Worker } from "node:worker_threads";
import type { CallLimits } from "#lib/channel/store/admission";
import { type AnsweredFigures, countCall } from "#lib/platform/metrics/instruments";
import type { Full, LeaveCall, Load } from "./admit/load.ts";
import { isTurnedAway } from "./reply/faults.ts";
import type { AnsweredCall } from "./wait.ts";

/**
 * A call that reads or opens more bytes is answered in the other thread. Reading and storing a file of 5 MB takes about
 * 70 ms of processor time, during which this thread would answer no other call. A short call is faster without the move.
 */
export const mainThreadBytesMax = 128 * 1024;

/** A call whose body was read, with everything that its answer depends on. */
export type ReceivedCall = {
  readonly bytes: Uint8Array;
  readonly authorization: string | undefined;
  readonly traceparent?: string | undefined;
  readonly address: string | undefined;
  /** Milliseconds that the call has taken so far. */
  readonly ms: number;
  /** The name of its reply. */
  readonly requestId: string;
};

/** Answers calls in a thread of its own, so that no other call waits while a long body is parsed, hashed and encrypted. */
export type LongCallThread = {
  /** Rejects with `ThreadEnded` if the thread ended meanwhile. The command may have taken effect all the same. */
  readonly answer: (call: ReceivedCall) => Promise<AnsweredCall>;
  /** Ends the thread after it has written its counts. */
  readonly close: () => Promise<void>;
};

export class ThreadEnded extends Error {
  override readonly name = "ThreadEnded";
}

type Entering = { readonly channelId: string; readonly limits: CallLimits; readonly bytes: number };

/** Only the main thread counts the load, so the thread asks it to admit each call. */
export type MessageToThread =
  | { readonly type: "call"; readonly n: number; readonly call: ReceivedCall }
  | { readonly type: "entered"; readonly n: number; readonly full: Full | undefined }
  | { readonly type: "close" };

/** The main thread counts the calls and writes the log lines of both threads. */
export type MessageFromThread =
  | ({ readonly type: "enter"; readonly n: number } & Entering)
  | { readonly type: "reply"; readonly n: number; readonly answered: AnsweredCall }
  | { readonly type: "line"; readonly line: string }
  | { readonly type: "answered"; readonly answered: AnsweredFigures };

type ThreadOptions = {
  readonly load: Load;
  readonly writeLine: (line: string) => void;
  readonly onError: (error: unknown) => void;
  /** The environment of the thread; a test may replace this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
};

type PendingCall = {
  readonly answer: (answered: AnsweredCall) => void;
  readonly fail: (error: Error) => void;
  leave?: LeaveCall;
};

/** Far longer than all the waits of a call together. A thread that takes longer has stopped working and is ended. */
const answerMs = 60_000;

/** The thread starts with the first call, and again with the next call after it has ended. */
export function openLongCallThread({ load, writeLine, onError, env }: ThreadOptions): LongCallThread {
  const open = new Map<number, PendingCall>();
  let thread: Worker | undefined;
  let last = 0;

  function start(): Worker {
    // The command-line options of this process are not meant for the thread.
    const started = new Worker(new URL("./long-call-worker.ts", import.meta.url), {
      execArgv: [],
      ...(env && { env: { ...env } }),
    });
    started.unref();
    started.on("message", (message: MessageFromThread) => void handleMessage(started, message).catch(onError));
    started.on("error", onError);
    started.on("exit", () => {
      if (thread === started) thread = undefined;
      for (const { fail } of open.values()) fail(new ThreadEnded("The thread for long calls ended."));
    });
    return started;
  }

  async function handleMessage(from: Worker, message: MessageFromThread): Promise<void> {
    if (message.type === "line") return writeLine(message.line);
    if (message.type === "answered") return countCall(message.answered);
    if (message.type === "reply") return open.get(message.n)?.answer(message.answered);
    const { n, channelId, limits, bytes } = message;
    const entered = await load.enter(channelId, limits, bytes);
    const call = open.get(n);
    if ("full" in entered) return post(from, { type: "entered", n, full: entered });
    // The call may have failed while it waited to be admitted.
    if (!call) return entered.leave(true);
    call.leave = entered.leave;
    post(from, { type: "entered", n, full: undefined });
  }

  async function answer(call: ReceivedCall): Promise<AnsweredCall> {
    last += 1;
    const n = last;
    const to = (thread ??= start());
    const { promise, resolve, reject } = Promise.withResolvers<AnsweredCall>();
    const entry: PendingCall = { answer: resolve, fail: reject };
    open.set(n, entry);
    const late = setTimeout(() => void to.terminate(), answerMs);
    let answered: AnsweredCall | undefined;
    try {
      post(to, { type: "call", n, call }, call.bytes);
      return (answered = await promise);
    } finally {
      clearTimeout(late);
      open.delete(n);
      // A thread that ended is answered as a busy service.
      entry.leave?.(!answered || isTurnedAway(answered.reply.status));
    }
  }

  return {
    answer,
    close: async () => {
      if (!thread) return;
      const ended = new Promise((resolve) => thread?.once("exit", resolve));
      thread.ref();
      post(thread, { type: "close" });
      await ended;
    },
  };
}

/** Bytes that fill their buffer are transferred; others are copied. */
function post(to: Worker, message: MessageToThread, bytes?: Uint8Array): void {
  const isWhole = bytes?.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  to.postMessage(message, isWhole ? [bytes.buffer] : []);
}
