import { Worker } from "node:worker_threads";

export type Watchdog = {
  /** Says that the work goes on. */
  readonly beat: () => void;
};

/**
 * Ends this process by SIGKILL once `stillS` seconds have passed without a beat, so that whoever started it starts it
 * anew. A thread of its own counts them, which what keeps this one busy for ever does not stop; and it counts seconds it
 * was awake for, so that a process that was stopped, or whose machine slept, is not taken for one that stands still.
 */
export function openWatchdog({ stillS }: { readonly stillS: number }): Watchdog {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  // None of what this process was started with is meant for that thread.
  const options = { workerData: { beats, stillS }, execArgv: [] };
  new Worker(new URL("./watchdog-thread.ts", import.meta.url), options).unref();
  return { beat: () => void Atomics.add(beats, 0, 1) };
}
