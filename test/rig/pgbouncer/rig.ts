import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { setTimeout } from "node:timers/promises";
import { givingUpSilent, silentMs } from "#lib/db/silence";
import { prepareScopes, withTenantScope } from "#lib/db/tenant-scope";
import { migrate } from "../../../scripts/database/migrate.ts";
import { urlOf } from "../../../scripts/database/postgres.mjs";
import { choosePort } from "../../../scripts/processes/ports.mjs";
import { ensureBuilt } from "../../../scripts/setup/build.mjs";
import { Authority } from "../authority.ts";
import { compare, settled } from "../compare.ts";
import { asSuperuser, openRigDatabase, rigPassword } from "../database.ts";
import { readTask, startLoad } from "../load.ts";
import { Programs } from "../programs.ts";
import { failuresOf, machine, table } from "../report.ts";
import { makeDesks } from "../scene.ts";
import { makeSecrets, type RigProcess, rigStore, serviceOf, startSimulator, until, untilReady } from "../service.ts";
import { startPgBouncer } from "./config.ts";

const login = { user: "rig_app", password: rigPassword };
const [rate, seconds, poolSize] = [15, 30, 10];

/**
 * Two servers and two workers on ten connections to Postgres, through PgBouncer in transaction mode: intakes, releases,
 * polls and live hints. Leaves nothing behind.
 */
export async function rigPgBouncer(args: readonly string[]): Promise<void> {
  const programs = new Programs(args.find((arg) => arg.startsWith("--root="))?.slice("--root=".length));
  const folder = mkdtempSync(join(tmpdir(), "rig-pgbouncer-"));
  const running: { readonly stop: () => Promise<void> }[] = [];
  try {
    programs.demand({ pgbouncer: "pgbouncer", openssl: "openssl" });
    await ensureBuilt();
    const { cluster, url: direct } = await openRigDatabase(folder);
    running.push(cluster);
    await migrate({ ownerUrl: direct("rig_owner"), appUrl: direct("rig_app") });
    const port = await choosePort();
    const template = readFileSync("deploy/pgbouncer/pgbouncer.ini", "utf8");
    const to = { port: cluster.port, database: "rig" };
    const authority = new Authority(programs);
    await authority.begin();
    const own = programs.makeFolder("pgbouncer");
    const certificate = await authority.certify("pgbouncer", own, { isClient: false });
    running.push(startPgBouncer(programs, template, { port, to, login, poolSize, certificate }));
    const appUrl = `${urlOf({ port, ...login, database: "rig" })}?${authority.verified}`;
    const rows = await underLoad({ folder, appUrl, listenUrl: direct("rig_app"), superuserUrl: cluster.url, running });
    process.stdout.write(`\n${machine()}\n\n${table(["what", "figure"], rows)}\n`);
  } finally {
    for (const each of running.toReversed()) await each.stop();
    rmSync(folder, { recursive: true, force: true });
    rmSync(programs.folder, { recursive: true, force: true });
  }
}

type Scene = {
  readonly folder: string;
  readonly appUrl: string;
  readonly listenUrl: string;
  readonly superuserUrl: string;
  readonly running: { readonly stop: () => Promise<void> }[];
};

async function underLoad({ folder, appUrl, listenUrl, superuserUrl, running }: Scene) {
  const secrets = makeSecrets();
  const simulator = await startSimulator(folder);
  running.push(simulator.process);
  const store = rigStore(appUrl, secrets, { isPooled: true });
  running.push({ stop: () => store.close() });
  const pooled = () => until("the pooler", async () => (await store.pool.query("SELECT 1")).rowCount === 1);
  await pooled();
  const desks = await makeDesks(store, { payerUrl: simulator.url, count: 4 });
  const settings = { DATABASE_POOLER: "transaction", LISTEN_DATABASE_URL: listenUrl };
  const service = serviceOf({ folder, secrets, appUrl, settings });
  const ports = [await choosePort(), await choosePort()];
  const processes: RigProcess[] = ports.map((each, index) => service.web(`web-${index + 1}`, each));
  processes.push(service.worker("worker-1"), service.worker("worker-2"));
  running.push(...processes);
  const urls = ports.map((each) => `http://127.0.0.1:${each}`);
  await Promise.all(urls.map(untilReady));
  const load = startLoad({ urls, desks, store, perSecond: rate });
  let [polls, pollsFailed, most] = [0, 0, 0];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const known = load.sent.filter(({ taskId }) => taskId !== undefined);
    const one = known[polls % Math.max(1, known.length)];
    const url = urls[polls % urls.length] ?? "";
    if (one) pollsFailed += (await readTask(url, one).catch(() => false)) ? 0 : 1;
    if (one) polls += 1;
    most = Math.max(most, await connectionsOf(superuserUrl));
    await setTimeout(100);
  }
  await load.stop();
  await settled(store);
  const wide = await wideStatements(appUrl);
  const doctor = await service.pa(["doctor", "--json"], "worker-1");
  const found = await compare(store, simulator.url, load.sent);
  return [
    ["calls a second, seconds", `${rate}, ${seconds}`],
    ["requests acknowledged, lost", `${found.acknowledged}, ${found.lost}`],
    ["calls that failed and were repeated", failuresOf(load)],
    ["released, at the payer", `${found.released}, ${found.submitted}`],
    ["sent twice, sent without a release", `${found.twice}, ${found.unreleased}`],
    ["polls, failed", `${polls}, ${pollsFailed}`],
    ["statements of up to 15 KB on new connections, without an answer", wide],
    ["connections allowed to PgBouncer, and to Postgres through it at most", `${poolSize}, ${most}`],
    [
      "`pa doctor` finds bad",
      String((JSON.parse(doctor.text) as { stands: string }[]).filter(({ stands }) => stands === "bad").length),
    ],
  ] as const;
}

/**
 * The first statement on each of many new connections, as after an outage, of growing length; how many there were, and
 * how many PgBouncer did not carry out. With a `pkt_buf` of 4096 it stops at those whose text begins in one buffer and ends
 * in the next.
 */
async function wideStatements(connectionString: string): Promise<string> {
  const sizes = Array.from({ length: 64 }, (_, n) => n + 1);
  const answers = await Promise.allSettled(sizes.map((size) => askFirst(connectionString, size)));
  return `${sizes.length}, ${answers.filter(({ status }) => status === "rejected").length}`;
}

async function askFirst(connectionString: string, size: number): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await prepareScopes(client);
    givingUpSilent(silentMs).watch(client);
    const text = `SELECT length($1::text) + length('${"0".repeat(50 * size)}')`;
    const practices = "0".repeat(94 * size);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const done = (error: Error | null | undefined) => (error ? reject(error) : resolve());
    client.query(
      withTenantScope(practices, { name: `wide-${size}`, text, values: ["0".repeat(94 * size)] }, undefined, done),
    );
    await promise;
  } finally {
    // Its end is not waited for where it fell silent.
    client.end().catch(() => undefined);
  }
}

/** Of the application, except those that listen. */
async function connectionsOf(url: string): Promise<number> {
  const sql = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = '${login.user}' AND application_name <> 'live'`;
  const [row] = await asSuperuser(url, [sql]);
  return Number(row?.["count"]);
}
