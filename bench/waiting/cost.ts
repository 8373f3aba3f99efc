import { setTimeout as wait } from "node:timers/promises";
import { cpuMsOf } from "../cpu.ts";
import { timesOf } from "../bystander/measure.ts";
import type { OneServer } from "../one-server.ts";
import type { Agents } from "./agents-process.ts";
import type { Crowd } from "./crowd.ts";
import type { Tally, Mode } from "./errand.ts";

export type CostPace = {
  readonly tasks: number;
  /** How many of the tasks change, in the first half of the time. */
  readonly changes: number;
  readonly ms: number;
  /** For how long the tasks have stood as they are. */
  readonly minutes: number;
};

export type Cost = Tally & { readonly serverMs: number; readonly postgresMs: number; readonly statements: number };

type Measuring = {
  readonly server: OneServer;
  readonly crowd: Crowd;
  readonly agents: Agents;
  readonly pace: CostPace;
};

/** What it costs that agents learn in this way of what becomes of their tasks; the worker is part of the service. */
export async function measureCost({ server, crowd, agents, pace }: Measuring, mode: Mode): Promise<Cost> {
  const { databases, port, pids } = server;
  const { receiverPort, secrets } = crowd;
  const webhook = mode === "webhook" ? `http://127.0.0.1:${receiverPort}/hook` : undefined;
  const tasks = await crowd.open(pace.tasks, webhook);
  await databases.age(pace.minutes);
  await databases.settle();
  const read = async () => ({
    server: pids.map((pid) => cpuMsOf(pid) ?? Number.NaN).reduce((sum, ms) => sum + ms, 0),
    postgres: cpuMsOf(databases.pid) ?? Number.NaN,
    statements: await databases.statements(),
  });
  const before = await read();
  const paceMs = Math.min(60, Math.max(10, (pace.minutes * 60) / 10)) * 1_000;
  await agents.begin({ mode, port, tasks, paceMs, receiverPort, secrets });
  // Every tenth, so that all channels have some.
  const step = Math.floor(pace.tasks / pace.changes);
  const changing = tasks.filter((_, index) => index % step === 0).slice(0, pace.changes);
  const changed = crowd.change(changing, pace.ms / 2);
  await Promise.race([wait(pace.ms), agents.failed]);
  await changed;
  const after = await read();
  const tally = await agents.stop();
  if (mode !== "nobody asks" && tally.learnedMs.length !== changing.length)
    throw new Error(`${mode}: of ${changing.length} changes, ${tally.learnedMs.length} were told.`);
  return {
    ...tally,
    serverMs: after.server - before.server,
    postgresMs: after.postgres - before.postgres,
    statements: after.statements - before.statements,
  };
}

export const costHeader = [
  "way",
  "calls",
  "deliveries",
  "kB",
  "CPU s of server and worker",
  "CPU s of Postgres",
  "statements",
  "learned after, s, p50/p95",
] as const;

/** The cells of a row; what nobody's asking costs as well is in `idle` and taken away. */
export function costCells(mode: Mode, cost: Cost, idle: Cost | undefined): readonly string[] {
  const { p50, p95 } = timesOf(cost.learnedMs.map((ms) => ({ status: 200, ms })));
  const seconds = (ms: number, less = 0) => ((ms - less) / 1_000).toFixed(1);
  return [
    mode,
    cost.calls.toLocaleString("en"),
    cost.deliveries.toLocaleString("en"),
    Math.round(cost.bytes / 1_024).toLocaleString("en"),
    seconds(cost.serverMs, idle?.serverMs),
    seconds(cost.postgresMs, idle?.postgresMs),
    (cost.statements - (idle?.statements ?? 0)).toLocaleString("en"),
    cost.learnedMs.length === 0 ? "" : `${(p50 / 1_000).toFixed(2)}/${(p95 / 1_000).toFixed(2)}`,
  ];
}
