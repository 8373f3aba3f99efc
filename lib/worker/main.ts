import { sharedStore } from "#lib/store/db";
import { createLog } from "#lib/log";
import { onShutdown } from "#lib/process/on-shutdown";
import { startWorker } from "./run.ts";

const everyMs = 500;

const log = createLog("worker");
const store = sharedStore();
const worker = startWorker({ store, log, everyMs });
onShutdown(() => store.close());
onShutdown(() => worker.stop());
log.info("ready");
process.send?.("ready");
