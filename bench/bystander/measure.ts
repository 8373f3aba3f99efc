import { setTimeout as wait } from "node:timers/promises";
import { ask, call, post } from "./post.ts";
import type { Bystander } from "./scene.ts";

/** What the bystander was answered in one stretch. */
export type Stretch = { readonly calls: readonly Answer[]; readonly queue: readonly Answer[] };

type Answer = { readonly status: number; readonly ms: number };

/** In ms. */
export type Times = { readonly p50: number; readonly p95: number };

const callEveryMs = 20;
const queueEveryMs = 300;

/** The bystander goes on as always: fifty polls a second, and the queue read again and again. */
export async function watch(bystander: Bystander, ms: number): Promise<Stretch> {
  const until = performance.now() + ms;
  const { port, cookie, taskId } = bystander;
  const poll = call("tasks/get", { id: taskId });
  const [calls, queue] = await Promise.all([
    pace(callEveryMs, until, () => post(bystander, poll)),
    pace(queueEveryMs, until, () => ask({ port, path: "/queue", headers: { cookie } })),
  ]);
  return { calls, queue };
}

/** How many of its requests were not answered with 200. */
export function failedIn({ calls, queue }: Stretch): number {
  return [...calls, ...queue].filter(({ status }) => status !== 200).length;
}

/** Begins one at each beat whether the one before was answered or not, or a slow server would be asked less. */
async function pace(everyMs: number, until: number, one: () => Promise<Answer>): Promise<readonly Answer[]> {
  const all: Promise<Answer>[] = [];
  while (performance.now() < until) {
    all.push(one());
    await wait(everyMs);
  }
  return Promise.all(all);
}

export function timesOf(answers: readonly Answer[]): Times {
  const sorted = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}
