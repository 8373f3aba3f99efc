import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { failedIn, timesOf, watch, type Stretch } from "../bystander/measure.ts";
import type { Bystander } from "../bystander/scene.ts";
import type { OneServer } from "../one-server.ts";
import type { Agents } from "./agents-process.ts";
import type { Crowd } from "./crowd.ts";

export type HeldPace = { readonly rounds: number; readonly stretchMs: number };

type Measuring = {
  readonly server: Pick<OneServer, "port" | "pids">;
  readonly crowd: Crowd;
  readonly agents: Agents;
  readonly bystander: Bystander;
  readonly count: number;
  readonly pace: HeldPace;
};

/** Changes a second of tasks that are waited for, in the last stretch. */
const changesPerS = 50;
const settleMs = 3_000;

/** What a bystander noticed of calls that wait: while there were none, while they waited, and while some of them ended. */
export type HeldFigures = {
  readonly count: number;
  readonly calm: Stretch;
  readonly held: Stretch;
  readonly changing: Stretch;
  /** From a change until the waiting call was answered. */
  readonly learnedMs: readonly number[];
  readonly openedMs: number;
  /** Of the server's process; undefined where the system does not tell. */
  readonly bytesEach: number | undefined;
};

/** Holds so many calls back, each for its own task, and measures the bystander before, meanwhile and after. */
export async function measureHeld({ server, crowd, agents, bystander, count, pace }: Measuring): Promise<HeldFigures> {
  const tasks = await crowd.open(count);
  await watch(bystander, pace.stretchMs);
  const before = await stretches(bystander, pace);
  const memory = residentBytes(server.pids[0]);
  const { receiverPort, secrets } = crowd;
  const began = performance.now();
  await agents.begin({ mode: "wait for 60 s", port: server.port, tasks, paceMs: 0, receiverPort, secrets });
  const openedMs = performance.now() - began;
  await wait(settleMs);
  const held = await stretches(bystander, pace);
  const grown = residentBytes(server.pids[0]);
  const ends = Math.min(count, Math.round((changesPerS * pace.rounds * pace.stretchMs) / 1_000));
  const changed = crowd.change(tasks.slice(0, ends), pace.rounds * pace.stretchMs);
  const changing = await stretches(bystander, pace);
  await changed;
  await wait(settleMs);
  const { learnedMs } = await agents.stop();
  if (learnedMs.length !== ends) throw new Error(`Of ${ends} changes, ${learnedMs.length} were told.`);
  await wait(settleMs);
  const after = await stretches(bystander, pace);
  const bytesEach = memory === undefined || grown === undefined ? undefined : Math.max(0, grown - memory) / count;
  return { count, calm: joined([before, after]), held, changing, learnedMs, openedMs, bytesEach };
}

/** How many times as long the bystander's slowest twentieth of calls took as while nobody waited. */
export function factorOf({ calm, held, changing }: HeldFigures): number {
  const p95 = ({ calls }: Stretch) => timesOf(calls).p95;
  return Math.max(p95(held), p95(changing)) / p95(calm);
}

/** The cells of a row: the bystander's calls and queue in each stretch, what was refused, and how soon a change was told. */
export function heldCells(measured: HeldFigures): readonly string[] {
  const { calm, held, changing, learnedMs, openedMs, bytesEach } = measured;
  const all = [calm, held, changing];
  const times = (["calls", "queue"] as const).flatMap((what) => all.map((each) => shown(timesOf(each[what]))));
  return [
    measured.count.toLocaleString("en"),
    ...times,
    factorOf(measured).toFixed(2),
    String(all.reduce((sum, each) => sum + failedIn(each), 0)),
    shown(timesOf(learnedMs.map((ms) => ({ status: 200, ms })))),
    `${(openedMs / 1_000).toFixed(1)} s`,
    bytesEach === undefined ? "" : `${Math.round(bytesEach / 1_024)} kB`,
  ];
}

export const heldHeader = [
  "held",
  "calls calm",
  "held",
  "50 ends/s",
  "queue calm",
  "held",
  "50 ends/s",
  "worst p95 of calm",
  "refused",
  "change told",
  "opened in",
  "memory each",
] as const;

function shown({ p50, p95 }: { readonly p50: number; readonly p95: number }): string {
  return `${p50.toFixed(1)}/${p95.toFixed(1)}`;
}

async function stretches(bystander: Bystander, { rounds, stretchMs }: HeldPace): Promise<Stretch> {
  const all: Stretch[] = [];
  while (all.length < rounds) all.push(await watch(bystander, stretchMs));
  return joined(all);
}

function joined(all: readonly Stretch[]): Stretch {
  return { calls: all.flatMap(({ calls }) => calls), queue: all.flatMap(({ queue }) => queue) };
}

function residentBytes(pid: number | undefined): number | undefined {
  if (process.platform !== "linux" || pid === undefined) return undefined;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
}
