type Stop = () => Promise<void> | void;

let graceMs = 9_000;
const stops: Stop[] = [];
let stopping = false;

/**
 * Registers work to finish before this process ends on SIGTERM, SIGINT or the end of its parent process. The last registered
 * runs first, each once. The process then exits with 0, or with 1 if one of them failed or all together took over 9
 * seconds, and what they say they wait for besides. Safe to call from several modules.
 */
export function onShutdown(stop: Stop, { waitMs = 0 }: { readonly waitMs?: number } = {}): void {
  if (stops.length === 0) listen();
  stops.push(stop);
  graceMs += waitMs;
}

/** How long a worker that is to end waits for what it has in hand: an exchange with a payer, and the record of its answer. */
export function inHandMs(sendDeadlineMs: number): number {
  return sendDeadlineMs + 10_000;
}

function listen(): void {
  process.on("SIGTERM", shutDown);
  process.on("SIGINT", shutDown);
  exitWithParent(shutDown);
}

function shutDown(): void {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(1), graceMs).unref();
  void stopAll().then((code) => process.exit(code));
}

async function stopAll(): Promise<number> {
  let code = 0;
  for (const stop of stops.toReversed()) {
    try {
      await stop();
    } catch {
      code = 1;
    }
  }
  return code;
}

/**
 * Calls `leave` once when the parent process has ended for any reason, which closes its IPC channel. Does nothing in a process
 * without such a channel, such as one started by hand or by a service manager.
 */
export function exitWithParent(leave: () => void): void {
  if (process.send === undefined) return;
  if (process.connected) process.once("disconnect", leave);
  else leave();
}
