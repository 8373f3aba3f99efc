import { setTimeout as sleep } from "node:timers/promises";
import { isJsonRpcError } from "@a2a-js/sdk/errors";
import type { Service, Task } from "./connect.ts";

const pollMsMin = 500;
const pollMsMax = 10_000;
const failuresMax = 8;

/** A2A's states in which a client has nothing to wait for; in the second kind it is the agent's turn. */
const ends: ReadonlySet<string> = new Set([
  "completed",
  "canceled",
  "rejected",
  "failed",
  "input-required",
  "auth-required",
]);

type Following = {
  readonly service: Service;
  readonly signal: AbortSignal;
  readonly onChange: (task: Task, before: Task | undefined) => void;
};

/**
 * Polls until there is nothing more to wait for: soon after a change, ever
 * more rarely while nothing happens, and later where the service asks for it.
 */
export async function follow(first: Task, { service, signal, onChange }: Following): Promise<Task> {
  let task = first;
  let pauseMs = pollMsMin;
  onChange(task, undefined);
  while (!ends.has(task.status.state)) {
    await sleep(service.retryAfterMs() ?? pauseMs, undefined, { signal });
    const polled = await pollPatiently(task.id, { service, signal });
    if (polled.state !== task.state) onChange(polled, task);
    pauseMs = polled.state === task.state ? Math.min(pauseMs * 1.5, pollMsMax) : pollMsMin;
    task = polled;
  }
  return task;
}

/** A lost connection or a busy service passes; a refusal does not. */
async function pollPatiently(id: string, { service, signal }: Pick<Following, "service" | "signal">): Promise<Task> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await service.get(id);
    } catch (error) {
      if (signal.aborted || isRefusal(error) || failures === failuresMax) throw error;
      await sleep(service.retryAfterMs() ?? Math.min(pollMsMin * 2 ** failures, pollMsMax), undefined, { signal });
    }
  }
}

/** -32000 is said when there is too much to do just now, -32603 when the service failed. */
function isRefusal(error: unknown): boolean {
  return isJsonRpcError(error) && ![-32_000, -32_603].includes(error.envelopeCode);
}
