import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../scripts/start/environment.mjs";
import { choosePort } from "../scripts/processes/ports.mjs";
import { heapGrowingPercent } from "#lib/platform/clever/collect-between";
import { smallReview } from "#test/support/agents/reviews";
import { makeCallers } from "./callers.ts";
import type { Server } from "./cells.ts";
import type { Databases } from "./databases.ts";
import type { Generator } from "./generator.ts";
import type { Subject } from "./job.ts";
import type { Processes, Program } from "./processes.ts";

/** A server under load, and what its calls may name. */
export type Target = {
  readonly port: number;
  /** Every process that works for it, Postgres aside. */
  readonly pids: readonly (number | undefined)[];
  readonly practices: readonly Subject[];
  readonly tasks: readonly Subject[];
  /** Tasks with at least ten messages each; only this service has any. */
  readonly discussed: readonly Subject[];
};

export type Targets = Readonly<Record<Server, Target>>;

const tasksToRead = 2_048;
const tasksToDiscuss = 256;
const messagesOfEach = 10;

/** What this service sets for itself is set for the others too. */
const flags = [`--heap-growing-percent=${heapGrowingPercent}`];

type Opening = {
  readonly databases: Databases;
  readonly processes: Processes;
  readonly generator: Generator;
  readonly folder: string;
  /** Where a CPU profile of the service is to go. */
  readonly profile: string | undefined;
};

/** Starts all servers, the service with its worker, and gives each the same number of tasks to read. */
export async function openTargets(opening: Opening): Promise<Targets> {
  const { databases, processes, generator } = opening;
  const { appUrl, bareUrl, sdkUrl, secrets } = databases;
  const practices = await makeCallers({ url: appUrl, secrets });
  const load = { clients: 32, serviceReview: smallReview, method: "message/send" } as const;
  const open = async (program: Omit<Program, "name">, name: string): Promise<Target> => {
    const port = Number(program.env.PORT);
    const { pid } = await processes.begin({ execArgv: flags, ...program, name });
    const tasks = await generator.fill({ ...load, port, subjects: practices, count: tasksToRead });
    return { port, pids: [pid], practices, tasks, discussed: [] };
  };
  const service = await openService(opening, open);
  const discussed = service.tasks.slice(0, tasksToDiscuss);
  // The first message of each made it.
  const count = tasksToDiscuss * (messagesOfEach - 1);
  await generator.fill({ ...load, port: service.port, subjects: discussed, count });
  const beside = async () => ({ ...process.env, NODE_ENV: "production", PORT: String(await choosePort()) });
  const sdk = "bench/sdk-server.mjs";
  const targets = {
    service: { ...service, discussed },
    bare: await open(
      { entry: "bench/bare-server.ts", env: { ...(await beside()), BARE_DATABASE_URL: bareUrl } },
      "bare",
    ),
    "sdk 1.3 Postgres": await open({ entry: sdk, env: { ...(await beside()), SDK_DATABASE_URL: sdkUrl } }, "sdk-1.3"),
    "sdk 0.3 memory": await open({ entry: sdk, env: await beside() }, "sdk-0.3"),
  };
  await databases.settle();
  return targets;
}

type Open = (program: Omit<Program, "name">, name: string) => Promise<Target>;

/** With its worker, whose work is the service's too. */
async function openService(opening: Opening, open: Open): Promise<Target> {
  const env = await serviceEnvironment(opening);
  const worker = await opening.processes.begin({ name: "worker", entry: "lib/worker/main.ts", env });
  const execArgv = opening.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${opening.profile}`];
  const service = await open({ entry: "server.ts", env, execArgv }, "server");
  return { ...service, pids: [...service.pids, worker.pid] };
}

/** As `npm start` would have it. */
export async function serviceEnvironment({
  databases,
  folder,
}: Pick<Opening, "databases" | "folder">): Promise<Record<string, string | undefined>> {
  const port = await choosePort();
  const settings = { folder: join(folder, "data"), port, host: "127.0.0.1", publicUrl: `http://127.0.0.1:${port}` };
  const { secrets, appUrl } = databases;
  const env = childEnvironment({ settings, secrets, appUrl, simulatorPort: undefined, mode: "production" });
  // The databases are new with each run, so an earlier run's ledger would be of others.
  const ledger = mkdtempSync(join(tmpdir(), "ledger-"));
  return { ...env, SUBMISSION_LEDGER_DIR: ledger, CHANNEL_OWNERS_FROM: "2100-01-01" };
}
