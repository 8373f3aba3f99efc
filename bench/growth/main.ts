import { join } from "node:path";
import pg from "pg";
import type { Store } from "#lib/db/db";
import { storeForPerson } from "#lib/db/for-practices";
import { countQueue, listQueue } from "#lib/queue/list-queue";
import { root } from "../../scripts/setup/files.mjs";
import { readSecrets } from "../../scripts/start/environment.mjs";
import { startLoad } from "../../test/rig/load.ts";
import { machine } from "../../test/rig/report.ts";
import { type Desk, makeDesks } from "../../test/rig/scene.ts";
import { rigStore, startSimulator, until, type Secrets } from "../../test/rig/service.ts";
import { type Times, timesOf } from "../bystander/measure.ts";
import { call, intake, post } from "../bystander/post.ts";
import { type OneServer, sayRow, withOneServer } from "../one-server.ts";
import { fillClosed } from "./fill.ts";

const calls = 200;
const pages = 40;
/** Each size is timed so often, and the round in the middle is said: a disturbance of a second is no growth. */
const rounds = 3;

/** What is lost with a crash is filled again. */
const settings = {
  ...{ fsync: "off", full_page_writes: "off", wal_level: "minimal", max_wal_senders: "0", max_wal_size: "16GB" },
  ...{ shared_buffers: "512MB", checkpoint_timeout: "1h" },
};

/**
 * What a call and a page of the queue cost among so many closed cases of one practice, each size beside the first:
 * `--closed=1e4,1e6`. The closed cases are copied by SQL, without the events, calls and audit entries of real ones.
 */
export async function benchGrowth(args: readonly string[]): Promise<void> {
  const given = args.find((arg) => arg.startsWith("--closed="))?.slice("--closed=".length) ?? "1e4,1e6";
  const sizes = given.split(",").map(Number);
  await withOneServer((server) => measure(server, sizes), { hasWorker: true, settings });
}

async function measure({ databases, port }: OneServer, sizes: readonly number[]): Promise<void> {
  const folder = join(root, "bench", "out");
  // Safe because the file has all of them.
  const secrets = readSecrets(join(folder, "data")) as Secrets;
  const store = rigStore(databases.appUrl, secrets);
  const payer = await startSimulator(folder);
  try {
    const [desk] = await makeDesks(store, { payerUrl: payer.url, count: 1 });
    if (!desk) throw new Error("There is one desk.");
    const specimen = await aDetermination(store, desk, port);
    process.stdout.write(`\n${machine()}\n\n`);
    sayRow([
      ...["closed cases", "intake, ms p50/p95", "tasks/get", "queue: to release", "queue: decided", "queue: counts"],
      ...["`SELECT 1`", "database", "filled in"],
    ]);
    sayRow(Array.from({ length: 9 }, () => "---"));
    // Until the processes are warm, the first size would be the slowest.
    await timeRounds(store, desk, port);
    let filled = 0;
    for (const size of sizes) {
      const began = performance.now();
      await fillClosed(databases.superuserUrl, { specimen, from: filled, to: size, most: Math.max(...sizes) });
      const seconds = (performance.now() - began) / 1_000;
      filled = size;
      const times = await timeRounds(store, desk, port);
      sayRow([size.toLocaleString("en"), ...times, await sizeOf(databases.superuserUrl), `${seconds.toFixed(0)} s`]);
    }
  } finally {
    await store.close();
    await payer.process.stop();
  }
}

/** One real case, from the agent's call to the payer's determination. */
async function aDetermination(store: Store, desk: Desk, port: number): Promise<string> {
  const load = startLoad({ urls: [`http://127.0.0.1:${port}`], desks: [desk], store, perSecond: 5 });
  await until("a case", async () => load.sent.length > 0);
  await load.stop();
  const { taskId = "" } = load.sent[0] ?? {};
  const isDetermined = async () =>
    (await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } })).state === "determined";
  await until("the determination", isDetermined);
  return taskId;
}

async function timeRounds(store: Store, desk: Desk, port: number): Promise<readonly string[]> {
  const all: (readonly Times[])[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await timeAll(store, desk, port));
  return (all[0] ?? []).map((_, index) => {
    const middle = (of: keyof Times) =>
      all.map((times) => times[index]?.[of] ?? Number.NaN).toSorted((a, b) => a - b)[Math.floor(rounds / 2)];
    return `${middle("p50")?.toFixed(1)}/${middle("p95")?.toFixed(1)}`;
  });
}

/** Each alone, one after the other, once before it is timed. The last, a bare statement, says how fast the machine is just then. */
async function timeAll(store: Store, desk: Desk, port: number): Promise<readonly Times[]> {
  const { practiceId, key, reviewer } = desk;
  const ids: string[] = [];
  const send = async () => {
    const { text } = await post({ port, key }, intake({ practiceId }));
    const id = /"kind":"task","id":"([0-9a-f-]{36})"/.exec(text)?.[1];
    if (id === undefined) throw new Error(`An intake was answered ${text.slice(0, 300)}`);
    ids.push(id);
  };
  const intakes = await timed(calls, send);
  const gets = await timed(calls, async (index) => {
    const { text } = await post({ port, key }, call("tasks/get", { id: ids[index % ids.length] }));
    if (!text.includes('"kind":"task"')) throw new Error(`tasks/get was answered ${text.slice(0, 300)}`);
  });
  const ctx = { actor: reviewer, store: storeForPerson(store, reviewer) };
  const list = (view: "release" | "decided") => timed(pages, () => listQueue(ctx, { view, sort: "due", filters: {} }));
  const lists = [await list("release"), await list("decided"), await timed(pages, () => countQueue(ctx))];
  return [intakes, gets, ...lists, await timed(calls, () => store.prisma.$queryRaw`SELECT 1`)];
}

async function timed(count: number, act: (index: number) => Promise<unknown>): Promise<Times> {
  const answers: { status: number; ms: number }[] = [];
  for (let index = -10; index < count; index += 1) {
    const began = performance.now();
    await act(index + 10);
    if (index >= 0) answers.push({ status: 200, ms: performance.now() - began });
  }
  return timesOf(answers);
}

async function sizeOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ gb: number }>("SELECT pg_database_size(current_database()) / 1e9 AS gb");
  await client.end();
  return `${Number(rows[0]?.gb).toFixed(1)} GB`;
}
