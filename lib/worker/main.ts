import { sharedStore } from "#lib/store/db";
import { env } from "#lib/env";
import { createLog } from "#lib/log";
import { armCrashPoint } from "#lib/process/crash-point";
import { onShutdown } from "#lib/process/on-shutdown";
import { startWorker } from "./run.ts";

const everyMs = 500;
const subscribeEveryMs = 10_000;

const { CRASH_POINT: point, CRASH_SIGNAL: signal } = env();
armCrashPoint(point && { point, signal });
const log = createLog("worker");
const store = sharedStore();
const push = { publicUrl: env().PUBLIC_URL, everyMs: subscribeEveryMs };
const worker = startWorker({ store, log, everyMs, deadlineMs: env().SEND_DEADLINE_MS, push });
onShutdown(() => store.close());
onShutdown(() => worker.stop());
log.info("ready");
process.send?.("ready");
