import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Store } from "#lib/db/db";
import { migrate } from "../../../scripts/database/migrate.ts";
import { choosePort } from "../../../scripts/processes/ports.mjs";
import { say } from "../../../scripts/processes/report.mjs";
import { release } from "../../../scripts/release/release.mjs";
import { compare, settled } from "../compare.ts";
import { type Load, startLoad } from "../load.ts";
import { Programs, type Running } from "../programs.ts";
import { failuresOf, machine, table } from "../report.ts";
import { type Desk, makeDesks } from "../scene.ts";
import {
  makeSecrets,
  type RigProcess,
  rigStore,
  type Secrets,
  serviceOf,
  startSimulator,
  until,
  untilReady,
} from "../service.ts";
import { app, owner, packages, PatroniCluster } from "./cluster.ts";
import { type Event, events, type Rig } from "./events.ts";

/** Seconds under load before an event and after calls are accepted again. */
const [warmS, calmS] = [8, 12];

type Stoppable = { readonly stop: () => Promise<void> };

type Stage = Rig & {
  readonly store: Store;
  readonly desks: readonly Desk[];
  readonly url: string;
  readonly payerUrl: string;
  readonly rate: number;
  readonly start: (settings: Readonly<Record<string, string>>) => Promise<void>;
  readonly pa: (args: readonly string[], worker: string) => Promise<{ code: number | null; text: string }>;
};

/**
 * A cluster of three nodes with failover, two servers and two workers from one release, and each event under load: how
 * long nothing was accepted, what was lost and what was sent twice. Leaves nothing behind.
 */
export async function rigFailover(args: readonly string[]): Promise<void> {
  const value = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const programs = new Programs(value("root"));
  const running: Stoppable[] = [];
  try {
    programs.demand(packages);
    const stage = await build(programs, running, Number(value("rate") ?? 10));
    const wanted = events.filter(({ key }) => (value("only") ?? key).split(",").includes(key));
    const rows: string[][] = [];
    for (let round = 1; round <= Number(value("rounds") ?? 1); round += 1)
      for (const event of wanted) rows.push(await underLoad(stage, event));
    const head = [
      "event",
      "accepted nothing for",
      "acknowledged and lost",
      "sent twice",
      "sent without a release",
      "released; of those neither at the payer nor held again",
      "calls that failed and were repeated",
      "what the operator was told",
    ];
    process.stdout.write(`\n${machine()}; ${stage.rate} calls a second and as many releases\n\n${table(head, rows)}\n`);
  } finally {
    for (const each of running.toReversed()) await each.stop();
    rmSync(programs.folder, { recursive: true, force: true });
  }
}

async function build(programs: Programs, running: Stoppable[], rate: number): Promise<Stage> {
  const folder = join(programs.folder, "service");
  mkdirSync(folder);
  const program = join(programs.folder, "release");
  await release([`--out=${program}`]);
  const cluster = new PatroniCluster(programs);
  running.push(cluster);
  await cluster.start();
  say("cluster", "three nodes, one of them synchronous");
  await migrate({ ownerUrl: cluster.url(owner), appUrl: cluster.url(app) });
  await cluster.startPgBouncer();
  const secrets = makeSecrets();
  const simulator = await startSimulator(folder);
  running.push(simulator.process);
  const appUrl = cluster.url(app, cluster.pooledPort);
  const store = rigStore(appUrl, secrets, { isPooled: true });
  running.push({ stop: () => store.close() });
  await until("the pooler", async () => (await store.pool.query("SELECT 1")).rowCount === 1);
  const desks = await makeDesks(store, { payerUrl: simulator.url, count: 4 });
  const { url, ...processes } = await prepareService({ programs, program, folder, cluster, secrets, appUrl, running });
  return { cluster, store, desks, url, payerUrl: simulator.url, rate, ...processes };
}

type Parts = {
  readonly programs: Programs;
  readonly program: string;
  readonly folder: string;
  readonly cluster: PatroniCluster;
  readonly secrets: Secrets;
  readonly appUrl: string;
  readonly running: Stoppable[];
};

/** Two servers behind HAProxy and two workers, of one release; started by `start`, and again with other settings. */
async function prepareService({ programs, cluster, running, ...of }: Parts) {
  const ports = [await choosePort(), await choosePort()];
  const url = await startBalancer(programs, ports, running);
  let settings = {};
  const given = () => ({
    DATABASE_POOLER: "transaction",
    LISTEN_DATABASE_URL: cluster.url(app),
    DRAIN_DELAY_S: "3",
    ...settings,
  });
  const service = () => serviceOf({ ...of, settings: given() });
  const processes = new Map<string, RigProcess>();
  const begin = async (name: string) => {
    const port = ports[Number(name.at(-1)) - 1] ?? 0;
    const isWeb = name.startsWith("web");
    processes.set(name, isWeb ? service().web(name, port) : service().worker(name));
    if (isWeb) await untilReady(`http://127.0.0.1:${port}`);
  };
  running.push({ stop: async () => void (await Promise.all([...processes.values()].map((each) => each.stop()))) });
  const restart = async (name: string) => {
    await processes.get(name)?.stop(40_000);
    await begin(name);
  };
  const start = async (more: Readonly<Record<string, string>>) => {
    settings = more;
    await Promise.all(["web-1", "web-2", "worker-1", "worker-2"].map(restart));
    await untilReady(url);
  };
  return { url, restart, start, pa: (args: readonly string[], worker: string) => service().pa(args, worker) };
}

/** deploy/haproxy/haproxy.cfg before the two servers, without TLS. */
async function startBalancer(programs: Programs, ports: readonly number[], running: Stoppable[]): Promise<string> {
  const port = await choosePort();
  const file = readFileSync("deploy/haproxy/haproxy.cfg", "utf8")
    .replace(/bind :8443.*/, `bind 127.0.0.1:${port}`)
    .replace(/web-1:3000/, `127.0.0.1:${ports[0]}`)
    .replace(/web-2:3000/, `127.0.0.1:${ports[1]}`);
  const path = join(programs.makeFolder("balancer"), "haproxy.cfg");
  writeFileSync(path, file);
  programs.give(path);
  const balancer: Running = programs.start("haproxy", ["-db", "-f", programs.inside(path)], "haproxy-web");
  running.push(balancer);
  return `http://127.0.0.1:${port}`;
}

async function underLoad(stage: Stage, event: Event): Promise<string[]> {
  const { cluster, store, desks, url, rate, payerUrl } = stage;
  await cluster.setSynchronous(event.isSynchronous);
  await stage.start({ REPLICATION: event.isSynchronous ? "required" : "warn" });
  const load = startLoad({ urls: [url], desks, store, perSecond: rate });
  await setTimeout(warmS * 1_000);
  await event.before?.(stage);
  const at = Date.now();
  await event.happen(stage);
  const recovery = event.isSynchronous ? "" : await recover(stage, at);
  await acceptedAgain(load, at);
  await setTimeout(calmS * 1_000);
  const gapS = load.longestGap(at, Date.now()) / 1_000;
  await load.stop(120_000);
  await event.after?.(stage);
  await settled(store, 180_000);
  const found = await compare(store, payerUrl, load.sent);
  say("event", `${event.name}: ${gapS.toFixed(1)} s, ${found.lost} lost, ${found.twice} twice`);
  return [
    event.name,
    `${gapS.toFixed(1)} s`,
    `${found.lost} of ${found.acknowledged}`,
    `${found.twice} of ${found.submitted}`,
    String(found.unreleased),
    `${found.released}; ${found.forgotten}`,
    failuresOf(load),
    recovery,
  ];
}

/** Waits until a call that came after the event was acknowledged. */
function acceptedAgain(load: Load, at: number): Promise<void> {
  return until(
    "an accepted call",
    () => Promise.resolve(load.sent.some(({ acceptedAt = 0 }) => acceptedAt > at + 1_000)),
    180_000,
  );
}

/** What an operator does once a failover may have lost commits: looks, and recovers with the ledger of each worker. */
async function recover({ pa }: Stage, at: number): Promise<string> {
  let loss: Loss | undefined;
  await until(
    "the database",
    async () => (loss = lossIn((await pa(["recover", "--json"], "worker-1")).text)) !== undefined,
    180_000,
  );
  const reportedS = (Date.now() - at) / 1_000;
  if (!loss || loss.chains.length === 0) return "nothing is lacking";
  for (const worker of ["worker-1", "worker-2"]) {
    const { code, text } = await pa(["recover", "--yes"], worker);
    if (code !== 0) throw new Error(`pa recover ended with ${code}: ${text}`);
  }
  return `after ${reportedS.toFixed(0)} s: ${loss.chains.length} chains lack entries, ${loss.submissions.length} submissions unknown. Nothing sent until \`pa recover\``;
}

type Loss = { readonly chains: readonly unknown[]; readonly submissions: readonly unknown[] };

function lossIn(text: string): Loss | undefined {
  const line = text.split("\n").find((each) => each.startsWith("{"));
  // Safe because the command line is ours.
  const read = line === undefined ? undefined : (JSON.parse(line) as Partial<Loss>);
  return read?.chains && read.submissions ? { chains: read.chains, submissions: read.submissions } : undefined;
}
