import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "../scripts/setup/build.mjs";
import { root } from "../scripts/setup/files.mjs";
import { lock } from "../scripts/processes/lock.mjs";
import { step, trouble } from "../scripts/processes/report.mjs";
import { untilStopped } from "../scripts/processes/stopping.mjs";
import { openDatabases, type Databases } from "./databases.ts";
import { keepProcesses, type Processes } from "./processes.ts";
import { serviceEnvironment } from "./targets.ts";

const out = join(root, "bench", "out");

/** The service alone, as `npm start` would have it, on databases of its own. */
export type OneServer = {
  readonly databases: Databases;
  readonly processes: Processes;
  readonly port: number;
  /** The server's, and its worker's where there is one. */
  readonly pids: readonly (number | undefined)[];
};

type Options = {
  readonly hasWorker?: boolean;
  /** Settings of its worker, beyond those of `npm start`. */
  readonly workerSettings?: Readonly<Record<string, string>>;
  /** Postgres's settings, beyond those of `npm start`. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** Measures one server, while no other bench disturbs it; whatever was started ends with it. */
export async function withOneServer(
  measure: (server: OneServer) => Promise<void>,
  { hasWorker = false, workerSettings = {}, settings = {} }: Options = {},
): Promise<void> {
  mkdirSync(out, { recursive: true });
  const release = await lock(join(out, "bench.lock"), "exclusive");
  if (release === undefined)
    throw trouble("Another bench is running: wait for its end, since each would disturb the other.");
  const stopping = untilStopped();
  const processes = keepProcesses(join(out, "logs"));
  await step("build", async () => ({ line: (await ensureBuilt(stopping.signal)) ? "pages built" : "up to date" }));
  const databases = await openDatabases(join(out, "data"), settings);
  const begin = async () => {
    const env = await serviceEnvironment({ databases, folder: out });
    const ofWorker = { name: "worker", entry: "lib/worker/main.ts", env: { ...env, ...workerSettings } };
    const worker = hasWorker ? await processes.begin(ofWorker) : undefined;
    const { pid } = await processes.begin({ name: "server", entry: "server.ts", env });
    await measure({ databases, processes, port: Number(env["PORT"]), pids: [pid, worker?.pid] });
  };
  try {
    await Promise.race([begin(), stopping.requested]);
  } finally {
    stopping.stop();
    await processes.stop();
    await databases.close();
    release();
  }
}

/** One row of a table, as soon as it is known. */
export function sayRow(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}
