import { Worker } from "node:worker_threads";
import type { CallLimits } from "#lib/channel/store/admission";
import type { LoadAdmission, Load } from "./admit/load.ts";
import type { Reply } from "#lib/platform/http/reply";

/**
 * A call with a longer body than that is answered aside. To read and store a file of 5 MB takes some 70 ms of a
 * processor, in which nobody else is answered; what is short is answered sooner where it came.
 */
export const bytesAnsweredHere = 128 * 1024;

/** A call whose body was read: all that its answer depends on. */
export type ReadCall = {
  readonly bytes: Uint8Array;
  readonly authorization: string | undefined;
  readonly address: string | undefined;
  /** How long it took until now. */
  readonly ms: number;
};

/** Answers calls in a thread of its own, so that no other call waits while a long one is read, hashed and sealed. */
export type Aside = {
  /** Fails with `AsideEnded` where the thread ended meanwhile; what was asked may have been done then. */
  readonly answer: (call: ReadCall) => Promise<Reply>;
  /** Ends the thread, once it has written what it counted. */
  readonly close: () => Promise<void>;
};

export class AsideEnded extends Error {
  override readonly name = "AsideEnded";
}

type Full = Exclude<LoadAdmission, { readonly leave: unknown }>;
type Entering = { readonly channelId: string; readonly limits: CallLimits; readonly bytes: number };

/** What the thread is told. There is one load to count, so it asks for each call whether it is let in. */
export type ToThread =
  | { readonly type: "call"; readonly n: number; readonly call: ReadCall }
  | { readonly type: "entered"; readonly n: number; readonly full: Full | undefined }
  | { readonly type: "close" };

/** What the thread tells. Its log lines are written by one hand with all others. */
export type FromThread =
  | ({ readonly type: "enter"; readonly n: number } & Entering)
  | { readonly type: "reply"; readonly n: number; readonly reply: Reply }
  | { readonly type: "line"; readonly line: string };

type AsideOptions = {
  readonly load: Load;
  readonly writeLine: (line: string) => void;
  readonly onError: (error: unknown) => void;
  /** What the thread reads its settings from; this process's own unless a test says otherwise. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
};

type Open = { readonly answer: (reply: Reply) => void; readonly fail: (error: Error) => void; leave?: () => void };

/** Far more than the bounds of all it waits for come to; a thread that takes longer stands still. */
const answerMs = 60_000;

/** The thread starts with the first call, and anew with the next one after it ended. */
export function openAside({ load, writeLine, onError, env }: AsideOptions): Aside {
  const open = new Map<number, Open>();
  let thread: Worker | undefined;
  let last = 0;

  function start(): Worker {
    // None of what this process was started with is meant for that thread.
    const started = new Worker(new URL("./aside-thread.ts", import.meta.url), {
      execArgv: [],
      ...(env && { env: { ...env } }),
    });
    started.unref();
    started.on("message", (message: FromThread) => void hear(started, message).catch(onError));
    started.on("error", onError);
    started.on("exit", () => {
      if (thread === started) thread = undefined;
      for (const { fail } of open.values()) fail(new AsideEnded("The thread for long calls ended."));
    });
    return started;
  }

  async function hear(from: Worker, message: FromThread): Promise<void> {
    if (message.type === "line") return writeLine(message.line);
    if (message.type === "reply") return open.get(message.n)?.answer(message.reply);
    const { n, channelId, limits, bytes } = message;
    const entered = await load.enter(channelId, limits, bytes);
    const call = open.get(n);
    if ("full" in entered) return tell(from, { type: "entered", n, full: entered });
    // It may have failed while it was asked.
    if (!call) return entered.leave();
    call.leave = entered.leave;
    tell(from, { type: "entered", n, full: undefined });
  }

  async function answer(call: ReadCall): Promise<Reply> {
    last += 1;
    const n = last;
    const to = (thread ??= start());
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const entry: Open = { answer: resolve, fail: reject };
    open.set(n, entry);
    const late = setTimeout(() => void to.terminate(), answerMs);
    try {
      tell(to, { type: "call", n, call }, call.bytes);
      return await promise;
    } finally {
      clearTimeout(late);
      open.delete(n);
      entry.leave?.();
    }
  }

  return {
    answer,
    close: async () => {
      if (!thread) return;
      const ended = new Promise((resolve) => thread?.once("exit", resolve));
      thread.ref();
      tell(thread, { type: "close" });
      await ended;
    },
  };
}

/** Bytes that have their memory for themselves are handed over, others copied. */
function tell(to: Worker, message: ToThread, bytes?: Uint8Array): void {
  const isWhole = bytes?.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  to.postMessage(message, isWhole ? [bytes.buffer] : []);
}
