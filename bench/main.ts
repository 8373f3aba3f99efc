import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "../scripts/setup/build.mjs";
import { root } from "../scripts/setup/files.mjs";
import { ensureGenerated } from "../scripts/setup/generate.mjs";
import { lock } from "../scripts/processes/lock.mjs";
import { step, trouble } from "../scripts/processes/report.mjs";
import { untilStopped } from "../scripts/processes/stopping.mjs";
import { cells, nameOf } from "./cells.ts";
import { openDatabases, type Databases } from "./databases.ts";
import { openGenerator } from "./generator.ts";
import { keepProcesses, type Processes } from "./processes.ts";
import { table, tablesOf } from "./report.ts";
import { lineOf, measureRounds, type Pace } from "./rounds.ts";
import { openTargets, type Targets } from "./targets.ts";
import { measureRow, rowNames } from "./waiting/rows.ts";

const out = join(root, "bench", "out");
const endsWithinMs = 900_000;
const wholePace: Pace = { rounds: 3, warmMs: 1_000, measureMs: 2_500 };
const quickPace: Pace = { rounds: 1, warmMs: 300, measureMs: 1_000 };

/**
 * Measures this service, a bare server and the official SDK's beside each
 * other and prints a table, then what only this service has: calls that wait,
 * and webhooks. A wrong reply fails it; a slow one does not. `--quick` measures
 * for seconds, `--only=<text>` what has that text in its name, `--profile` leaves a CPU profile of the service in bench/out.
 */
export async function bench(args: readonly string[]): Promise<void> {
  mkdirSync(out, { recursive: true });
  const release = await lock(join(out, "bench.lock"), "exclusive");
  if (release === undefined)
    throw trouble("Another bench is running: wait for its end, since each would disturb the other.");
  const stopping = untilStopped();
  const tooLong = setTimeout(() => stopping.failWith(new Error("The bench took too long.")), endsWithinMs);
  const processes = keepProcesses(join(out, "logs"));
  const opening = openPrepared(stopping.signal);
  try {
    const work = opening.then((databases) => measure({ databases, processes, args, signal: stopping.signal }));
    await Promise.race([work, stopping.requested]);
  } finally {
    clearTimeout(tooLong);
    stopping.stop();
    await processes.stop();
    await opening.then(({ close }) => close()).catch(() => {});
    release();
  }
}

async function openPrepared(signal: AbortSignal): Promise<Databases> {
  await ensureGenerated(signal);
  await step("build", async () => ({ line: (await ensureBuilt(signal)) ? "pages built" : "up to date" }));
  return step("postgres", async () => {
    const value = await openDatabases(join(out, "data"));
    const { fsync, synchronous_commit: commit } = value.durability;
    return { line: `fsync ${fsync}, synchronous_commit ${commit}`, value };
  });
}

type Work = {
  readonly databases: Databases;
  readonly processes: Processes;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
};

async function measure({ databases, processes, args, signal }: Work): Promise<void> {
  const only = args.find((arg) => arg.startsWith("--only="))?.slice("--only=".length) ?? "";
  const pace = args.includes("--quick") ? quickPace : wholePace;
  const profile = args.includes("--profile") ? join(out, "profile") : undefined;
  const chosen = cells.filter((cell) => nameOf(cell).includes(only));
  const own = rowNames.filter((name) => name.includes(only));
  if (chosen.length + own.length === 0) {
    const names = [...cells.map(nameOf), ...rowNames].join("\n  ");
    throw trouble(`Nothing is measured: no line has "${only}" in its name. The lines are:\n  ${names}`);
  }
  const generator = await openGenerator(processes);
  const targets = await step("servers", async () => {
    return { line: "ready", value: await openTargets({ databases, processes, generator, folder: out, profile }) };
  });
  const measured = await measureRounds({ generator, targets, postgresPid: databases.pid, chosen, pace, signal });
  const lines = chosen.map((cell) => lineOf(cell, measured));
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem(), node: process.version };
  const file = join(out, `${new Date().toISOString().replaceAll(":", "-")}.json`);
  const figures = { machine, durability: databases.durability, pace, lines, measured };
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
  if (lines.length > 0) process.stdout.write(`\n${tablesOf(lines)}\n`);
  for (const name of own) process.stdout.write(`\n${await ownTable(name, { databases, processes, targets })}\n`);
  process.stdout.write(`\nEvery reply was checked. The figures of each round are in ${file}\n`);
}

/** A table of what only this service does. */
async function ownTable(
  name: (typeof rowNames)[number],
  { databases, processes, targets }: Pick<Work, "databases" | "processes"> & { readonly targets: Targets },
): Promise<string> {
  const { port, pids } = targets.service;
  return step("this service", async () => {
    const { header, cells } = await measureRow(name, { databases, processes, port, pids });
    return { line: name, value: table(header, [cells]) };
  });
}
