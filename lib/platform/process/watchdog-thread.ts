import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";

// Safe because only `openWatchdog` starts this thread.
const { beats, stillS } = workerData as { readonly beats: Int32Array; readonly stillS: number };

let last = Atomics.load(beats, 0);
let still = 0;
setInterval(() => {
  const now = Atomics.load(beats, 0);
  still = now === last ? still + 1 : 0;
  last = now;
  if (still < stillS) return;
  // The log may be written by the thread that has stopped, so this line is written directly.
  const line = {
    level: "fatal",
    time: new Date().toISOString(),
    stillS,
    msg: "the work stands still; this process ends",
  };
  writeSync(2, `${JSON.stringify(line)}\n`);
  process.kill(process.pid, "SIGKILL");
}, 1_000);
