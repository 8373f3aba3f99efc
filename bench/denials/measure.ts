import type { Connection } from "../connection.ts";
import { openConnection, postBytes } from "../connection.ts";
import { areaAmongNeighbours } from "./auc.ts";
import type { Cause } from "./causes.ts";

/** Of one run: how well the time tells the second cause from the first, and the middle time of each in ms. */
export type Run = { readonly auc: number; readonly firstMs: number; readonly secondMs: number };

type Comparison = {
  readonly port: number;
  readonly status: number;
  readonly first: Cause;
  readonly second: Cause;
  readonly pairs: number;
  /** What the second takes longer, to see whether such a difference would be found. */
  readonly plantedMs?: number;
};

const warmPairs = 100;

/** Calls both in turn, in an order drawn anew for each pair, so that whatever else the machine does meets both alike. */
export async function compare({ port, status, first, second, pairs, plantedMs = 0 }: Comparison): Promise<Run> {
  const failed = Promise.withResolvers<never>();
  const connection = await openConnection(port, failed.reject);
  const timed = async (cause: Cause, extraMs: number) => {
    const request = postBytes(port, cause);
    return Promise.race([timeOf(connection, { request, status, extraMs }), failed.promise]);
  };
  const times: { first: number[]; second: number[] } = { first: [], second: [] };
  try {
    for (let pair = -warmPairs; pair < pairs; pair += 1) {
      const both = { first: 0, second: 0 };
      const order = Math.random() < 0.5 ? (["first", "second"] as const) : (["second", "first"] as const);
      for (const which of order)
        both[which] = await timed(which === "first" ? first : second, which === "second" ? plantedMs : 0);
      if (pair < 0) continue;
      times.first.push(both.first);
      times.second.push(both.second);
    }
  } finally {
    connection.close();
  }
  return {
    auc: areaAmongNeighbours(times.second, times.first),
    firstMs: median(times.first),
    secondMs: median(times.second),
  };
}

type TimedRequest = { readonly request: string; readonly status: number; readonly extraMs: number };

function timeOf(connection: Connection, { request, status, extraMs }: TimedRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    connection.exchange(request, (reply) => {
      const until = performance.now() + extraMs;
      while (performance.now() < until);
      const took = performance.now() - began;
      const isDenied = reply.startsWith(`HTTP/1.1 ${status} `) && reply.includes('"code":-32003');
      if (isDenied) resolve(took);
      else reject(new Error(`A call that must be denied was answered: ${reply.split("\r\n\r\n").at(-1)}`));
    });
  });
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
