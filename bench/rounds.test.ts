import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { cells, servers, type Server } from "./cells.ts";
import { measureRounds, type Round } from "./rounds.ts";
import type { Target, Targets } from "./targets.ts";

const [cell] = cells;
const answers = { requestsPerS: 1, p50Ms: 1, p95Ms: 1, replies: 10, generatorCpu: 0 };

/** Each server has its own port, by which the generator tells which it is asked to measure. */
const portOf = (server: Server) => servers.indexOf(server);
const targetOf = (server: Server, pids: readonly number[]): Target => ({
  port: portOf(server),
  pids: [...pids],
  practices: [],
  tasks: [],
  discussed: [],
});

async function measure(rounds: number, pids: readonly number[], during: () => Promise<void> = async () => {}) {
  const order: number[] = [];
  const generator = {
    fill: async () => [],
    measure: async ({ port }: { readonly port: number }) => {
      order.push(port);
      await during();
      return answers;
    },
  };
  // Safe because `servers` names each of them.
  const targets = Object.fromEntries(servers.map((server) => [server, targetOf(server, pids)])) as Targets;
  const measured: readonly Round[] = await measureRounds({
    generator,
    targets,
    postgresPid: process.pid,
    chosen: cell ? [cell] : [],
    pace: { rounds, warmMs: 0, measureMs: 0 },
    signal: new AbortController().signal,
  });
  return { order, measured };
}

test("over as many rounds as there are servers, each is measured first once, second once and last once", async () => {
  const { order } = await measure(servers.length, [process.pid]);
  const rounds = servers.map((_, round) => order.slice(round * servers.length, (round + 1) * servers.length));
  for (const [place] of servers.entries())
    expect(new Set(rounds.map((round) => round[place]))).toEqual(new Set(servers.map(portOf)));
});

test.skipIf(process.platform !== "linux")(
  "the time that the service's worker takes is counted as the service's",
  async () => {
    const worker = spawn(process.execPath, [
      "-e",
      "process.stdin.on('data', () => { const end = process.cpuUsage().user + 60_000; while (process.cpuUsage().user < end); console.log('done') })",
    ]);
    const busy = async () => {
      worker.stdin.write("go");
      await once(worker.stdout, "data");
    };
    const pid = worker.pid ?? 0;
    try {
      const { measured } = await measure(1, [pid], busy);
      // 60 ms over ten replies, of which the system counts whole hundredths of a second.
      for (const { serverCpuUs } of measured) expect(serverCpuUs).toBeGreaterThanOrEqual(4_000);
    } finally {
      worker.kill();
      await once(worker, "close");
    }
  },
);
