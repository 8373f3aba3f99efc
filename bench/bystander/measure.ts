import { setTimeout as wait } from "node:timers/promises";
import { ask, call, post } from "./post.ts";
import type { Bystander } from "./scene.ts";

/** What the bystander saw in one stretch: times in ms, and how many of its requests were not answered with 200. */
export type Stretch = { readonly calls: Times; readonly queue: Times; readonly failed: number };
export type Times = { readonly p50: number; readonly p95: number };

const callEveryMs = 20;
const queueEveryMs = 300;

/** The bystander goes on as always: fifty polls a second, and the queue read again and again. */
export async function watch(bystander: Bystander, ms: number): Promise<Stretch> {
  const until = performance.now() + ms;
  const { port, cookie, taskId } = bystander;
  const poll = call("tasks/get", { id: taskId });
  const [calls, pages] = await Promise.all([
    pace(callEveryMs, until, () => post(bystander, poll)),
    pace(queueEveryMs, until, () => ask({ port, path: "/queue", headers: { cookie } })),
  ]);
  const failed = [...calls, ...pages].filter(({ status }) => status !== 200).length;
  return { calls: timesOf(calls), queue: timesOf(pages), failed };
}

type Answer = { readonly status: number; readonly ms: number };

/** Begins one at each beat whether the one before was answered or not, or a slow server would be asked less. */
async function pace(everyMs: number, until: number, one: () => Promise<Answer>): Promise<readonly Answer[]> {
  const all: Promise<Answer>[] = [];
  while (performance.now() < until) {
    all.push(one());
    await wait(everyMs);
  }
  return Promise.all(all);
}

function timesOf(answers: readonly Answer[]): Times {
  const sorted = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}
