import { setTimeout as wait } from "node:timers/promises";
import type { Databases } from "../databases.ts";
import type { Agents } from "./agents-process.ts";
import type { Crowd } from "./crowd.ts";

type Measuring = {
  readonly databases: Pick<Databases, "redeliver">;
  readonly port: number;
  readonly crowd: Crowd;
  readonly agents: Agents;
  readonly count: number;
};

const settleMs = 2_000;
const endsWithinMs = 60_000;

/** Signed deliveries a second of the worker to a receiver that answers at once, when all of them are due together. */
export async function measureDeliveries({ databases, port, crowd, agents, count }: Measuring): Promise<number> {
  const { receiverPort, secrets } = crowd;
  const tasks = await crowd.open(count, `http://127.0.0.1:${receiverPort}/hook`);
  // The receiver is not up yet, and what it asks for in return is none of this.
  await crowd.change(tasks, 0);
  await wait(settleMs);
  await agents.begin({ mode: "webhook", port, tasks: [], paceMs: 0, receiverPort, secrets, expected: count });
  await databases.redeliver();
  const late = new AbortController();
  await Promise.race([agents.allCame(), wait(endsWithinMs, undefined, { signal: late.signal })]);
  late.abort();
  const { deliveries, firstMs, lastMs } = await agents.stop();
  if (deliveries < count) throw new Error(`Of ${count} deliveries, ${deliveries} came.`);
  return deliveries / ((lastMs - firstMs) / 1_000);
}
