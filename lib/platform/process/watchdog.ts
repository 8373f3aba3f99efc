import { Worker } from "node:worker_threads";

export type Watchdog = {
  /** Reports that the process is working. */
  readonly beat: () => void;
};

/**
 * Ends this process with SIGKILL after `stillS` seconds without a beat, so that its supervisor restarts it. A separate thread
 * counts the seconds, so that an endless loop in this one does not prevent it. Only seconds in which the thread ran count,
 * so that a suspended process or machine is not taken for a stuck one.
 */
export function openWatchdog({ stillS }: { readonly stillS: number }): Watchdog {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  // The command-line options of this process are not meant for the thread.
  const options = { workerData: { beats, stillS }, execArgv: [] };
  new Worker(new URL("./watchdog-thread.ts", import.meta.url), options).unref();
  return { beat: () => void Atomics.add(beats, 0, 1) };
}
