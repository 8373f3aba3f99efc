import { once } from "node:events";
import { rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Store } from "#lib/db/db";
import { root } from "../../scripts/setup/files.mjs";
import { readSecrets } from "../../scripts/start/environment.mjs";
import { startLoad } from "../../test/rig/load.ts";
import { machine, table } from "../../test/rig/report.ts";
import { makeDesks } from "../../test/rig/scene.ts";
import { rigStore, startSimulator, until, type Secrets } from "../../test/rig/service.ts";
import { cpuMsOf } from "../cpu.ts";
import { countingStatements } from "../databases.ts";
import { withOneServer, type OneServer } from "../one-server.ts";
import { serviceEnvironment } from "../targets.ts";

const payers = 4;
const payerMs = 1_000;
const minuteMs = 60_000;
const sampleMs = 250;

/**
 * How many releases two workers submit in a second to payers that take a second to answer: `--cases=` cases, 3,000 if it is
 * not given, are released while their recall windows are open, and all become due at once. `--practices=` says how many they
 * are of, 40 if it is not given; `--concurrency=` how many submissions each worker may have in hand (WORKER_CONCURRENCY).
 */
export async function benchSubmissions(args: readonly string[]): Promise<void> {
  const value = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const cases = Number(value("cases") ?? 3_000);
  const practices = Number(value("practices") ?? 40);
  const profile = value("profile");
  const concurrency = value("concurrency");
  const workerSettings = concurrency === undefined ? {} : { WORKER_CONCURRENCY: concurrency };
  await withOneServer((server) => measure(server, { cases, practices, profile, workerSettings }), {
    hasWorker: true,
    workerSettings,
    settings: countingStatements,
  });
}

/** Processor time is that of one submission. */
const head = [
  "submitted",
  "in",
  "a second",
  "a second, middle half",
  "first worker, CPU each",
  "second",
  "Postgres",
  "payers",
  "statements each",
  "at payers",
  "twice",
];

type Options = {
  readonly cases: number;
  readonly practices: number;
  readonly profile: string | undefined;
  readonly workerSettings: Readonly<Record<string, string>>;
};

async function measure(
  { databases, processes, port, pids }: OneServer,
  { cases, practices, profile, workerSettings }: Options,
): Promise<void> {
  const folder = join(root, "bench", "out");
  // Safe because the file has all of them.
  const secrets = readSecrets(join(folder, "data")) as Secrets;
  const store = rigStore(databases.appUrl, secrets);
  // What it was asked in an earlier run is not counted.
  rmSync(join(folder, "simulator.jsonl"), { force: true });
  const payer = await startSimulator(folder);
  const doors = await Promise.all(Array.from({ length: payers }, () => slowDoor(payer.url, payerMs)));
  try {
    const env = { ...(await serviceEnvironment({ databases, folder })), ...workerSettings };
    const execArgv = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
    const second = await processes.begin({ name: "second worker", entry: "lib/worker/main.ts", env, execArgv });
    const desks = await makeDesks(store, {
      payerUrl: doors.map(({ url }) => url),
      count: practices,
      recallWindowS: 3_600,
    });
    const urls = [`http://127.0.0.1:${port}`];
    const load = startLoad({ urls, desks, store, perSecond: 100, reviewers: 8 });
    await until("the cases", async () => load.sent.length >= cases, 60 * minuteMs);
    await load.stop(60 * minuteMs);
    const [, worker] = pids;
    const cpuMs = () => {
      const [first, other, postgres, simulator] = [worker, second.pid, databases.pid, payer.process.pid].map(cpuMsOf);
      return [first, other, postgres, (simulator ?? Number.NaN) + ownCpuMs()];
    };
    const before = cpuMs();
    const statements = await databases.statements();
    await store.pool.query("UPDATE transmission SET claimable_at = clock_timestamp() WHERE phase = 'released'");
    const samples = await untilDone(store, load.sent.length);
    const took = (await databases.statements()) - statements;
    const cpu = cpuMs().map((ms, index) => (ms ?? Number.NaN) - (before[index] ?? Number.NaN));
    const { twice, all } = await arrivals(payer.url);
    const each = (count: number) => (count / load.sent.length).toFixed(1);
    const rows = [
      [...rates(samples), ...cpu.map((ms) => `${(ms / load.sent.length).toFixed(1)} ms`), each(took), all, twice],
    ];
    process.stdout.write(
      `\n${machine()}, ${practices} practices, ${payers} payers that take ${payerMs} ms, ${workerSettings["WORKER_CONCURRENCY"] ?? 128} in hand of a worker at most\n\n${table(head, rows)}\n`,
    );
  } finally {
    await store.close();
    for (const door of doors) door.close();
    await payer.process.stop();
  }
}

/** Of this process, in which the doors are that make payers slow. */
function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

type Sample = { readonly atMs: number; readonly done: number };

async function untilDone(store: Store, count: number): Promise<readonly Sample[]> {
  const began = performance.now();
  const samples: Sample[] = [];
  for (;;) {
    const done = await store.prisma.task.count({ where: { state: "determined" } });
    samples.push({ atMs: performance.now() - began, done });
    if (done >= count) return samples;
    if (performance.now() - began > 10 * minuteMs) throw new Error(`Only ${done} of ${count} were submitted.`);
    await wait(sampleMs);
  }
}

/** All of it, and its middle half, which has neither the beginning nor the end in it. */
function rates(samples: readonly Sample[]): readonly string[] {
  const last = samples.at(-1) ?? { atMs: 0, done: 0 };
  const at = (share: number) => samples.find(({ done }) => done >= last.done * share) ?? last;
  const [from, to] = [at(0.25), at(0.75)];
  const perSecond = (one: Sample, other: Sample) =>
    (((other.done - one.done) / (other.atMs - one.atMs)) * 1_000).toFixed(0);
  return [
    last.done.toLocaleString("en"),
    `${(last.atMs / 1_000).toFixed(1)} s`,
    perSecond({ atMs: 0, done: 0 }, last),
    perSecond(from, to),
  ];
}

async function arrivals(payerUrl: string): Promise<{ readonly all: string; readonly twice: string }> {
  const reply = await fetch(`${payerUrl}/control/ledger`);
  // Safe because it is the simulator's own ledger.
  const { requests } = (await reply.json()) as { requests: readonly { readonly times: number }[] };
  return { all: String(requests.length), twice: String(requests.filter(({ times }) => times > 1).length) };
}

/** Another address of a payer, at which everything that is asked comes later. */
async function slowDoor(to: string, ms: number): Promise<{ readonly url: string; readonly close: () => void }> {
  const { hostname: host, port } = new URL(to);
  const server = createServer((near) => {
    const far = connect({ host, port: Number(port) });
    for (const socket of [near, far]) socket.on("error", () => undefined);
    near.on("data", (bytes) => void setTimeout(() => far.write(bytes), ms));
    near.on("close", () => void setTimeout(() => far.destroy(), ms));
    far.pipe(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
